package evaluate

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Validate refuses a key by which nothing, or not everything that it names,
// would be judged: no question, a class without one, a requirement on a setting
// that doesn't exist. A key that settings decoded has passed most of this; one
// that was put together otherwise has not. The error is an *InvalidSetError.
func Validate(s Set) error {
	e := &InvalidSetError{Set: s.Name}
	if _, err := s.Key.Complete(nil); err != nil {
		var invalid settings.InvalidError
		if errors.As(err, &invalid) {
			for _, p := range invalid {
				e.Problems = append(e.Problems, p.Path+": "+p.Message)
			}
		} else {
			e.Problems = append(e.Problems, err.Error())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Key.Requires)) {
		if !slices.Contains(settings.SettingNames(), name) {
			e.Problems = append(e.Problems, "spec.requires."+name+": no such setting; known are "+strings.Join(settings.SettingNames(), ", "))
		}
	}
	for _, q := range s.Key.Questions {
		if a := q.Expect.Aggregate; a != nil {
			if _, ok := amount(a.Value); !ok {
				e.Problems = append(e.Problems, "spec.questions["+q.Name+"].expect.aggregate.value: \""+a.Value+"\" is not one number as it is printed, such as \"4,23,590\" or \"$1,000.50\"")
			}
		}
	}
	if len(e.Problems) > 0 {
		return e
	}
	return nil
}
