package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

func TestDescribe(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	d := rank.NewDataset(6, 6)
	for i, row := range [][]float32{
		{1, 0, nan, 2, 0, 5},
		{1, 0, nan, 2, 0, inf},
		{1, 0, nan, 2, 1, 5},
		{1, 0, nan, 2, 0, 5}, // again
		{1, 0, nan, 0, 0, nan},
		{1, 0, nan, 2, 1, 5}, // again
	} {
		copy(d.Row(i), row)
	}
	d.Labels = []float64{2, 0, .5, 2, 0, 0}
	d.Offsets, d.QueryIDs, d.Absent = []int{0, 1, 4, 6}, []string{"a", "b", "c"}, 4
	want := &Description{Queries: 3, Rows: 6, Cols: 6, RowsPerQuery: [5]int{1, 1, 2, 3, 3},
		Labels: []LabelCount{{0, 3}, {.5, 1}, {2, 2}}, NonZero: 25, Absent: 4, NaN: 7, Infinite: 1,
		Constant: []int{0, 1, 2}, Duplicates: 2}
	for i, d := range []*rank.Dataset{d, d.ToSparse()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got, err := Describe(t.Context(), d, nil); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v\nwant %+v", got, err, want)
			}
		})
	}
	got, err := Describe(t.Context(), new(rank.Dataset), nil)
	if err != nil || !reflect.DeepEqual(got, new(Description)) {
		t.Errorf("of nothing: %+v, %v", got, err)
	}
	d.Labels = []float64{math.NaN(), math.NaN(), 1, 1, math.NaN(), 1}
	if got, err := Describe(t.Context(), d, nil); err != nil || len(got.Labels) != 2 || got.Labels[0].Rows != 3 ||
		got.Labels[1] != (LabelCount{1, 3}) {
		t.Errorf("labels %v, %v", got.Labels, err)
	}
	d.X = d.X[1:]
	if _, err := Describe(t.Context(), d, nil); err == nil {
		t.Error("features of less than all rows")
	}
}

func TestDescribeProgress(t *testing.T) {
	d := rank.NewDataset(20000, 1)
	calls := testkit.NewProgress(t)
	if _, err := Describe(t.Context(), d, calls.Report); err != nil {
		t.Error(err)
	}
	calls.Check(4)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Describe(ctx, d, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestDescribeWide describes a few values in many columns, in memory that is in proportion to the
// list of constant columns, as it does dense ones.
func TestDescribeWide(t *testing.T) {
	d, err := Read(strings.NewReader("1 qid:1 1:1 5:2\n0 qid:1 2:3 5:2\n2 qid:1 1:1 5:2 1048576:4\n"), Options{})
	if err != nil || d.Sparse == nil {
		t.Fatalf("%+v, %v", d, err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := Describe(t.Context(), d, nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8*uint64(d.Cols)+1<<20 {
		t.Errorf("%d bytes for %d columns", n, d.Cols)
	}
	want, err := Describe(t.Context(), d.ToDense(), nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d constant columns, and %d of dense features, %v", len(got.Constant), len(want.Constant), err)
	}
}
