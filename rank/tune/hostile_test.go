package tune

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// TestHostileFile resumes from study files that were cut, changed at random or made to need much
// memory. No search panics or needs much more memory than the text.
func TestHostileFile(t *testing.T) {
	d := small()
	s := &Study{RankSVM: &rank.RankSVM{Tol: 1e-2, Threads: 1}, Trials: 2, Folds: 2,
		File: filepath.Join(t.TempDir(), "study")}
	if _, err := s.Search(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(s.File)
	if err != nil {
		t.Fatal(err)
	}
	with := func(old, text string) []byte { return bytes.Replace(kept, []byte(old), []byte(text), 1) }
	const many = 1 << 18
	list := func(old, text string) []byte { return with(old, old+strings.Repeat(text, many)) }
	for _, c := range []struct {
		name, want string
		text       []byte
	}{
		{"empty trials", "the parameters of trial 1 are []", list(`"trials":[`, "{},")},
		{"deep trials", "the file is not a study file", with(`"trials":[`, `"trials":`+strings.Repeat("[", many))},
		{"deep fields", "the file is not a study file",
			list("{", `"a":{`)},
		{"long lists", "another space", list(`"space":[`, `"",`)},
		{"parameters", "the parameters of trial 1 are", list(`"parameters":[`, `1,`)},
		{"folds", "is not the mean of its folds", list(`"folds":[`, `1,`)},
		{"many folds", "another number of folds", with(`"folds":2`, `"folds":2147483647`)},
		{"zeros", "the file is not a study file", make([]byte, many)},
		{"a bomb", "the parameters of trial 1 are []", list(`"trials":[`, "{},")},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if c.name == "a bomb" {
				text = []byte(testkit.Gzip(string(text)))
			}
			_, err := hostileSearch(t, s, d, text, len(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	for i := 0; i < len(kept)-2; i += 7 { // the last byte ends the line
		if _, err := hostileSearch(t, s, d, kept[:i], i); err == nil {
			t.Errorf("no error after %d of %d bytes", i, len(kept))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		text := slices.Clone(kept)
		text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
		if r, err := hostileSearch(t, s, d, text, len(text)); err == nil && len(r.Trials) != 2 {
			t.Errorf("%d trials of %s", len(r.Trials), text)
		}
	}
}

// hostileSearch resumes a study from a file with the given text. It fails the test if the search
// allocates much more than a multiple of the uncompressed size.
func hostileSearch(t *testing.T, s *Study, d *rank.Dataset, text []byte, size int) (*Result, error) {
	t.Helper()
	if err := os.WriteFile(s.File, text, 0o666); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := s.Search(t.Context(), d)
	runtime.ReadMemStats(&after)
	if spent := after.TotalAlloc - before.TotalAlloc; spent > uint64(1<<21+50*size) {
		t.Errorf("%d bytes took %d: %v", len(text), spent, err)
	}
	return r, err
}
