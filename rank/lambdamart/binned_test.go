package lambdamart

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
)

// TestFitBinned: trainings that share bins give the same models as separate trainings.
func TestFitBinned(t *testing.T) {
	dense := synth.Ranking(30, 8, 3)
	dense.Weights = make([]float64, dense.Rows())
	for i := range dense.Weights {
		dense.Weights[i] = float64(1 + i%3)
		dense.Row(i)[1] = float32(i % 7)
		dense.Row(i)[2] *= float32(i % 2)
	}
	for i, d := range []*rank.Dataset{dense, dense.ToSparse()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			base := *with(Trainer{Trees: 4, MinRows: 5, Bins: 30, Categorical: []int{1}, ZeroMissing: true})
			binning := base
			binning.Leaves = 7
			given := *d
			b, err := binning.Bin(t.Context(), &given)
			if err != nil {
				t.Fatal(err)
			}
			given.X, given.Sparse = nil, nil // no longer needed
			for _, set := range []func(o *Trainer){
				func(o *Trainer) {},
				func(o *Trainer) { o.Objective, o.Leaves, o.Threads = Binary, 5, 2 },
				func(o *Trainer) { o.Dart, o.RowFraction, o.DepthWise = true, .6, true },
				func(o *Trainer) { o.EarlyStopping, o.Validation = 1, []Validation{{Name: "again", Data: d}} },
			} {
				o := base
				set(&o)
				got, err := o.FitBinned(t.Context(), b)
				if err != nil {
					t.Fatal(err)
				}
				want, err := o.Fit(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				if modelHash(t, got.Model) != modelHash(t, want.Model) || got.Best != want.Best ||
					got.BinBytes != want.BinBytes ||
					got.TrainBytes != want.TrainBytes {
					t.Errorf("%+v: another model", o)
				}
			}
		})
	}

	b, err := DefaultTrainer().Bin(t.Context(), dense)
	if err != nil {
		t.Fatal(err)
	}
	const other = "lambdamart: the data was binned with Bins 255, ZeroMissing false and Categorical []"
	for i, c := range []struct {
		want string
		o    Trainer
	}{
		{other, *with(Trainer{Bins: 9})},
		{other, *with(Trainer{ZeroMissing: true})},
		{other, *with(Trainer{Categorical: []int{1}})},
		{"lambdamart: Start cannot be combined with FitBinned", *with(Trainer{Start: &Model{}})},
		{"lambdamart: Checkpoint cannot be combined with FitBinned", *with(Trainer{Checkpoint: "a"})},
		{"lambdamart: BinsFile cannot be combined with FitBinned", *with(Trainer{BinsFile: "a"})},
		{"lambdamart: Leaves is 1", *with(Trainer{Leaves: 1})},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := c.o.FitBinned(t.Context(), b); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	for want, o := range map[string]*Trainer{
		"lambdamart: BinsFile cannot be combined with Bin": with(Trainer{BinsFile: "a"}),
		"lambdamart: Bins is 300":                          with(Trainer{Bins: 300}),
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := o.Bin(t.Context(), dense); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DefaultTrainer().Bin(ctx, dense); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
