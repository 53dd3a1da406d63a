package layout

import (
	"math"
	"strconv"
	"strings"
)

// The numbers of a chart stand in no table: its scales count down evenly, and
// the values beside its bars and points are scattered.
const (
	chartNumbers = 0.8 // of scattered values are numbers …
	chartFilled  = 0.5 // … in fewer cells than this share
	scaleTicks   = 4   // ticks of a scale at least …
	scaleShare   = 0.6 // … and of the rows
	scales       = 2   // at the left and at the right
	scaleSlack   = 1e-6
)

// charted reports whether what stands in columns is the text of a chart.
func charted(lines []record) bool { return scattered(lines) || scaled(lines) }

// scattered reports whether numbers fill few of the cells, and none of the rows
// names several of them.
func scattered(lines []record) bool {
	cells, filled, numbers := 0, 0, 0
	for i := range lines {
		here := 0
		for k := range lines[i].cells {
			if s := lines[i].cells[k].Text; s != "" && numeric(s) {
				here++
			}
		}
		if here > 1 && here < lines[i].filled {
			return false
		}
		cells, filled, numbers = cells+len(lines[i].cells), filled+lines[i].filled, numbers+here
	}
	return float64(filled) < chartFilled*float64(cells) && float64(numbers) >= chartNumbers*float64(filled)
}

// scaled reports whether the rows are the ticks of one or two scales.
func scaled(lines []record) bool {
	if len(lines[0].cells) > scales {
		return false
	}
	ticks, steps := 0, make([]float64, len(lines[0].cells))
	var last []float64
	for i := range lines {
		values := lines[i].ticks()
		if values == nil {
			continue
		}
		for k := range last {
			switch step := values[k] - last[k]; {
			case step >= 0, ticks > 1 && math.Abs(step-steps[k]) > scaleSlack*math.Abs(step):
				return false
			default:
				steps[k] = step
			}
		}
		last, ticks = values, ticks+1
	}
	return ticks >= scaleTicks && float64(ticks) >= scaleShare*float64(len(lines))
}

// ticks are the row's numbers, nil unless each of its cells holds one.
func (r *record) ticks() []float64 {
	out := make([]float64, len(r.cells))
	for k := range r.cells {
		v, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "", "%", "", "$", "").Replace(r.cells[k].Text), 64)
		if err != nil {
			return nil
		}
		out[k] = v
	}
	return out
}
