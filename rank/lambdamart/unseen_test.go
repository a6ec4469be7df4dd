package lambdamart

import (
	"math"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

func TestUnseenMissing(t *testing.T) {
	type result struct{ count, row, feature int }
	none := result{0, -1, -1}
	some := []bool{false, true, false}
	zeros := func(m *Model) { m.SetZeroMissing(true) }
	for _, c := range []struct {
		name               string
		missing            []bool
		set                func(*Model)
		x                  []float32
		rows, cols, stride int
		want               result
	}{
		{"not recorded", nil, nil, []float32{nan32, nan32, nan32}, 1, 3, 3, none},
		{"complete", some, nil, []float32{1, 2, 3}, 1, 3, 3, none},
		{"known to be missing", some, nil, []float32{1, nan32, 3}, 1, 3, 3, none},
		{"one", some, nil, []float32{1, nan32, nan32}, 1, 3, 3, result{1, 0, 2}},
		{"the first of three", some, nil,
			[]float32{1, nan32, 3, 9, 1, 2, nan32, 9, nan32, 2, nan32}, 3, 3, 4, result{3, 1, 2}},
		{"infinite", some, nil, []float32{inf32, -inf32, inf32}, 1, 3, 3, none},
		{"0 is a value", some, nil, []float32{0, 0, 0}, 1, 3, 3, none},
		{"0 is missing", some, zeros, []float32{1, 0, float32(math.Copysign(0, -1)), 0, 0, 1}, 2, 3, 3,
			result{2, 0, 2}},
		{"few columns", some, nil, []float32{1, 2}, 2, 1, 1, none},
		{"few columns are missing", some, zeros, []float32{1, 2}, 2, 1, 1, result{2, 0, 2}},
		{"no columns", some, zeros, nil, 2, 0, 0, result{4, 0, 0}},
		{"more columns than features", some, nil, []float32{1, 2, 3, nan32}, 1, 4, 4, none},
		{"no rows", some, zeros, nil, 0, 3, 3, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := stump()
			m.NumFeatures, m.MissingFeatures = 3, slices.Clone(c.missing)
			if c.set != nil {
				c.set(m)
			}
			s, err := m.Scorer()
			if err != nil {
				t.Fatal(err)
			}
			var got result
			allocated := testing.AllocsPerRun(1, func() {
				got.count, got.row, got.feature = s.UnseenMissing(c.x, c.rows, c.cols, c.stride)
			})
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if allocated != 0 && !testkit.Race {
				t.Errorf("%v allocations", allocated)
			}
		})
	}
}
