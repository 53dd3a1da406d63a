package serving_test

import (
	"strconv"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/runtime/serve"
)

func TestRegistry(t *testing.T) {
	r := serving.New()
	name := types.NamespacedName{Namespace: "hr", Name: "payroll"}
	if _, found := r.Lookup("hr", "payroll"); found {
		t.Error("an empty registry has a corpus")
	}
	r.Put(name, serve.Corpus{Reason: "Ingesting"})
	r.Put(name, serve.Corpus{Revision: 7})
	if c, found := r.Lookup("hr", "payroll"); !found || c.Revision != 7 || c.Reason != "" {
		t.Errorf("the last state is the whole state, not %+v", c)
	}
	for _, other := range [][2]string{{"it", "payroll"}, {"hr", "wages"}, {"payroll", "hr"}} {
		if _, found := r.Lookup(other[0], other[1]); found {
			t.Errorf("%v is another corpus", other)
		}
	}
	r.Remove(name)
	r.Remove(name)
	if _, found := r.Lookup("hr", "payroll"); found {
		t.Error("a corpus that was deleted still answers")
	}
}

// TestConcurrency means something under the race detector.
func TestConcurrency(t *testing.T) {
	r := serving.New()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := types.NamespacedName{Namespace: "hr", Name: strconv.Itoa(i % 2)}
			for n := range int64(200) {
				r.Put(name, serve.Corpus{Revision: n + 1})
				if c, found := r.Lookup(name.Namespace, name.Name); found && c.Revision == 0 {
					t.Error("half a state was seen")
				}
				if n%50 == 0 {
					r.Remove(name)
				}
			}
		})
	}
	wg.Wait()
}
