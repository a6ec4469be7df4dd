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

// A Range contains the values that trials sample for a parameter: an interval or a list of choices.
// [ParseSpace] parses ranges.
type Range struct {
	// Name is one of [ParameterNames]. simdrank train has flags with the same names.
	Name string

	low, high float64
	log       bool      // whether the logarithms of values are sampled uniformly, instead of the values
	choices   []float64 // sampled uniformly, instead of the interval; nil if there are none
}

// String returns the range in the form that [ParseSpace] accepts.
func (r Range) String() string {
	if r.choices != nil {
		words := make([]string, len(r.choices))
		for i, v := range r.choices {
			words[i] = r.Format(v)
		}
		return r.Name + "=" + strings.Join(words, "|")
	}
	text := r.Name + "=" + formatValue(r.low) + ":" + formatValue(r.high)
	if r.log {
		text += ":log"
	}
	return text
}

// Format formats a value of a [Trial] as the flag with the name of the range accepts it. The values
// of objective and loss are indices of names.
func (r Range) Format(v float64) string {
	if p := parameterOf(r.Name); p != nil && p.words != nil && v >= 0 && int(v) < len(p.words) {
		return p.words[int(v)]
	}
	return formatValue(v)
}

// formatValue formats a value with the fewest digits that represent it exactly.
func formatValue(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A parameter is a hyperparameter that trials can sample.
type parameter struct {
	name      string
	integer   bool
	words     []string // names of the values 0, 1, …; nil if the values are numbers
	low, high float64  // smallest and largest value that the ranker accepts
	above     bool     // whether values must be greater than low, not only equal to it
	svm       func(s *rank.RankSVM, v float64)
	trees     func(t *lambdamart.Trainer, v float64)
}

var losses, objectives = rank.OptionWords("loss"), lambdamart.OptionWords("objective")

// parameters lists all parameters. A parameter has the same meaning as the flag with its name.
var parameters = []parameter{
	{name: "c", high: math.MaxFloat64, above: true, svm: func(s *rank.RankSVM, v float64) { s.C = v }},
	{name: "loss", integer: true, words: losses, high: float64(len(losses) - 1),
		svm: func(s *rank.RankSVM, v float64) { s.Loss = losses[int(v)] }},
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
	{name: "objective", integer: true, words: objectives, high: float64(len(objectives) - 1),
		trees: func(t *lambdamart.Trainer, v float64) { t.Objective = lambdamart.Builtin(v) }},
}

// ParameterNames returns the names of all parameters of a ranker that a [Range] may have. Valid
// rankers are ranksvm and lambdamart.
func ParameterNames(ranker string) (names []string) {
	for _, p := range parameters {
		if p.svm != nil && ranker == "ranksvm" || p.trees != nil && ranker == "lambdamart" {
			names = append(names, p.name)
		}
	}
	return names
}

// parameterOf returns the parameter with the given name, or nil if there is none.
func parameterOf(name string) *parameter {
	i := slices.IndexFunc(parameters, func(p parameter) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return &parameters[i]
}

// ParseSpace parses ranges that are separated by commas. Each has the form NAME=LOW:HIGH,
// NAME=LOW:HIGH:log or NAME=CHOICE|CHOICE, as in leaves=15|31|63,learning-rate=0.02:0.3:log. Trials
// sample values uniformly from LOW to HIGH. With log, the logarithms of the values are sampled
// uniformly. Choices have the same probability; objective and loss require choices. The text none
// returns an empty space.
func ParseSpace(list string) ([]Range, error) {
	space := []Range{}
	if strings.TrimSpace(list) == "none" {
		return space, nil
	}
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		fail := func(err error) ([]Range, error) { return nil, errs.Errorf("tune", "range %q: %w", one, err) }
		name, values, found := strings.Cut(one, "=")
		name = strings.TrimSpace(name)
		if p := parameterOf(name); strings.Contains(values, "|") || p != nil && p.words != nil {
			r, err := parseChoices(name, values)
			if err != nil {
				return fail(err)
			}
			space = append(space, r)
			continue
		}
		bounds := strings.Split(values, ":")
		log := len(bounds) == 3 && bounds[2] == "log"
		if !found || len(bounds) != 2 && !log {
			return fail(errors.New("it must have the form NAME=LOW:HIGH, NAME=LOW:HIGH:log or NAME=CHOICE|CHOICE"))
		}
		var of [2]float64
		for i := range of {
			var err error
			if of[i], err = text.ParseNumber(bounds[i], 64); err != nil {
				return fail(fmt.Errorf("%q is not a number", bounds[i]))
			}
		}
		r := Range{name, of[0], of[1], log, nil}
		if err := r.check(); err != nil {
			return fail(err)
		}
		space = append(space, r)
	}
	return space, checkTwice(space)
}

// parseChoices parses choices that are separated by vertical bars.
func parseChoices(name, list string) (Range, error) {
	r := Range{Name: name}
	p := parameterOf(name)
	if p == nil {
		return r, r.check()
	}
	for word := range strings.SplitSeq(list, "|") {
		word = strings.TrimSpace(word)
		v := float64(slices.Index(p.words, word))
		if p.words != nil && v < 0 {
			return r, fmt.Errorf("%q must be one of %s", word, strings.Join(p.words, ", "))
		}
		if p.words == nil {
			var err error
			if v, err = text.ParseNumber(word, 64); err != nil {
				return r, fmt.Errorf("%q is not a number", word)
			}
		}
		if slices.Contains(r.choices, v) {
			return r, fmt.Errorf("the choice %s is given twice", word)
		}
		r.choices = append(r.choices, v)
	}
	return r, r.check()
}

// checkTwice returns an error if two ranges have the same name.
func checkTwice(space []Range) error {
	for i, r := range space {
		if slices.ContainsFunc(space[:i], func(other Range) bool { return other.Name == r.Name }) {
			return errs.Errorf("tune", "%s has two ranges", r.Name)
		}
	}
	return nil
}

// check returns an error unless the ranker accepts all values of the range.
func (r Range) check() error {
	if r.choices != nil {
		for _, v := range r.choices {
			if err := (Range{Name: r.Name, low: v, high: v}).check(); err != nil {
				return fmt.Errorf("choice %v: %w", v, err)
			}
		}
		return nil
	}
	p := parameterOf(r.Name)
	switch whole := func(v float64) bool { return v == math.Trunc(v) }; {
	case p == nil:
		return fmt.Errorf("%q is not a parameter: use one of %s or, for RankSVM, %s", r.Name,
			strings.Join(ParameterNames("lambdamart"), ", "), strings.Join(ParameterNames("ranksvm"), ", "))
	case p.above && !(r.low > p.low):
		return fmt.Errorf("the lower limit is %v; it must be greater than %v", r.low, p.low)
	case !(r.low >= p.low):
		return fmt.Errorf("the lower limit is %v; it must be at least %v", r.low, p.low)
	case !(r.high <= p.high):
		return fmt.Errorf("the upper limit is %v; it must be at most %v", r.high, p.high)
	case r.low > r.high:
		return fmt.Errorf("the lower limit %v is greater than the upper limit %v", r.low, r.high)
	case r.log && r.low == 0:
		return errors.New("the lower limit of a log range must be positive")
	case p.integer && !(whole(r.low) && whole(r.high)):
		return errors.New("the limits must be integers")
	}
	return nil
}

// DefaultSpace returns the ranges that a search uses if Space is nil:
//
//	RankSVM                 c=1e-05:100:log
//	trees                   learning-rate=0.02:0.3:log
//	                        leaves=7:127:log, or depth=3:8 with DepthWise
//	                        min-rows=1:100:log
//	                        l2=0.01:100:log
//	                        feature-fraction=0.5:1
func (s *Study) DefaultSpace() []Range {
	if s.LambdaMART == nil {
		return []Range{{"c", 1e-5, 100, true, nil}}
	}
	size := Range{"leaves", 7, 127, true, nil}
	if s.LambdaMART.DepthWise {
		size = Range{"depth", 3, 8, false, nil}
	}
	return []Range{{"learning-rate", 0.02, 0.3, true, nil}, size, {"min-rows", 1, 100, true, nil},
		{"l2", 0.01, 100, true, nil},
		{"feature-fraction", 0.5, 1, false, nil}}
}

// draw samples the parameters of a trial, in the order of the space. The parameters depend only on
// the seed and the number of the trial. Values of parameters that need not be integers are rounded
// to four significant digits, and then limited to the range.
func draw(space []Range, seed uint64, trial int) []float64 {
	stream := num.SplitMix(num.Mix(seed ^ num.Mix(uint64(trial)+num.Golden)))
	values := make([]float64, len(space))
	for i, r := range space {
		u := stream.Float64()
		if n := len(r.choices); n > 0 {
			values[i] = r.choices[min(int(float64(u*float64(n))), n-1)]
			continue
		}
		low, high := r.low, r.high
		integer := parameterOf(r.Name).integer
		if integer { // give all integers, including the ends of the range, the same probability
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
