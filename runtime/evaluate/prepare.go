package evaluate

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// runner is one evaluation under way.
type runner struct {
	cfg       Config
	asker     Asker
	corpus    *corpus
	predicate *Predicate
	sets      []set
	own       rag.Mode
	topK      int
	start     time.Time
	inputs    Inputs
	freeze    string

	mu          sync.Mutex
	done, total int
}

// prepare checks everything that can be checked before a question is asked.
func prepare(cfg Config, asker Asker) (*runner, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Concurrency <= 0 {
		cfg.Concurrency = defaultConcurrency
	}
	r := &runner{cfg: cfg, asker: asker, start: cfg.Now().UTC(), own: rag.Mode(cfg.Settings.Pipeline.Retrieval.Mode), topK: cfg.Settings.Pipeline.Retrieval.TopK}
	if r.own == "" {
		r.own = rag.Hybrid
	}
	var err error
	if r.predicate, err = NewPredicate(cfg.Settings.Eligibility); err != nil {
		return nil, err
	}
	if len(cfg.Sets) == 0 {
		return nil, &InvalidSetError{Problems: []string{"gate.goldenSets: no golden set, so nothing would be judged"}}
	}
	for _, s := range cfg.Sets {
		if err := Validate(s); err != nil {
			return nil, err
		}
		c, err := r.compile(s)
		if err != nil {
			return nil, err
		}
		r.sets = append(r.sets, c)
		r.total += len(c.items) * (len(c.modes) + cfg.more(c)) * c.repeat
	}
	if r.inputs, err = cfg.Inputs.complete(cfg.Settings, cfg.Sets); err != nil {
		return nil, err
	}
	r.freeze = r.inputs.Freeze()
	if cfg.Freeze != "" && cfg.Freeze != r.freeze {
		return nil, &FreezeChangedError{Published: cfg.Freeze, Found: r.freeze}
	}
	return r, cfg.Budget.check(r.total)
}

// more is how many times over a set is asked for the variants.
func (cfg Config) more(c set) int {
	if len(cfg.Variants) == 0 {
		return 0
	}
	n := 0
	for _, v := range cfg.Variants {
		if v.Asker != nil || !slices.Contains(c.modes, v.Mode) {
			n++
		}
	}
	return n + count(cfg.Settings.Pipeline.Generation.Kind() == extractive)
}

// set is a compiled answer key.
type set struct {
	Set
	items  []item
	modes  []rag.Mode // the corpus' own first
	repeat int
}

func (r *runner) compile(s Set) (set, error) {
	c := set{Set: s, modes: []rag.Mode{r.own}, repeat: max(1, s.Key.Repeat)}
	others := r.cfg.Modes
	if others == nil {
		for _, m := range s.Key.Compare {
			others = append(others, rag.Mode(m))
		}
	}
	for _, m := range others {
		if !slices.Contains(c.modes, m) {
			c.modes = append(c.modes, m)
		}
	}
	for _, q := range s.Key.Questions {
		it, err := newItem(q, r.start)
		if err != nil {
			return c, fmt.Errorf("golden set %s, question %s: %w", s.Name, q.Name, err)
		}
		c.items = append(c.items, it)
	}
	return c, nil
}
