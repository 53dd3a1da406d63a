package controllers

import (
	"fmt"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// patience is how long something may take to come true: long, because it only
// costs when a test fails.
const patience = 60 * time.Second

// conditioned is an object of ours.
type conditioned interface {
	client.Object
	GetConditions() []metav1.Condition
}

// ExpectApplied creates the objects in the world's namespace, or brings those
// that exist to the given spec. Afterwards each is as the server has it.
func (w *world) ExpectApplied(objects ...client.Object) {
	w.Helper()
	for _, o := range objects {
		o.SetNamespace(w.namespace)
		o.SetResourceVersion("") // it may have been read before
		err := w.Create(w.Context(), o)
		if apierrors.IsAlreadyExists(err) {
			err = w.replace(o)
		}
		if err != nil {
			w.Fatalf("apply %T %q: %v", o, o.GetName(), err)
		}
	}
}

// replace updates an object whatever its resource version.
func (w *world) replace(o client.Object) error {
	have, ok := o.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("%T is no object", o)
	}
	var err error
	for range 20 { // against a reconciler that writes at the same time
		if err = w.Get(w.Context(), client.ObjectKeyFromObject(o), have); err != nil {
			return err
		}
		o.SetResourceVersion(have.GetResourceVersion())
		o.SetFinalizers(have.GetFinalizers())
		if err = w.Update(w.Context(), o); !apierrors.IsConflict(err) {
			return err
		}
	}
	return err
}

