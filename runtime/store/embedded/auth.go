package embedded

import (
	"context"
	"crypto/subtle"
	"strings"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// ownKey sends the API key over the in-process pipe.
type ownKey string

func (k ownKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"api-key": string(k)}, nil
}

func (ownKey) RequireTransportSecurity() bool { return false }

// authorize checks the API key, if the store has one.
func (s *Server) authorize(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	keyed := s.options.APIKey != "" || s.options.ReadOnlyAPIKey != ""
	if !keyed || info.FullMethod == qdrant.Qdrant_HealthCheck_FullMethodName {
		return handle(ctx, request)
	}
	key, ok := sentKey(ctx)
	switch {
	case !ok:
		return nil, status.Error(codes.Unauthenticated, "Must provide an API key or an Authorization bearer token")
	case same(key, s.options.APIKey):
	case same(key, s.options.ReadOnlyAPIKey):
		if err := readOnly(info.FullMethod, request); err != nil {
			return nil, err
		}
	default:
		return nil, status.Error(codes.Unauthenticated, "Invalid API key or JWT")
	}
	return handle(ctx, request)
}

// sentKey is the key of a request: api-key, or else a bearer token.
func sentKey(ctx context.Context) (string, bool) {
	md, _ := metadata.FromIncomingContext(ctx)
	if keys := md.Get("api-key"); len(keys) > 0 {
		return keys[0], true
	}
	for _, v := range md.Get("authorization") {
		if token, ok := strings.CutPrefix(v, "Bearer "); ok {
			return token, true
		}
	}
	return "", false
}

func same(key, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(key), []byte(want)) == 1
}

// readOnly refuses what a read-only key may not do.
func readOnly(method string, request any) error {
	service, verb := strings.TrimPrefix(method, "/"), ""
	if i := strings.LastIndexByte(service, '/'); i >= 0 {
		service, verb = service[:i], service[i+1:]
	}
	switch service {
	case qdrant.Collections_ServiceDesc.ServiceName:
		switch verb {
		case "Create", "Update", "Delete", "UpdateAliases", "UpdateCollectionClusterSetup", "CreateShardKey", "DeleteShardKey":
			return forbidden("Global manage access is required")
		}
	case qdrant.Points_ServiceDesc.ServiceName:
		switch verb {
		case "Upsert", "Delete", "UpdateVectors", "DeleteVectors", "SetPayload", "OverwritePayload", "DeletePayload", "ClearPayload",
			"UpdateBatch", "CreateFieldIndex", "DeleteFieldIndex":
			return forbidden("Global manage access is required")
		}
	}
	return nil
}

func forbidden(need string) error {
	return status.Error(codes.PermissionDenied, "Forbidden: "+need)
}
