// Package v1alpha1 is the API of Hardgate: Collection, Corpus and GoldenSet.
//
// What a single object can get wrong is refused at admission, by the schema or
// by a rule whose message names the field. What spans objects is judged when
// they are reconciled, because they may be applied in any order.
//
// +kubebuilder:object:generate=true
// +groupName=rag.hardgate.dev
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Group is the API group of every kind.
const Group = "rag.hardgate.dev"

// GroupVersion names this version of the group.
var GroupVersion = schema.GroupVersion{Group: Group, Version: "v1alpha1"} //nolint:gochecknoglobals // a constant in all but its type

// AddToScheme makes the kinds known to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion,
		&Collection{}, &CollectionList{},
		&Corpus{}, &CorpusList{},
		&GoldenSet{}, &GoldenSetList{},
	)
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}
