package interleave

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank/compare"
)

// split returns the rankings in a text such as "abc bca", in which each letter is a document.
func split(text string) (rankings [][]rune) {
	for of := range strings.SplitSeq(text, " ") {
		rankings = append(rankings, []rune(of))
	}
	return rankings
}

// Each list that 64 sessions produce, with its teams. A capital letter is a document of the first
// team; a digit is a document of no team (1 for a).
func TestTeamDraft(t *testing.T) {
	for _, c := range []struct {
		rankings string
		k        int
		want     string
	}{
		{"ab ab", 0, "Ab aB"},
		{"abc bca", 2, "Ab bA"},
		{"abc cab", 3, "AcB Acb cAB cAb"}, // a third document is in either team
		{"a ab", 0, "A2 a2"},              // only the first document is in a team
		{"aab bab", 0, "Ab bA"},           // the first ranking has two documents
		{" ab", 0, "12"},
		{"abc", 2, "AB"},
		{" ", 5, ""},
		{"", 0, ""},
	} {
		t.Run(fmt.Sprint(c.rankings, c.k), func(t *testing.T) {
			var got []string
			for session := range 64 {
				r := TeamDraft(split(c.rankings), c.k, 7, fmt.Sprint(session))
				shown := []byte(string(r.IDs))
				for i, team := range r.Teams {
					switch team {
					case 0:
						shown[i] -= 'a' - 'A'
					case -1:
						shown[i] -= 'a' - '1'
					}
				}
				got = append(got, string(shown))
			}
			slices.Sort(got)
			if lists := strings.Join(slices.Compact(got), " "); lists != c.want {
				t.Errorf("%q, want %q", lists, c.want)
			}
		})
	}
}

func TestBalanced(t *testing.T) {
	for _, c := range []struct {
		rankings string
		k        int
		want     string
	}{
		{"abcd bcda", 0, "abcd bacd"},
		{"abcd bcda", 3, "abc bac"},
		{"a bcde", 4, "abcd bacd"},
		{"aab ccd", 0, "acbd cadb"},
		{"ab cd ef", 2, "ac ae ca ce ea ec"},
		{"ab", 0, "ab"},
		{" ab", 0, "ab"},
	} {
		t.Run(fmt.Sprint(c.rankings, c.k), func(t *testing.T) {
			var got []string
			for session := range 64 {
				r := Balanced(split(c.rankings), c.k, 7, fmt.Sprint(session))
				if got = append(got, string(r.IDs)); r.Teams != nil {
					t.Errorf("teams %v", r.Teams)
				}
			}
			slices.Sort(got)
			if lists := strings.Join(slices.Compact(got), " "); lists != c.want {
				t.Errorf("%q, want %q", lists, c.want)
			}
		})
	}
}

