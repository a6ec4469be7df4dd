package rank

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
)

// labeled returns a dataset of one query without features.
func labeled(labels, weights []float64) *Dataset {
	return &Dataset{Labels: labels, Weights: weights, Offsets: []int{0, len(labels)}, QueryIDs: []string{"1"}}
}

// TestCalibrationGolden compares calibrations with those of scikit-learn; see
// bench/peers/calibration/golden.py.
func TestCalibrationGolden(t *testing.T) {
	text, err := os.ReadFile("testdata/calibration.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name                    string
		Scores, Labels, Weights []float64
		Probes, Isotonic        []float64
		A, B                    float64
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			d := labeled(c.Labels, c.Weights)
			m, err := Calibrate(t.Context(), d, c.Scores, "isotonic", 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Validate(); err != nil {
				t.Error(err)
			}
			got := slices.Clone(c.Probes)
			m.Apply(got)
			for i, p := range got {
				if math.Abs(p-c.Isotonic[i]) > 1e-12 {
					t.Errorf("isotonic: the probability of %v is %v, want %v", c.Probes[i], p, c.Isotonic[i])
				}
			}
			if m, err = Calibrate(t.Context(), d, c.Scores, "platt", 1); err != nil {
				t.Fatal(err)
			}
			if math.Abs(m.Slope+c.A) > 1e-6*m.Slope || math.Abs(m.Intercept+c.B) > 1e-6 {
				t.Errorf("platt: slope %v and intercept %v, want %v and %v", m.Slope, m.Intercept, -c.A, -c.B)
			}
		})
	}
}

// drawn returns n documents with scores from −4 to 4, and a label that is relevant with a
// probability that depends on the score. The probability is not a logistic curve unless curved is
// false.
func drawn(n int, seed uint64, curved bool) (d *Dataset, scores, chances []float64) {
	random := num.SplitMix(seed)
	labels := make([]float64, n)
	for i := range labels {
		s := 8*random.Float64() - 4
		p := 1 / (1 + num.Exp(1-s))
		if curved {
			p = .1 + .6*p*p
		}
		if random.Float64() < p {
			labels[i] = 2
		}
		scores, chances = append(scores, s), append(chances, p)
	}
	return labeled(labels, nil), scores, chances
}

// expectedError returns the expected calibration error in ten bins of equal width.
func expectedError(probabilities, labels []float64) (e float64) {
	var sums [10]float64
	for i, p := range probabilities {
		relevant := 0.0
		if labels[i] >= 1 {
			relevant = 1
		}
		sums[min(int(10*p), 9)] += p - relevant
	}
	for _, sum := range sums {
		e += math.Abs(sum) / float64(len(labels))
	}
	return e
}

// TestCalibrationHeldOut measures calibrations on documents that they were not learned from.
func TestCalibrationHeldOut(t *testing.T) {
	for _, c := range []struct {
		method string
		curved bool
	}{{"isotonic", true}, {"isotonic", false}, {"platt", false}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			valid, scores, _ := drawn(4000, 1, c.curved)
			m, err := Calibrate(t.Context(), valid, scores, c.method, 1)
			if err != nil {
				t.Fatal(err)
			}
			test, held, chances := drawn(20000, 2, c.curved)
			before := slices.Clone(held)
			for i, s := range before {
				before[i] = 1 / (1 + num.Exp(-s))
			}
			m.Apply(held)
			was, is := expectedError(before, test.Labels), expectedError(held, test.Labels)
			if is > .02 || was < 3*is {
				t.Errorf("expected calibration error %v, of the logistic function %v", is, was)
			}
			mean := 0.0
			for i, p := range held {
				mean += math.Abs(p-chances[i]) / float64(len(held))
			}
			if mean > .03 {
				t.Errorf("the mean error of a probability is %v", mean)
			}
		})
	}
}

// TestCalibrationPinned compares bits with committed ones, which are the same on every machine.
func TestCalibrationPinned(t *testing.T) {
	d, scores, _ := drawn(500, 3, true)
	d.Weights = make([]float64, 500)
	for i := range d.Weights {
		d.Weights[i] = float64(i%7) / 3
	}
	for method, want := range map[string]uint64{"isotonic": 0xc18604e727c8041a, "platt": 0x60349392c096a964} {
		t.Run(method, func(t *testing.T) {
			m, err := Calibrate(t.Context(), d, scores, method, 1)
			if err != nil {
				t.Fatal(err)
			}
			probabilities := slices.Clone(scores)
			m.Apply(probabilities)
			key := uint64(0)
			for _, p := range append(probabilities, m.Slope, m.Intercept) {
				key = num.Mix(key + math.Float64bits(p))
			}
			if key != want {
				t.Errorf("%#x, want %#x", key, want)
			}
		})
	}
}

