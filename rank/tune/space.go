package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

// A Range is the values that trials draw for a parameter, as [ParseSpace] reads it.
type Range struct {
	Name string // one of [ParameterNames], as the flags of simdrank train are called

	low, high float64
	log       bool // the logarithms are drawn uniformly, not the values
}

// String returns the range as [ParseSpace] reads it.
func (r Range) String() string {
	text := r.Name + "=" + formatValue(r.low) + ":" + formatValue(r.high)
	if r.log {
		text += ":log"
	}
	return text
}

// formatValue writes a value in as few digits as it takes to read the same bits.
func formatValue(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A parameter is what trials can draw.
type parameter struct {
	name      string
	integer   bool
	low, high float64 // bounds of what the ranker takes
	above     bool    // the lower bound itself is too low
	svm       func(s *rank.RankSVM, v float64)
	trees     func(t *lambdamart.Trainer, v float64)
}

// parameters mean what the flags of their names do.
var parameters = []parameter{
	{name: "c", high: math.MaxFloat64, above: true, svm: func(s *rank.RankSVM, v float64) { s.C = v }},
	{name: "learning-rate", high: math.MaxFloat64, above: true,
		trees: func(t *lambdamart.Trainer, v float64) { t.LearningRate = v }},
	{name: "leaves", integer: true, low: 2, high: math.MaxInt32,
		trees: func(t *lambdamart.Trainer, v float64) { t.Leaves = int(v) }},
	{name: "depth", integer: true, low: 1, high: math.MaxInt32,
		trees: func(t *lambdamart.Trainer, v float64) { t.Depth = int(v) }},
	{name: "min-rows", integer: true, low: 1, high: math.MaxInt32,
		trees: func(t *lambdamart.Trainer, v float64) { t.MinRows = int(v) }},
	{name: "min-hessian", high: math.MaxFloat64, trees: func(t *lambdamart.Trainer, v float64) { t.MinHessian = v }},
	{name: "min-gain", high: math.MaxFloat64, trees: func(t *lambdamart.Trainer, v float64) { t.MinGain = v }},
	{name: "l1", high: math.MaxFloat64, trees: func(t *lambdamart.Trainer, v float64) { t.L1 = v }},
	{name: "l2", high: math.MaxFloat64, trees: func(t *lambdamart.Trainer, v float64) { t.L2 = v }},
	{name: "query-fraction", high: 1, above: true,
		trees: func(t *lambdamart.Trainer, v float64) { t.QueryFraction = v }},
	{name: "row-fraction", high: 1, above: true,
		trees: func(t *lambdamart.Trainer, v float64) { t.RowFraction = v }},
	{name: "feature-fraction", high: 1, above: true,
		trees: func(t *lambdamart.Trainer, v float64) { t.FeatureFraction = v }},
	{name: "bins", integer: true, low: 2, high: 255, trees: func(t *lambdamart.Trainer, v float64) { t.Bins = int(v) }},
	{name: "truncation", integer: true, low: 1, high: math.MaxInt32,
		trees: func(t *lambdamart.Trainer, v float64) { t.Truncation = int(v) }},
	{name: "sigmoid", high: math.MaxFloat64, above: true,
		trees: func(t *lambdamart.Trainer, v float64) { t.Sigmoid = v }},
}

// ParameterNames returns the names of all parameters of a ranker that a [Range] may have. The
// ranker is ranksvm or lambdamart.
func ParameterNames(ranker string) (names []string) {
	for _, p := range parameters {
		if p.svm != nil && ranker == "ranksvm" || p.trees != nil && ranker == "lambdamart" {
			names = append(names, p.name)
		}
	}
	return names
}

// parameterOf returns the parameter of a name, nil for none.
func parameterOf(name string) *parameter {
	i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &parameters[i]
}

// ParseSpace reads ranges between commas, each NAME=LOW:HIGH or NAME=LOW:HIGH:log, as in
// leaves=7:63,learning-rate=.02:.3:log. Trials draw values uniformly from LOW to HIGH, or, with
// log, so that their logarithms are uniform. The word none is a space without ranges.
func ParseSpace(list string) ([]Range, error) {
	space := []Range{}
	if strings.TrimSpace(list) == "none" {
		return space, nil
	}
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		fail := func(err error) ([]Range, error) { return nil, errs.Errorf("tune", "range %q: %w", one, err) }
		name, values, found := strings.Cut(one, "=")
		bounds := strings.Split(values, ":")
		log := len(bounds) == 3 && bounds[2] == "log"
		if !found || len(bounds) != 2 && !log {
			return fail(errors.New("want NAME=LOW:HIGH or NAME=LOW:HIGH:log"))
		}
		var of [2]float64
		for i := range of {
			var err error
			if of[i], err = text.ParseNumber(bounds[i], 64); err != nil {
				return fail(fmt.Errorf("%q is not a number", bounds[i]))
			}
		}
		r := Range{strings.TrimSpace(name), of[0], of[1], log}
		if err := r.check(); err != nil {
			return fail(err)
		}
		space = append(space, r)
	}
	return space, checkTwice(space)
}

