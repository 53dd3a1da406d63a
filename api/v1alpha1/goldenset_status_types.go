package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// GoldenSetStatus is what the golden set found.
type GoldenSetStatus struct {
	// ObservedGeneration is the generation of the spec that was last acted on.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// LastHandledReconcileAt echoes the last reconcile request by annotation.
	// +optional
	LastHandledReconcileAt string `json:"lastHandledReconcileAt,omitempty"`

	// Conditions of the golden set: Ready, Reconciling, Stalled. Ready speaks of
	// the set itself, not of what it found.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Questions in the set, those of questionsFrom included.
	// +optional
	Questions int64 `json:"questions,omitempty"`

	// Hash of the questions and thresholds.
	// +optional
	Hash string `json:"hash,omitempty"`

	// Running are evaluations that have not finished.
	// +optional
	// +listType=map
	// +listMapKey=corpus
	Running []Evaluation `json:"running,omitempty"`

	// Results, the newest of each corpus.
	// +optional
	// +listType=map
	// +listMapKey=corpus
	Results []GoldenResult `json:"results,omitempty"`
}

// Evaluation is a run that has not finished.
type Evaluation struct {
	// Corpus that is asked.
	Corpus string `json:"corpus"`
	// Revision that is asked.
	Revision int64 `json:"revision"`
	// Freeze of the run.
	Freeze string `json:"freeze"`
	// Progress as asked/all questions.
	// +optional
	Progress string `json:"progress,omitempty"`
	// Attempts that were made.
	// +optional
	Attempts int32 `json:"attempts,omitempty"`
	// Message is why the last attempt didn't finish.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
}

// GoldenResult is a verdict on one revision of one corpus.
type GoldenResult struct {
	// Corpus that was asked.
	Corpus string `json:"corpus"`
	// Revision that was asked.
	Revision int64 `json:"revision"`
	// Freeze is the hash of code, configuration, questions and source, taken
	// before the run.
	Freeze string `json:"freeze"`
	// Passed says whether every threshold was met.
	Passed bool `json:"passed"`
	// Receipt is the ConfigMap that keeps the verdicts.
	// +optional
	Receipt string `json:"receipt,omitempty"`
	// QuestionsPassed counts the questions that passed in the corpus' own mode.
	// +optional
	QuestionsPassed int64 `json:"questionsPassed,omitempty"`
	// Questions that were asked.
	// +optional
	Questions int64 `json:"questions,omitempty"`
	// ConfidentlyWrong counts answers that were given but fail the key.
	// +optional
	ConfidentlyWrong int64 `json:"confidentlyWrong,omitempty"`
	// Survival is the share of named entities that reached the prompt, 0 to 1.
	// +optional
	Survival string `json:"survival,omitempty"`
	// FinishedAt is when the run ended.
	// +optional
	FinishedAt metav1.Time `json:"finishedAt,omitempty,omitzero"`
	// Message sums up a failure: question, stage of the first loss, what was lost.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Message string `json:"message,omitempty"`
	// Failures are the first 20.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=20
	Failures []QuestionFailure `json:"failures,omitempty"`
}

// QuestionFailure is why one question failed.
type QuestionFailure struct {
	// Question by name; empty for a threshold or a requirement of the whole set.
	// +optional
	Question string `json:"question,omitempty"`
	// Stage at which it was lost.
	// +optional
	Stage string `json:"stage,omitempty"`
	// Reason in CamelCase.
	Reason string `json:"reason"`
	// Message for people.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Message string `json:"message,omitempty"`
}
