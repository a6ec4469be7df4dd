package lambdamart

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/synth"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// TestHostileCheckpoint resumes from checkpoints that were cut, changed at random or made to need
// much memory. No training panics or needs much more memory than the text.
func TestHostileCheckpoint(t *testing.T) {
	d := synth.Ranking(6, 4, 1)
	o := *with(Trainer{Trees: 4, MinRows: 20, Leaves: 3, Threads: 1,
		Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), CheckpointEvery: 2,
		Validation: []Validation{{"test", d, testkit.Must(rank.NewEvaluator("map", rank.Options{}))}}})
	if _, err := o.Fit(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(o.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	const many = 1 << 18
	with := func(old, text string) []byte { return bytes.Replace(kept, []byte(old), []byte(text), 1) }
	list := func(old, text string) []byte {
		return with(old, old+strings.Repeat(text, many))
	}
	deep := "[" + strings.Repeat("[", many)
	for _, c := range []struct {
		name, want string
		text       []byte
	}{
		{"values", "is damaged", list(`"values":[`, "[],")},
		{"values of a metric", "is damaged", list(`"values":[[`, "1,")},
		{"metrics", "with other metrics: ", list(`"measured":[`, `"",`)},
		{"trees", "trees[0]", list(`"trees":[`, "{},")},
		{"splits", "tree 0", list(`"feature":[`, "0,")},
		{"fields of the model", "appears twice", list(`"model":{`, `"a":[],`)},
		{"deep values", "is not a training checkpoint", with(`"values":`, `"values":`+deep)},
		{"deep trees", "is not a training checkpoint", list(`"trees":[`, "[")},
		{"a wide model", "has 16777216 features, but the data has 4", with(`"features":4`, `"features":16777216`)},
		{"many trees", "this training run has at most 4",
			with(`"trees":4`, `"trees":2147483647`)},
		{"zeros", "is not a training checkpoint", make([]byte, many)},
		{"a bomb", "is damaged", list(`"values":[`, "[],")},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if c.name == "a bomb" {
				text = []byte(testkit.Gzip(string(text)))
			}
			if _, err := hostileFit(t, &o, d, text, len(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	for i := 0; i < len(kept)-2; i += 7 { // the last byte ends the line
		if _, err := hostileFit(t, &o, d, kept[:i], i); err == nil {
			t.Errorf("no error after %d of %d bytes", i, len(kept))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := slices.Clone(kept)
		text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		if r, err := hostileFit(t, &o, d, text, len(text)); err == nil && (r.Grown != 4 || r.Model.Validate() != nil) {
			t.Errorf("%d trees from %s", r.Grown, text)
		}
	}
}

// hostileFit resumes a training from a file with the given text. It fails the test if the training
// allocates much more than a byte per feature and a multiple of the uncompressed size.
func hostileFit(t *testing.T, o *Trainer, d *rank.Dataset, text []byte, size int) (*Result, error) {
	t.Helper()
	if err := os.WriteFile(o.Checkpoint, text, 0o666); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := o.Fit(t.Context(), d)
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(1<<25+50*size) {
		t.Errorf("%d bytes took %d: %v", len(text), spent, err)
	}
	return r, err
}