// checkTwice returns an error when two ranges have the same name.
func checkTwice(space []Range) error {
	for i, r := range space {
		if slices.ContainsFunc(space[:i], func(other Range) bool { return other.Name == r.Name }) {
			return errs.Errorf("tune", "two ranges of %s", r.Name)
		}
	}
	return nil
}

// check returns an error unless the range is one of values that the ranker takes.
func (r Range) check() error {
	p := parameterOf(r.Name)
	switch whole := func(v float64) bool { return v == math.Trunc(v) }; {
	case p == nil:
		return fmt.Errorf("%q is no parameter: want one of %s, or, for RankSVM, %s", r.Name,
			strings.Join(ParameterNames("lambdamart"), ", "), strings.Join(ParameterNames("ranksvm"), ", "))
	case p.above && !(r.low > p.low):
		return fmt.Errorf("%v is too low: want a number above %v", r.low, p.low)
	case !(r.low >= p.low):
		return fmt.Errorf("%v is too low: want a number from %v", r.low, p.low)
	case !(r.high <= p.high):
		return fmt.Errorf("%v is too high: want at most %v", r.high, p.high)
	case r.low > r.high:
		return fmt.Errorf("%v is above %v", r.low, r.high)
	case r.log && r.low == 0:
		return errors.New("0 has no logarithm")
	case p.integer && !(whole(r.low) && whole(r.high)):
		return errors.New("want integers")
	}
	return nil
}

// DefaultSpace returns the ranges of a search that names none:
//
//	RankSVM                 c=1e-05:100:log
//	trees                   learning-rate=0.02:0.3:log
//	                        leaves=7:127:log, with DepthWise depth=3:8
//	                        min-rows=1:100:log
//	                        l2=0.01:100:log
//	                        feature-fraction=0.5:1
func (s *Study) DefaultSpace() []Range {
	if s.LambdaMART == nil {
		return []Range{{"c", 1e-5, 100, true}}
	}
	size := Range{"leaves", 7, 127, true}
	if s.LambdaMART.DepthWise {
		size = Range{"depth", 3, 8, false}
	}
	return []Range{{"learning-rate", 0.02, 0.3, true}, size, {"min-rows", 1, 100, true}, {"l2", 0.01, 100, true},
		{"feature-fraction", 0.5, 1, false}}
}

// draw returns the parameters of a trial, in the order of the space. They depend on the seed and on
// the number of the trial alone. Those that are no integers have four significant digits, unless
// that leaves the range.
func draw(space []Range, seed uint64, trial int) []float64 {
	stream := num.SplitMix(num.Mix(seed ^ num.Mix(uint64(trial)+num.Golden)))
	values := make([]float64, len(space))
	for i, r := range space {
		u := stream.Float64()
		low, high := r.low, r.high
		integer := parameterOf(r.Name).integer
		if integer { // each integer has as much room as the next one
			low, high = low-0.5, high+0.5
		}
		var v float64
		if r.log {
			l := num.Log2(low)
			v = num.Exp2(l + float64(u*(num.Log2(high)-l)))
		} else {
			v = low + float64(u*(high-low))
		}
		if integer {
			v = math.Round(v)
		} else if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64); err == nil {
			v = short
		}
		values[i] = min(max(v, r.low), r.high)
	}
	return values
}
