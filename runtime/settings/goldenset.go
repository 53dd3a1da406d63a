package settings

// GoldenSet is the answer key.
type GoldenSet struct {
	Questions      []GoldenQuestion      `json:"questions,omitempty"`
	QuestionsFrom  *QuestionsFrom        `json:"questionsFrom,omitempty"`
	Compare        []string              `json:"compare,omitempty"`
	Cutoffs        []int                 `json:"cutoffs,omitempty"`
	Thresholds     Thresholds            `json:"thresholds"`
	PerClass       map[string]Thresholds `json:"perClass,omitempty"` // nil thresholds are not judged per class
	RequireClasses []string              `json:"requireClasses,omitempty"`
	Requires       map[string]string     `json:"requires,omitempty"` // asserted on the running config, see Corpus.Setting

	// Repeat is the runs per question; one is enough while every generator is
	// deterministic, so the spec has no field for it.
	Repeat int `json:"-"`
}

// QuestionsFrom names further questions; DecodeQuestions reads them, Complete
// joins them to the set.
type QuestionsFrom struct {
	ConfigMapRef KeyReference `json:"configMapRef"`
}

// GoldenQuestion is one question of the key.
type GoldenQuestion struct {
	Name     string `json:"name"`
	Class    string `json:"class"`
	Question string `json:"question"`
	As       As     `json:"as"`
	Expect   Expect `json:"expect"`
}

// As is the identity and instant a golden question is asked with.
type As struct {
	Tenant string              `json:"tenant,omitempty"`
	Groups []string            `json:"groups,omitempty"`
	Claims map[string][]string `json:"claims,omitempty"`
	AsOf   string              `json:"asOf,omitempty"` // RFC 3339 or YYYY-MM-DD
}

// Expect is what must come true.
type Expect struct {
	Status    string     `json:"status,omitempty"` // Answered | NeedsHuman
	Evidence  []string   `json:"evidence,omitempty"`
	Missing   []string   `json:"missing,omitempty"`
	Forbidden []string   `json:"forbidden,omitempty"`
	Facts     []Fact     `json:"facts,omitempty"`
	Entities  *Entities  `json:"entities,omitempty"`
	Aggregate *Aggregate `json:"aggregate,omitempty"`
}

// Fact is met by any of its wordings.
type Fact struct {
	AnyOf []string `json:"anyOf"`
}

// Entities must survive every stage: Values, or Count distinct matches of Pattern.
type Entities struct {
	Values  []string `json:"values,omitempty"`
	Pattern string   `json:"pattern,omitempty"`
	Count   int      `json:"count,omitempty"`
}

// Aggregate is checked against the extracted table: each addend or key must reach the prompt.
type Aggregate struct {
	Op     string            `json:"op"` // Sum | DistinctCount
	Column string            `json:"column"`
	Where  map[string]string `json:"where,omitempty"`
	Value  string            `json:"value"`
}

// Thresholds of a gate. Decoded, those of the whole set are all present: one
// left out has its strictest value.
type Thresholds struct {
	Accuracy         *Decimal `json:"accuracy,omitempty"`
	Completeness     *Decimal `json:"completeness,omitempty"`
	Survival         *Decimal `json:"survival,omitempty"`
	Citations        *Decimal `json:"citations,omitempty"`
	HandOffs         *Decimal `json:"handOffs,omitempty"`
	ConfidentlyWrong *int     `json:"confidentlyWrong,omitempty"`
	Forbidden        *int     `json:"forbidden,omitempty"`
	Degraded         *int     `json:"degraded,omitempty"`
}
