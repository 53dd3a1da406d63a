package handoffs

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// kubelet forwards ports as a node does, to one address of this machine whatever
// the pod is: the API server, which stands between, is real.
type kubelet struct {
	to     string
	opened atomic.Int64
}

// ServeHTTP upgrades /portForward/NAMESPACE/POD.
func (k *kubelet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := httpstream.Handshake(r, w, []string{"portforward.k8s.io"}); err != nil {
		return
	}
	streams := make(chan httpstream.Stream, 16)
	c := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
		streams <- s
		return nil
	})
	if c == nil {
		return
	}
	defer c.Close()
	for {
		select {
		case <-c.CloseChan():
			return
		case s := <-streams:
			if s.Headers().Get(corev1.StreamType) == corev1.StreamTypeData {
				k.opened.Add(1)
				go k.join(s)
			} else {
				_ = s.Close() // nothing went wrong
			}
		}
	}
}

func (k *kubelet) join(s httpstream.Stream) {
	defer s.Close()
	c, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", k.to)
	if err != nil {
		return
	}
	defer c.Close()
	go func() { _, _ = io.Copy(c, s) }()
	_, _ = io.Copy(s, c)
}

// node is a manager's pod on a node of which the kubelet is here, behind the
// Service by which managers publish where they answer.
func node(t *testing.T, to string) *kubelet {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	k := &kubelet{to: u.Host}
	s := httptest.NewTLSServer(k)
	t.Cleanup(s.Close)
	_, text, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "here"}}
	create(t, n)
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}}
	n.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(port)
	if err := cluster.Status().Update(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	create(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "hardgate-system"}})
	labels := map[string]string{"app.kubernetes.io/name": "hardgate"}
	create(t, &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "hardgate-system", Name: "hardgate"},
		Spec:       corev1.ServiceSpec{Selector: labels, Ports: []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("serve")}}},
	})
	for _, name := range []string{"hardgate-1", "hardgate-starting"} {
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "hardgate-system", Name: name, Labels: labels},
			Spec: corev1.PodSpec{NodeName: n.Name, Containers: []corev1.Container{{
				Name: "manager", Image: "hardgate", Ports: []corev1.ContainerPort{{Name: "serve", ContainerPort: 8080}},
			}}},
		}
		create(t, p)
		p.Status.Phase = corev1.PodRunning
		if name == "hardgate-1" {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}
		if err := cluster.Status().Update(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	return k
}
