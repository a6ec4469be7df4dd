package rank

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// testEnum checks that names are read back as the n values from first on that they stand for.
func testEnum[T interface {
	~int | ~uint8
	fmt.Stringer
}](t *testing.T, first, n int, parse func(string) (T, error)) {
	t.Helper()
	var names []string
	for i := first; i < first+n; i++ {
		v := T(i)
		names = append(names, v.String())
		if got, err := parse(v.String()); err != nil || got != v {
			t.Errorf("%T(%d): %q is read as %v, %v", v, i, v, got, err)
		}
	}
	beyond := T(first + n)
	if want := fmt.Sprintf("%T(%d)", beyond, first+n); !strings.HasSuffix(want, beyond.String()) {
		t.Errorf("%T(%d) is %q, want %q", beyond, first+n, beyond, want)
	}
	for _, bad := range []string{"nonsense", "", beyond.String()} {
		_, err := parse(bad)
		if want := fmt.Sprintf("%q: want one of %s", bad, strings.Join(names, ", ")); err == nil ||
			!strings.HasPrefix(err.Error(), "rank: ") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%T of %q: error %v, want %s", beyond, bad, err, want)
		}
	}
}

func TestEnums(t *testing.T) {
	testEnum(t, 0, 2, ParseGain)
	testEnum(t, 0, 3, ParseDiscount)
	testEnum(t, 0, 5, ParseTies)
	testEnum(t, 0, 4, ParseEmpty)
	testEnum(t, 0, 2, ParseNaNs)
	testEnum(t, 0, 3, ParseJudging)
	testEnum(t, 1, 7, ParsePreset)
	testEnum(t, 0, 3, ParseLoss)
}

// TestUnknownOptions gives every enumerated option the first value that has no name.
func TestUnknownOptions(t *testing.T) {
	for _, o := range []Option{GainLinear + 1, DiscountLETOR + 1, TiesByKey + 1, EmptyNaN + 1, NaNLast + 1,
		RetrievedOnly + 1, Preset(0), LETOR4 + 1} {
		for _, opts := range [][]Option{{o}, {o, Sklearn}} {
			_, err := Measure("ndcg", []float64{1}, []float64{1}, opts...)
			if want := fmt.Sprintf("rank: no such option: %v", o); err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
		}
	}
}

func TestGainOf(t *testing.T) {
	table := GainTable{0, 1, 5}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		gain        func(float64) float64
		label, want float64
	}{
		{GainExp.Of, 0, 0}, {GainExp.Of, 3, 7}, {GainExp.Of, -1, -0.5}, {GainExp.Of, 0.5, 0.41421356237309503},
		{GainExp.Of, 1023, inf},
		{GainExp.Of, inf, inf}, {GainExp.Of, -inf, -1}, {GainExp.Of, -1e4, -1}, {GainExp.Of, nan, nan},
		{GainLinear.Of, 2.5, 2.5}, {GainLinear.Of, -1, -1}, {GainLinear.Of, nan, nan},
		{table.Of, 2, 5}, {table.Of, 0, 0}, {table.Of, 3, nan}, {table.Of, -1, nan}, {table.Of, 1.5, nan},
		{table.Of, nan, nan}, {table.Of, inf, nan},
	} {
		if got := c.gain(c.label); !same(got, c.want) {
			t.Errorf("gain of %v: %v, want %v", c.label, got, c.want)
		}
	}
}
