package modelfile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/rank"
)

func TestHashData(t *testing.T) {
	make := func(t *testing.T, set func(d *rank.Dataset)) string {
		config := synth.Config{Seed: 1, Rows: 2*blockRows + 100, Cols: 3, MaxDocs: 20}
		d := config.Dataset()
		if set != nil {
			set(d)
		}
		var sums [2]string
		for i, c := range []*rank.Dataset{d, d.ToSparse()} {
			var err error
			if sums[i], err = HashData(t.Context(), c, i+1); err != nil {
				t.Fatal(err)
			}
		}
		if sums[0] != sums[1] {
			t.Errorf("dense %s, sparse %s", sums[0], sums[1])
		}
		return sums[0]
	}
	seen := map[string]int{make(t, nil): -1}
	// one that stays as it is
	if seen[make(t, func(d *rank.Dataset) { d.File, d.Absent = "a", 3; d.SetLine(0, 7) })] != -1 {
		t.Error("the place of the data counts")
	}
	for i, set := range []func(d *rank.Dataset){
		func(d *rank.Dataset) { d.X[0]++ },
		func(d *rank.Dataset) { d.X[d.Stride*(d.Rows()-1)]++ },
		func(d *rank.Dataset) { d.X[1], d.X[2] = 0, 0 },
		func(d *rank.Dataset) { d.X[0] = float32(math.NaN()) },
		func(d *rank.Dataset) { d.Labels[5]++ },
		func(d *rank.Dataset) { d.Offsets[1]-- },
		func(d *rank.Dataset) { d.Names = []string{"a", "b", "c"} },
		func(d *rank.Dataset) { d.QueryWeights = slices.Repeat([]float64{2}, d.Queries()) },
		func(d *rank.Dataset) { d.Weights = slices.Repeat([]float64{2}, d.Rows()) },
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			sum := make(t, set)
			if other, found := seen[sum]; found {
				t.Errorf("change %d is as good as %d", i, other)
			}
			seen[sum] = i
		})
	}
}

// TestPinnedHash pins a hash: files of trainings that were kept depend on it.
func TestPinnedHash(t *testing.T) {
	config := synth.Config{Seed: 1, Rows: 5000, Cols: 3, MaxDocs: 20}
	d := config.Dataset()
	d.DocIDs, d.Weights, d.Positions = make([]string, d.Rows()), make([]float64, d.Rows()), make([]int32, d.Rows())
	for i := range d.DocIDs {
		d.DocIDs[i] = fmt.Sprintf("document %d \"é\x01\xff", i)
		d.Weights[i], d.Positions[i] = float64(i)/8, int32(i%7)
	}
	const want = "e023268421f5bc8195ac84a95ae3a93ad258cd53b604b98372b8895cdc9c87e2"
	if got, err := HashData(t.Context(), d, 2); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestOptions(t *testing.T) {
	type inner struct{ A, B float64 }
	type options struct {
		N     int
		Name  string
		List  []float64
		On    bool
		In    *inner
		Any   any
		Call  func()
		Extra int
	}
	base := options{N: 1, Name: "a", List: []float64{1, 2}, In: &inner{A: 1}, Any: 3}
	seen := map[string]int{HashOptions(base): -1}
	if other := base; seen[HashOptions(&other)] == 0 {
		other.In = &inner{A: 1}
		if seen[HashOptions(other)] != -1 {
			t.Error("addresses count")
		}
	}
	if other := base; true {
		other.Extra = 4
		if seen[HashOptions(other, "Extra")] != -1 {
			t.Error("a field that is left out counts")
		}
	}
	for i, set := range []func(o *options){
		func(o *options) { o.N = 2 },
		func(o *options) { o.Name = "b" },
		func(o *options) { o.List = []float64{12} },
		func(o *options) { o.List = nil },
		func(o *options) { o.On = true },
		func(o *options) { o.In = nil },
		func(o *options) { o.In = &inner{B: 1} },
		func(o *options) { o.Any = 3.0 },
		func(o *options) { o.Any = inner{} },
		func(o *options) { o.Any = stringer{text: "a"} },
		func(o *options) { o.Any = &stringer{text: "a"} },
		func(o *options) { o.Any = stringer{text: "b"} },
		func(o *options) { o.Call = func() {} },
		func(o *options) { o.Extra = 5 },
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			o := base
			set(&o)
			sum := HashOptions(o)
			if other, found := seen[sum]; found {
				t.Errorf("change %d is as good as %d", i, other)
			}
			seen[sum] = i
		})
	}
}

// TestOptionsOfStringers: what has a name counts by that.
func TestOptionsOfStringers(t *testing.T) {
	type options struct{ Any any }
	if HashOptions(options{stringer{"a", 1}}) != HashOptions(options{stringer{"a", 2}}) {
		t.Error("the fields count")
	}
}

// TestOptionsOfWords: a word counts unless it is the default, with no more than its letters.
func TestOptionsOfWords(t *testing.T) {
	type options struct {
		Way string `word:"usual"`
	}
	type number struct{ Way named }
	if HashOptions(options{"usual"}) != HashOptions(options{}) ||
		HashOptions(options{"other"}) != HashOptions(number{1}) {
		t.Error("words do not count as enumerations did")
	}
}

type named int

func (named) String() string { return "other" }

type stringer struct {
	text  string
	calls int
}

func (s stringer) String() string { return s.text }

func TestSaveTraining(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no folder", "study")
	err := SaveTraining(path, func(io.Writer) error { return nil })
	if failure := (*FileError)(nil); !errors.As(err, &failure) || strings.LastIndex(err.Error(), path+": ") != 0 {
		t.Error(err)
	}
}