// ExpectStatus writes the status of an object, as another reconciler would.
func (w *world) ExpectStatus(o client.Object, change func()) {
	w.Helper()
	w.Eventually("write the status of "+o.GetName(), func() error {
		if err := w.Get(w.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		change()
		return w.Status().Update(w.Context(), o)
	})
}

// Annotate sets an annotation.
func (w *world) Annotate(o client.Object, key, value string) {
	w.Helper()
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:%q}}}`, key, value)
	if err := w.Patch(w.Context(), o, client.RawPatch("application/merge-patch+json", patch)); err != nil {
		w.Fatalf("annotate %s: %v", o.GetName(), err)
	}
}

// Eventually polls until what is asked for comes true.
func (w *world) Eventually(what string, f func() error) {
	w.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := f()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			w.Fatalf("%s: not within %s: %v", what, patience, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// ExpectKstatus waits until tools that speak kstatus see an object in a state,
// and returns their message.
func (w *world) ExpectKstatus(o client.Object, want status.Status) string {
	w.Helper()
	message := ""
	w.Eventually(fmt.Sprintf("%s is %s", o.GetName(), want), func() error {
		u, err := w.raw(o)
		if err != nil {
			return err
		}
		got, err := status.Compute(u)
		if err != nil {
			return err
		}
		message = got.Message
		// Before its first visit an object has no conditions, which reads as Current.
		if conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions"); got.Status != want || len(conditions) == 0 {
			return fmt.Errorf("kstatus says %s: %s\n%s", got.Status, got.Message, dump(u))
		}
		return nil
	})
	w.refresh(o)
	return message
}

func (w *world) raw(o client.Object) (*unstructured.Unstructured, error) {
	gvk, err := apiutil.GVKForObject(o, scheme)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	return u, w.Get(w.Context(), client.ObjectKeyFromObject(o), u)
}

func dump(u *unstructured.Unstructured) string {
	text, err := yaml.Marshal(u.Object["status"])
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (w *world) refresh(o client.Object) {
	w.Helper()
	if err := w.Get(w.Context(), client.ObjectKeyFromObject(o), o); err != nil {
		w.Fatalf("read %s: %v", o.GetName(), err)
	}
}

// ExpectCondition waits for a condition whose message holds the given texts.
func (w *world) ExpectCondition(o conditioned, kind string, is metav1.ConditionStatus, reason string, texts ...string) {
	w.Helper()
	w.Eventually(fmt.Sprintf("%s: %s=%s (%s)", o.GetName(), kind, is, reason), func() error {
		if err := w.Get(w.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		c := meta.FindStatusCondition(o.GetConditions(), kind)
		if c == nil || c.Status != is || c.Reason != reason || c.ObservedGeneration != o.GetGeneration() {
			return fmt.Errorf("conditions are %+v", o.GetConditions())
		}
		for _, text := range texts {
			if !strings.Contains(c.Message, text) {
				return fmt.Errorf("%q doesn't name %q", c.Message, text)
			}
		}
		return nil
	})
}

// ExpectGone waits until an object no longer exists.
func (w *world) ExpectGone(o client.Object) {
	w.Helper()
	w.Eventually(o.GetName()+" is gone", func() error {
		err := w.Get(w.Context(), client.ObjectKeyFromObject(o), o)
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("still there, finalizers %v", o.GetFinalizers())
	})
}

// ExpectDeleted asks for the deletion of an object.
func (w *world) ExpectDeleted(o client.Object) {
	w.Helper()
	if err := w.Delete(w.Context(), o); err != nil {
		w.Fatalf("delete %s: %v", o.GetName(), err)
	}
}

// ExpectEvent waits for an event about an object.
func (w *world) ExpectEvent(o client.Object, kind, reason string) string {
	w.Helper()
	note := ""
	w.Eventually(fmt.Sprintf("event %s about %s", reason, o.GetName()), func() error {
		var all eventsv1.EventList
		if err := w.List(w.Context(), &all, client.InNamespace(w.namespace)); err != nil {
			return err
		}
		var seen []string
		for _, e := range all.Items {
			if e.Regarding.Name != o.GetName() {
				continue
			}
			if e.Reason == reason && e.Type == kind {
				note = e.Note
				return nil
			}
			seen = append(seen, e.Type+" "+e.Reason+": "+e.Note)
		}
		return fmt.Errorf("events are %q", seen)
	})
	return note
}

// ExpectRest fails if anything of ours in the namespace is written within d: a
// healthy object costs no write.
func (w *world) ExpectRest(d time.Duration) {
	w.Helper()
	var wg sync.WaitGroup
	until := make(chan struct{})
	for _, list := range []client.ObjectList{
		&v1alpha1.CollectionList{}, &v1alpha1.CorpusList{}, &v1alpha1.GoldenSetList{},
		&corev1.ConfigMapList{}, &appsv1.ControllerRevisionList{}, &eventsv1.EventList{},
	} {
		if err := w.List(w.Context(), list, client.InNamespace(w.namespace)); err != nil {
			w.Fatalf("list: %v", err)
		}
		watcher, err := w.Watch(w.Context(), list, client.InNamespace(w.namespace), &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}})
		if err != nil {
			w.Fatalf("watch: %v", err)
		}
		defer watcher.Stop()
		wg.Go(func() { w.expectSilence(until, watcher) })
	}
	time.Sleep(d)
	close(until)
	wg.Wait()
}

func (w *world) expectSilence(until <-chan struct{}, watcher watch.Interface) {
	for {
		select {
		case <-until:
			return
		case e, open := <-watcher.ResultChan():
			if !open {
				return
			}
			if o, ok := e.Object.(client.Object); ok {
				text, err := yaml.Marshal(o)
				w.Errorf("at rest, %T %q was %s: %s (%v)", o, o.GetName(), e.Type, text, err)
			}
		}
	}
}

// Record collects every state that an object passes through from now on.
func (w *world) Record(list client.ObjectList) func() []client.Object {
	w.Helper()
	if err := w.List(w.Context(), list, client.InNamespace(w.namespace)); err != nil {
		w.Fatalf("list: %v", err)
	}
	watcher, err := w.Watch(w.Context(), list, client.InNamespace(w.namespace), &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}})
	if err != nil {
		w.Fatalf("watch: %v", err)
	}
	var mu sync.Mutex
	var states []client.Object
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range watcher.ResultChan() {
			if o, ok := e.Object.(client.Object); ok {
				mu.Lock()
				states = append(states, o)
				mu.Unlock()
			}
		}
	}()
	w.Cleanup(func() { watcher.Stop(); <-done })
	return func() []client.Object {
		mu.Lock()
		defer mu.Unlock()
		return append([]client.Object(nil), states...)
	}
}

// expectNoEvent fails if there is an event of that reason about an object.
func (w *world) expectNoEvent(o client.Object, reason string) {
	w.Helper()
	var all eventsv1.EventList
	if err := w.List(w.Context(), &all, client.InNamespace(w.namespace)); err != nil {
		w.Fatal(err)
	}
	for _, e := range all.Items {
		if e.Regarding.Name == o.GetName() && e.Reason == reason {
			w.Errorf("%s: %s", e.Reason, e.Note)
		}
	}
}
