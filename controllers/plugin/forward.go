package plugin

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
)

// pod is a port of a pod.
type pod struct {
	namespace, name string
	port            int32
}

// orElse is what to do where the pods of the manager may not be reached.
const orElse = "forward a port by `kubectl port-forward` and name it by --endpoint"

// pods are those behind the Service that are ready.
func (s service) pods(ctx context.Context, cfg *rest.Config) ([]pod, error) {
	c, err := coreclient.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	svc, err := c.Services(s.namespace).Get(ctx, s.name, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("the manager's Service %s/%s: %w (else %s)", s.namespace, s.name, err, orElse)
	}
	var to *corev1.ServicePort
	for i, p := range svc.Spec.Ports {
		if strconv.Itoa(int(p.Port)) == s.port {
			to = &svc.Spec.Ports[i]
		}
	}
	if to == nil || len(svc.Spec.Selector) == 0 {
		return nil, fmt.Errorf("the manager's Service %s/%s has no port %s that leads to pods: %s", s.namespace, s.name, s.port, orElse)
	}
	list, err := c.Pods(s.namespace).List(ctx, metav1.ListOptions{LabelSelector: labels.SelectorFromSet(svc.Spec.Selector).String()})
	if err != nil {
		return nil, fmt.Errorf("the manager's pods in %s: %w (else %s)", s.namespace, err, orElse)
	}
	var out []pod
	for i := range list.Items {
		p := &list.Items[i]
		if port, ok := portOf(p, *to); ok && ready(p) {
			out = append(out, pod{p.Namespace, p.Name, port})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no pod behind Service %s/%s is ready (of %d): `kubectl get pods -n %s` tells why", s.namespace, s.name, len(list.Items), s.namespace)
	}
	return out, nil
}

func ready(p *corev1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue && p.DeletionTimestamp == nil
		}
	}
	return false
}

// portOf is the container's port that the Service's leads to.
func portOf(p *corev1.Pod, s corev1.ServicePort) (int32, bool) {
	switch {
	case s.TargetPort.Type == intstr.String:
		for _, c := range p.Spec.Containers {
			for _, port := range c.Ports {
				if port.Name == s.TargetPort.StrVal {
					return port.ContainerPort, true
				}
			}
		}
		return 0, false
	case s.TargetPort.IntVal != 0:
		return s.TargetPort.IntVal, true
	}
	return s.Port, true
}

// forward listens on a port of this machine that leads to the pod's, until stop
// is called. The port is any that is free; without a token it gives nothing.
func (p pod) forward(ctx context.Context, cfg *rest.Config) (address string, stop func(), err error) {
	fail := func(err error) (string, func(), error) {
		return "", nil, fmt.Errorf("forward a port to pod %s/%s: %w (it takes the verb create on pods/portforward; else %s)", p.namespace, p.name, err, orElse)
	}
	dialer, err := p.dialer(cfg)
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	open := make(chan struct{})
	f, err := portforward.NewOnAddressesForStreamingWithContext(ctx, dialer, []string{"127.0.0.1"}, []string{fmt.Sprintf("0:%d", p.port)}, open, io.Discard, io.Discard)
	if err != nil {
		cancel()
		return fail(err)
	}
	ended := make(chan struct{})
	var broke error // may be read when ended is closed
	go func() { broke = f.ForwardPorts(); close(ended) }()
	stop = func() {
		cancel()
		<-ended
	}
	select {
	case <-ended:
		cancel()
		return fail(broke)
	case <-ctx.Done():
		stop()
		return fail(ctx.Err())
	case <-open:
	}
	ports, err := f.GetPorts()
	if err != nil {
		stop()
		return fail(err)
	}
	return fmt.Sprintf("127.0.0.1:%d", ports[0].Local), stop, nil
}

// dialer speaks as kubectl does: WebSockets, or SPDY to an API server or proxy
// that doesn't know them.
func (p pod) dialer(cfg *rest.Config) (httpstream.Dialer, error) {
	c, err := coreclient.NewForConfig(cfg)
	if err != nil {
		return nil, err
	}
	u := c.RESTClient().Post().Resource("pods").Namespace(p.namespace).Name(p.name).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(cfg)
	if err != nil {
		return nil, err
	}
	old := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, http.MethodPost, u)
	now, err := portforward.NewSPDYOverWebsocketDialerForStreaming(u, cfg)
	if err != nil {
		return nil, err
	}
	return portforward.NewFallbackDialerForStreaming(now, old, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}
