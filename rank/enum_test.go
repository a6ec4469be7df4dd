package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestParseOption reads each word as the option that it stands for, in the order of the values.
func TestParseOption(t *testing.T) {
	for kind, want := range map[string][]Option{
		"gain":     {GainExp, GainLinear},
		"discount": {DiscountLog2, DiscountPosition, DiscountLETOR},
		"ties":     {TiesAverage, TiesStable, TiesPessimistic, TiesOptimistic, TiesByKey},
		"empty":    {EmptySkip, EmptyZero, EmptyOne, EmptyNaN},
		"preset":   {Sklearn, TrecEval, TrecEval9, XGBoost, LightGBM, CatBoost, LETOR4},
	} {
		var got []Option
		for _, word := range OptionWords(kind) {
			option, err := ParseOption(kind, word)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, option)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
		for _, bad := range []string{"nonsense", ""} {
			_, err := ParseOption(kind, bad)
			if list := strings.Join(OptionWords(kind), ", "); err == nil || !strings.HasPrefix(err.Error(), "rank: ") ||
				!strings.HasSuffix(err.Error(), fmt.Sprintf("%q: want one of %s", bad, list)) {
				t.Errorf("%s %q: error %v", kind, bad, err)
			}
		}
	}
	if o, err := ParseOption("nonsense", "exp"); err == nil {
		t.Errorf("read as %v", o)
	}
}

// TestUnknownOptions gives every enumerated option the first value that has no name.
func TestUnknownOptions(t *testing.T) {
	for want, o := range map[string]Option{"Gain(2)": GainLinear + 1, "Discount(3)": DiscountLETOR + 1,
		"Ties(5)": TiesByKey + 1, "Empty(4)": EmptyNaN + 1, "Switch(4)": NaNLast + 1, "Preset(0)": Preset(0),
		"Preset(8)": LETOR4 + 1} {
		for _, opts := range [][]Option{{o}, {o, Sklearn}} {
			_, err := Measure("ndcg", []float64{1}, []float64{1}, opts...)
			if err == nil || err.Error() != "rank: no such option: rank."+want {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
}

func TestGainOf(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		gain        func(float64) float64
		label, want float64
	}{
		{GainExp.Of, 0, 0}, {GainExp.Of, 3, 7}, {GainExp.Of, -1, -0.5}, {GainExp.Of, 0.5, 0.41421356237309503},
		{GainExp.Of, 1023, inf},
		{GainExp.Of, inf, inf}, {GainExp.Of, -inf, -1}, {GainExp.Of, -1e4, -1}, {GainExp.Of, nan, nan},
		{GainLinear.Of, 2.5, 2.5}, {GainLinear.Of, -1, -1}, {GainLinear.Of, nan, nan},
	} {
		if got := c.gain(c.label); !same(got, c.want) {
			t.Errorf("gain of %v: %v, want %v", c.label, got, c.want)
		}
	}
}
