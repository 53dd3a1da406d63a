package serve

import (
	"context"
	"fmt"
	"slices"

	authnv1 "k8s.io/api/authentication/v1"
	authzv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authnclient "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authzclient "k8s.io/client-go/kubernetes/typed/authorization/v1"
)

// apiGroup is the group whose resource "corpora" access reviews are about.
const apiGroup = "rag.hardgate.dev"

// TokenReviews authenticates by the Kubernetes API.
type TokenReviews struct {
	Client    authnclient.TokenReviewInterface
	Audiences []string // of which a token must name one; nil = the API server's own
}

// Authenticate sends a TokenReview.
func (t TokenReviews) Authenticate(ctx context.Context, token string) (User, error) {
	review, err := t.Client.Create(ctx, &authnv1.TokenReview{Spec: authnv1.TokenReviewSpec{Token: token, Audiences: t.Audiences}}, metav1.CreateOptions{})
	if err != nil {
		return User{}, fmt.Errorf("token review: %w", err)
	}
	if !review.Status.Authenticated || !t.meant(review.Status.Audiences) {
		return User{}, ErrUnauthenticated
	}
	u := review.Status.User
	out := User{Name: u.Username, UID: u.UID, Groups: u.Groups, Extra: map[string][]string{}}
	for k, v := range u.Extra {
		out.Extra[k] = v
	}
	return out, nil
}

// meant reports whether a token is for one of the audiences. A server that knows
// nothing of audiences accepts any token of its own and names none: where one was
// asked for, that is no acceptance.
func (t TokenReviews) meant(audiences []string) bool {
	return len(t.Audiences) == 0 || slices.ContainsFunc(audiences, func(a string) bool { return slices.Contains(t.Audiences, a) })
}

// AccessReviews authorizes by the Kubernetes API.
type AccessReviews struct {
	Client authzclient.SubjectAccessReviewInterface
}

// Allowed sends a SubjectAccessReview.
func (a AccessReviews) Allowed(ctx context.Context, u User, act Action) (bool, error) {
	extra := make(map[string]authzv1.ExtraValue, len(u.Extra))
	for k, v := range u.Extra {
		extra[k] = v
	}
	review, err := a.Client.Create(ctx, &authzv1.SubjectAccessReview{Spec: authzv1.SubjectAccessReviewSpec{
		User: u.Name, UID: u.UID, Groups: u.Groups, Extra: extra,
		ResourceAttributes: &authzv1.ResourceAttributes{Namespace: act.Namespace, Verb: act.Verb, Group: apiGroup, Resource: "corpora", Subresource: act.Subresource, Name: act.Name},
	}}, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("access review: %w", err)
	}
	return review.Status.Allowed, nil
}
