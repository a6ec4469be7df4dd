package trec

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
)

// Two runs: the first has topics 2 and 1, with unsorted documents; the second has topics 3 and 1,
// with tabs.
func mergedRuns(t *testing.T) []*Run {
	t.Helper()
	var runs []*Run
	for _, text := range []string{
		"2 Q0 a 1 1 A\n1 Q0 aa 1 1 A\n1 Q0 a 2 3 A\n1 Q0 ab 3 2 A\n",
		"3 Q0 a 1 5 B\n1\tQ0\ta\t1\t.5\tB\n1\tQ0\tb\t1\t.5\tB\n",
	} {
		runs = append(runs, must(t, ReadRun, text))
	}
	return runs
}

func TestMerge(t *testing.T) {
	runs := mergedRuns(t)
	for _, c := range []struct {
		depth int
		want  string
	}{
		{0, "2 Q0 a 1 1 m\n1 Q0 a 1 3.5 m\n1 Q0 ab 2 2 m\n1 Q0 aa 3 1 m\n1 Q0 b 4 0.5 m\n3 Q0 a 1 5 m\n"},
		{2, "2 Q0 a 1 1 m\n1 Q0 a 1 3.5 m\n1 Q0 ab 2 2 m\n3 Q0 a 1 5 m\n"},
	} {
		t.Run(fmt.Sprint("depth ", c.depth), func(t *testing.T) {
			for threads := 1; threads <= 3; threads++ {
				var pools []string
				calls := testkit.NewProgress(t)
				merged, err := Merge(t.Context(), runs, "m", c.depth, threads, func(p *Pool, scores []float64) error {
					for _, ranked := range p.Ranked {
						for _, d := range ranked {
							scores[d.Doc] += d.Score
						}
					}
					if threads == 1 {
						doc, line := "", 0
						if len(p.Ranked[1]) > 0 {
							at := p.Fail(1, 0, nil)
							doc, line = at.Text, at.Line
						}
						pools = append(pools, fmt.Sprintln(p.topic, p.docs, len(p.Ranked[0]), len(p.Ranked[1]), doc,
							line))
					}
					return nil
				}, calls.Report)
				if calls.Check(3); err != nil {
					t.Fatal(err)
				}
				if want := "[2 1 1 0  0\n 1 4 3 2 b 3\n 3 1 0 1 a 1\n]"; threads == 1 && fmt.Sprint(pools) != want {
					t.Errorf("pools %v, want %s", pools, want)
				}
				var out bytes.Buffer
				if err := merged.Write(&out); err != nil || out.String() != c.want {
					t.Errorf("depth %d, %d threads: %v, %q, want %q", c.depth, threads, err, &out, c.want)
				}
				if !slices.Equal(merged.Topics(), []string{"2", "1", "3"}) || !merged.topics[1].sorted {
					t.Errorf("topics %v, sorted %t", merged.Topics(), merged.topics[1].sorted)
				}
				// The merged run is joined with judgments like a run that was read.
				lists := must(t, ReadQrels, "1 0 ab 2\n1 0 b 3\n1 0 zz 1\n").Lists(merged)
				if want := []float64{-1, 2, -1, 3}[:len(lists[0].Labels)]; !slices.Equal(lists[0].Labels, want) {
					t.Errorf("labels %v, want %v", lists[0].Labels, want)
				}
			}
		})
	}
}

// Documents with equal hashes are distinguished by their IDs.
func TestMergeHashes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, bits := range []uint32{0, 1, 7, math.MaxUint32} {
		t.Run(fmt.Sprintf("hashes of %x", bits), func(t *testing.T) {
			var runs []*Run
			var want []string
			sums := map[string]float64{}
			for range 3 {
				runs = append(runs, must(t, ReadRun, runText(rng, []int{1}, 40)))
				documents := runs[len(runs)-1].topics[0].documents
				for i := range documents {
					documents[i].hash &= bits
				}
				for d := range runs[len(runs)-1].All() {
					sums[d.Doc] += d.Score
				}
			}
			merged, err := Merge(t.Context(), runs, "m", 0, 1, func(p *Pool, scores []float64) error {
				for _, ranked := range p.Ranked {
					for _, d := range ranked {
						scores[d.Doc] += d.Score
					}
				}
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for d := range merged.All() {
				want = append(want, d.Doc)
				if d.Score != sums[d.Doc] {
					t.Errorf("hashes of %x: %v, want %v", bits, d, sums[d.Doc])
				}
			}
			if slices.Sort(want); !slices.Equal(want, slices.Sorted(maps.Keys(sums))) {
				t.Errorf("hashes of %x: documents %v", bits, want)
			}
		})
	}
}

// Ties, including scores that are equal only as float32, do not count as sorted.
func TestMergeTies(t *testing.T) {
	for _, c := range []struct {
		scores []float64 // of aa, a and ab, pooled as a, ab, aa
		want   []string
		sorted bool
	}{
		{[]float64{0, 0, 0}, []string{"ab", "aa", "a"}, false},
		{[]float64{1, 1 + 1e-12, 0}, []string{"ab", "a", "aa"}, false},
		{[]float64{1, 2, 0}, []string{"ab", "a", "aa"}, true},
	} {
		t.Run(fmt.Sprint(c.scores), func(t *testing.T) {
			merged, err := Merge(t.Context(), mergedRuns(t)[:1], "m", 0, 1, func(p *Pool, scores []float64) error {
				copy(scores, c.scores)
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := docsOf(merged, "1"); !slices.Equal(got, c.want) || merged.topics[1].sorted != c.sorted {
				t.Errorf("%v: %v, sorted %t", c.scores, got, merged.topics[1].sorted)
			}
		})
	}
}

// The error is that of the first topic that fails, whichever ends first.
func TestMergeErrors(t *testing.T) {
	for _, c := range []struct {
		topic string
		score float64
		err   error
		want  string
	}{
		{"1", math.NaN(), nil, "trec: topic 1: document a: the merged score is NaN; it must be finite"},
		{"2", math.Inf(1), nil, "trec: topic 2: document a: the merged score is +Inf; it must be finite"},
		{"1", 0, errors.New("no"), "no"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := Merge(t.Context(), mergedRuns(t), "m", 0, 3, func(p *Pool, scores []float64) error {
				if p.topic == "3" {
					return errors.New("later")
				}
				if p.topic == c.topic {
					scores[0] = c.score
					return c.err
				}
				return nil
			}, nil)
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	r := mergedRuns(t)[0]
	for name, want := range map[string]string{
		"":    `trec: the name "" is empty`,
		"a b": `trec: the name "a b" contains a blank or a control character`,
		"%\n": `trec: the name "%\n" contains a blank or a control character`,
	} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			r.Name = name
			if err := r.Write(new(bytes.Buffer)); err == nil || err.Error() != want {
				t.Errorf("a run named %q: %v, want %s", name, err, want)
			}
		})
	}
}