func TestCredits(t *testing.T) {
	for _, c := range []struct {
		rankings, list, clicked string
		teams                   []int // nil for balanced
		want                    string
	}{
		{"abc bca", "abc", "ac", []int{0, 1, 0}, "[2 0]"},
		{"abc bca", "abc", "abc", []int{0, 1, -1}, "[1 1]"},
		{"abc bca", "abc", "", []int{0, 1, 0}, "[0 0]"},
		{"abcd bcda", "abcd", "a", nil, "[1 0]"},
		{"abcd bcda", "abcd", "b", nil, "[0 1]"},
		{"abcd bcda", "abcd", "ac", nil, "[1 1]"},
		{"abcd bcda", "bacd", "bcd", nil, "[2 3]"},
		{"abcd bcda", "bacd", "", nil, "[0 0]"},
		{"ab bcde", "abcde", "ce", nil, "[0 1]"}, // only to the depth of the shorter ranking
		{"ab bc cb", "abc", "c", nil, "[0 0 1]"},
	} {
		t.Run(fmt.Sprint(c.rankings, c.list, c.clicked), func(t *testing.T) {
			r := Ranking[rune]{IDs: []rune(c.list), Teams: c.teams, rankings: split(c.rankings)}
			clicked := make([]bool, len(c.list))
			for i := range clicked {
				clicked[i] = strings.Contains(c.clicked, c.list[i:i+1])
			}
			got, err := r.Credits(clicked)
			if err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("%v, %v; want %s", got, err, c.want)
			}
			_, err = r.Credits(clicked[1:])
			want := fmt.Sprintf("interleave: the number of clicks is %d; it must be %d, one per document", len(c.list)-1,
				len(c.list))
			if err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

// The lists of a session depend only on the seed and the key, on every platform.
func TestSessionBits(t *testing.T) {
	rankings := [][]int{{1, 2, 3, 4, 5, 6}, {4, 2, 7, 1, 8}, {9, 8, 7, 6}}
	for _, c := range []struct {
		seed    uint64
		session string
		want    string
	}{
		{1, "user 1", "[9 4 1 8 2 3] [2 1 0 2 -1 -1] [9 4 1 8 2 7]"},
		{1, "user 2", "[4 1 9 2 8 7] [1 0 2 0 -1 -1] [4 1 9 2 8 7]"},
		{2, "user 1", "[4 1 9 8 2 3] [1 0 2 2 -1 -1] [4 1 9 2 8 7]"},
	} {
		t.Run(fmt.Sprint(c.seed, c.session), func(t *testing.T) {
			a, b := TeamDraft(rankings, 6, c.seed, c.session), Balanced(rankings, 6, c.seed, c.session)
			if got := fmt.Sprint(a.IDs, a.Teams, b.IDs); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A user who clicks without regard to the documents, but more often on the first positions, prefers
// no ranking of a team draft. Balanced interleaving prefers a ranking that is shifted by one.
func TestRandomClicks(t *testing.T) {
	const sessions = 4000
	for _, rankings := range []string{"abcdef bcdefa", "a abcdef", "abc defghi adg", "aabb ccdd abcd abcd"} {
		t.Run(rankings, func(t *testing.T) {
			of := split(rankings)
			random := num.SplitMix(1)
			sums, squares := make([]float64, len(of)), make([]float64, len(of)) // of the differences from the first
			for session := range sessions {
				r := TeamDraft(of, 5, 3, fmt.Sprint(session))
				clicked := make([]bool, len(r.IDs))
				for i := range clicked {
					clicked[i] = random.Float64()*float64(i+1) < 0.9
				}
				credits, err := r.Credits(clicked)
				if err != nil {
					t.Fatal(err)
				}
				for i := range credits {
					d := credits[i] - credits[0]
					sums[i] += d
					squares[i] += d * d
				}
			}
			for i := range sums[1:] {
				if z := sums[i+1] / math.Sqrt(squares[i+1]); !(math.Abs(z) < 3.5) {
					t.Errorf("ranking %d: z = %v", i+2, z)
				}
			}
		})
	}
	var credits [][]float64
	random := num.SplitMix(2)
	for session := range sessions {
		r := Balanced(split("abcd bcda"), 0, 3, fmt.Sprint(session))
		clicked := make([]bool, len(r.IDs))
		clicked[random.Below(len(clicked))] = true
		c, err := r.Credits(clicked)
		if err != nil {
			t.Fatal(err)
		}
		credits = append(credits, c)
	}
	d, err := Compare(t.Context(), credits, compare.Options{Interval: "student"})
	if err != nil || math.Abs(d[1][0].Mean-0.25) > 0.02 {
		t.Errorf("%+v, %v; want a mean of 0.25", d, err)
	}
}

func TestCompare(t *testing.T) {
	var credits [][]float64
	for range 2 { // Δ of the second ranking: 6 wins, 2 losses and 2 ties
		credits = append(credits, [][]float64{{0, 1, 9}, {0, 2, 9}, {1, 2, 9}, {2, 0, 9}, {1, 1, 9}}...)
	}
	d, err := Compare(t.Context(), credits, compare.Options{Rounds: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if len(d) != 3 || len(d[0]) != 0 || len(d[1]) != 1 || len(d[2]) != 2 {
		t.Fatalf("%+v", d)
	}
	b := d[1][0]
	if b.Mean != 0.2 || b.Better != 6 || b.Worse != 2 || b.P != 74./256 || b.CorrectedP != b.P ||
		!(b.Low < 0 && b.Low >= -0.2 && b.High > 0.3 && b.High <= 0.5) {
		t.Errorf("%+v", b)
	}
	for j, c := range d[2] {
		if c.Mean != 0.5 || c.Low != 0.5 || c.P != 2./1024 || c.CorrectedP != 3*c.P {
			t.Errorf("3 against %d: %+v", j+1, c)
		}
	}
}

func TestCompareErrors(t *testing.T) {
	two := [][]float64{{0, 1}, {1, 0}}
	for want, c := range map[string]struct {
		credits [][]float64
		o       compare.Options
	}{
		"the test t is not supported; it must be sign":        {two, compare.Options{Test: "t"}},
		"a test requires at least two sessions":               {two[:1], compare.Options{}},
		"a test requires at least two rankings":               {[][]float64{{1}, {2}}, compare.Options{}},
		"session 3 has 1 credits but the first session has 2": {append(two, []float64{1}), compare.Options{}},
		"session 3: credit 2 is NaN; credits must be finite": {append(two, []float64{1, math.NaN()}),
			compare.Options{}},
		"session 1: credit 1 is -Inf; credits must be finite": {[][]float64{{math.Inf(-1), 1}, two[0]},
			compare.Options{}},
		"Tukey's HSD requires the randomization test, not sign": {two, compare.Options{Correction: "tukey-hsd"}},
		"the confidence level is 2; it must be greater than 0":  {two, compare.Options{Level: 2}},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := Compare(t.Context(), c.credits, c.o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
}

func TestAllocations(t *testing.T) {
	rankings := [][]int{{1, 2, 3, 4, 5, 6}, {4, 2, 7, 1, 8}, {9, 8, 7, 6}}
	for want, f := range map[float64]func(){
		2: func() { TeamDraft(rankings, 6, 1, "session") },
		1: func() { Balanced(rankings, 6, 1, "session") },
	} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			if got := testing.AllocsPerRun(20, f); got != want {
				t.Errorf("%v allocations, want %v", got, want)
			}
		})
	}
}