// TestCalibrationOrder: probabilities never decrease with the score, and extreme scores have one.
func TestCalibrationOrder(t *testing.T) {
	d, scores, _ := drawn(300, 4, true)
	for _, c := range []struct {
		name  string
		scale float64
	}{{"usual", 1}, {"huge", 1e307}, {"tiny", 1e-300}} {
		t.Run(c.name, func(t *testing.T) {
			scaled := slices.Clone(scores)
			for i := range scaled {
				scaled[i] *= c.scale
			}
			for _, method := range OptionWords("calibration") {
				m, err := Calibrate(t.Context(), d, scaled, method, 1)
				if err != nil {
					t.Fatal(err)
				}
				probes := append(slices.Clone(scaled), math.Inf(-1), -math.MaxFloat64, math.MaxFloat64, math.Inf(1))
				for i := range 299 {
					probes = append(probes, scaled[i]/2+scaled[i+1]/2)
				}
				slices.Sort(probes)
				probes = append(probes, math.NaN())
				m.Apply(probes)
				last := len(probes) - 1
				if p := probes[:last]; !slices.IsSorted(p) || p[0] < 0 || p[last-1] > 1 || p[last-1]-p[0] < .3 {
					t.Errorf("%s: the probabilities are not in order: %v", method, p)
				}
				if probes[last] == probes[last] {
					t.Errorf("%s: the probability of NaN is %v", method, probes[last])
				}
			}
		})
	}
	flat := Calibration{Intercept: 1}
	one := []float64{math.Inf(1), 0, math.NaN()}
	if flat.Apply(one); one[0] != one[1] || one[2] == one[2] {
		t.Errorf("without a slope: %v", one)
	}
}

func TestCalibrateErrors(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name            string
		labels, weights []float64
		scores          []float64
		method          string
		want            string
	}{
		{"method", []float64{0, 1}, nil, []float64{1, 2}, "beta", `calibration "beta"`},
		{"scores", []float64{0, 1}, nil, []float64{1}, "", "there are 1 scores and 2 labels; there must be 2"},
		{"NaN score", []float64{0, 1}, nil, []float64{1, nan}, "", "row 1: the score is NaN; it must be finite"},
		{"infinite score", []float64{0, 1}, nil, []float64{math.Inf(-1), 1}, "platt", "row 0: the score is -Inf"},
		{"label", []float64{0, nan}, nil, []float64{1, 2}, "", "row 1: the label is NaN; it must be a number"},
		{"no relevant", []float64{0, 0.5}, nil, []float64{1, 2}, "", "0 for relevant documents (label at least 1) and 2 for others"},
		{"all relevant", []float64{1, 3}, nil, []float64{1, 2}, "platt", "and 0 for others; both must be positive"},
		{"zero weights", []float64{1, 0}, []float64{0, 1}, []float64{1, 2}, "", "0 for relevant documents"},
		{"infinite weights", []float64{1, 0, 0}, []float64{1, 1e308, 1e308}, []float64{1, 2, 3}, "", "+Inf for others"},
		{"negative weight", []float64{1, 0}, []float64{-1, 1}, []float64{1, 2}, "", "row 0: the weight is -1"},
		{"reversed", []float64{1, 0, 1, 0}, nil, []float64{1, 3, 2, 4}, "platt", "must have higher scores than others"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Calibrate(t.Context(), labeled(c.labels, c.weights), c.scores, c.method, 1); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Calibrate(ctx, labeled([]float64{0, 1}, nil), []float64{1, 2}, "platt", 1)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled context: %v", err)
	}
}

// TestCalibrateWeights: a weight counts like repeated documents, and query weights multiply.
func TestCalibrateWeights(t *testing.T) {
	scores := []float64{1, 2, 2, 3, 4}
	weighted := &Dataset{Labels: []float64{0, 1, 0, 0, 1}, Weights: []float64{1, 2, 1, 0, 1},
		Offsets: []int{0, 3, 5}, QueryIDs: []string{"a", "b"}, QueryWeights: []float64{1, 2}}
	repeated := labeled([]float64{0, 1, 1, 0, 1, 1}, nil)
	for _, method := range OptionWords("calibration") {
		t.Run(method, func(t *testing.T) {
			a, err := Calibrate(t.Context(), weighted, scores, method, 1)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Calibrate(t.Context(), repeated, []float64{1, 2, 2, 2, 4, 4}, method, 1)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a.Scores, b.Scores) || !slices.Equal(a.Probabilities, b.Probabilities) ||
				math.Abs(a.Slope-b.Slope) > 1e-9 || math.Abs(a.Intercept-b.Intercept) > 1e-9 {
				t.Errorf("%+v, want %+v", a, b)
			}
		})
	}
}

func TestCalibrationValidate(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		c    Calibration
		want string
	}{
		{"lengths", Calibration{Scores: []float64{1}}, "1 scores and 0 probabilities"},
		{"order", Calibration{Scores: []float64{1, 1}, Probabilities: []float64{0, 1}}, "calibration score 1 is 1"},
		{"infinite", Calibration{Scores: []float64{inf}, Probabilities: []float64{0}}, "calibration score 0 is +Inf"},
		{"decreasing", Calibration{Scores: []float64{1, 2}, Probabilities: []float64{.5, .4}}, "probability 1"},
		{"above 1", Calibration{Scores: []float64{1}, Probabilities: []float64{1.1}}, "probability 0"},
		{"NaN", Calibration{Scores: []float64{1}, Probabilities: []float64{math.NaN()}}, "probability 0"},
		{"slope", Calibration{Slope: -1}, "the slope must not be negative"},
		{"infinite slope", Calibration{Slope: inf}, "both must be finite"},
		{"intercept", Calibration{Intercept: -inf}, "both must be finite"},
		{"both", Calibration{Scores: []float64{1}, Probabilities: []float64{.5}, Slope: 1}, "cannot be combined with"},
		{"isotonic", Calibration{Scores: []float64{1, 2}, Probabilities: []float64{.5, .5}}, ""},
		{"platt", Calibration{Slope: 2, Intercept: -1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.c.Validate()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
