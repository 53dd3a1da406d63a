package durability

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// cleanupContext outlives the test.
func (d *desk) cleanupContext() context.Context { return context.WithoutCancel(d.Context()) }

// TestManagerKilled kills the manager at random moments of one ingest, from before
// its first fetch to behind its last, and lets the last one finish.
func TestManagerKilled(t *testing.T) {
	s := *seed
	if s == 0 {
		s = rand.Uint64()
	}
	t.Logf("-seed %d -kills %d", s, *kills)
	random := rand.New(rand.NewPCG(s, 0))

	undisturbed := newDesk(t, 0)
	p := start(t, undisturbed.data)
	undisturbed.ready(p)
	p.kill()
	want := undisturbed.read()
	undisturbed.retire()

	d := newDesk(t, 40*time.Millisecond)
	acknowledged := 0
	for n := range *kills {
		before := d.read().committed()
		d.bucket.forget()
		p := start(t, d.data)
		d.await(p, random, len(before) < documents)
		p.kill()
		after := d.read()
		acknowledged = len(after.committed())
		fetched := d.unrepeated(before)
		t.Logf("kill %d: %d fetched, %d of %d documents were acknowledged, %d points", n+1, fetched, acknowledged, documents, len(after.points))
	}
	if acknowledged == 0 {
		t.Error("nothing was ever acknowledged before the last start: the kills came too early to show anything")
	}
	before := d.read().committed()
	d.bucket.forget()
	p = start(t, d.data)
	d.ready(p)
	p.kill()
	d.unrepeated(before)

	got := d.read()
	if faults := got.faults(); len(faults) > 0 {
		t.Errorf("points that should not be: %q", faults)
	}
	if diff := cmp.Diff(want.texts(t), got.texts(t)); diff != "" {
		t.Errorf("other points than without a kill (-undisturbed +killed):\n%s", diff)
	}
	if st := d.corpus.Status; st.Active.Revision != 1 || st.Active.Documents != documents {
		t.Errorf("revision %d of %d documents serves, want 1 of %d", st.Active.Revision, st.Active.Documents, documents)
	}
}

// fetchPatience is how long the next fetch may take on a busy machine, as long as
// something is left to fetch.
const fetchPatience = 30 * time.Second

// await waits for a random moment: soon after the start, or some documents on.
func (d *desk) await(p *process, random *rand.Rand, left bool) {
	d.Helper()
	if random.IntN(4) == 0 {
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		return
	}
	enough := time.After(time.Duration(2000+random.IntN(1500)) * time.Millisecond)
	if left {
		enough = time.After(fetchPatience)
	}
	for range 2 + random.IntN(8) { // two are read at a time, so that the third follows a commit
		select {
		case <-d.bucket.seen:
		case <-p.ended:
			d.Fatalf("the manager ended by itself:\n%s", p.tail())
		case <-enough:
			return
		}
	}
	time.Sleep(time.Duration(random.IntN(120)) * time.Millisecond)
}

// unrepeated fails if what was acknowledged before was fetched since, and returns
// how many objects were. What is not
// fetched is not embedded either: a vector is made from the file that was read.
func (d *desk) unrepeated(acknowledged []string) (all int) {
	d.Helper()
	fetched := d.bucket.forget()
	for _, k := range acknowledged {
		if n := fetched["memos/"+k]; n > 0 {
			d.Errorf("%s was acknowledged, and fetched %d times more", k, n)
		}
	}
	return len(fetched)
}
