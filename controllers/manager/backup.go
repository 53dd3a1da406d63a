package manager

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	authzclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/hardgate-dev/hardgate/controllers/backup"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

// backups answers backup and restore, and leaves everything else to next.
func backups(ctx context.Context, mgr ctrl.Manager, o Options, r *assembly.Runtime, authn serve.Authenticator, reviews authzclient.SubjectAccessReviewInterface, log *slog.Logger, next http.Handler) (http.Handler, error) {
	id, err := clusterID(ctx, mgr.GetAPIReader(), o.ClusterID)
	if err != nil {
		return nil, err
	}
	return &backup.Handler{
		Keeper: &backup.Keeper{
			Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Runtime: r, Recorder: mgr.GetEventRecorder("backup"), ClusterID: id, Now: time.Now,
			Connect: &connect.Connector{Reader: mgr.GetAPIReader(), Runtime: r},
		},
		Authenticator: authn, Reviews: reviews, Log: log, Next: next,
	}, nil
}
