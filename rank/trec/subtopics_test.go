package trec

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// Subtopic judgments in any order of lines. The run lacks c, and contains u, which is not judged.
const (
	subtopicQrels = "t2 x d 1\nt1 b B 1\nt1 a A 1\nt1 b D 1\r\n\nt1 c C 3\nt1 a B 0\nt1 c D -2\n"
	subtopicRun   = "t1 Q0 A 1 9.3 r\nt1 Q0 D 2 8.4 r\nt1 Q0 u 3 8.1 r\nt1 Q0 B 4 7.6 r\n"
)

func TestReadSubtopics(t *testing.T) {
	q, r := must(t, ReadSubtopics, subtopicQrels), must(t, ReadRun, subtopicRun)
	if all := fmt.Sprint(slices.Collect(q.All())); all != "[{t2 d 1} {t1 B 1} {t1 D 1} {t1 A 1} {t1 C 3}]" {
		t.Error(all)
	}
	lists := q.Lists(r)
	l := lists[0]
	if len(lists) != 2 || !slices.Equal(l.Labels, []float64{1, 1, -1, 1}) ||
		!slices.Equal(l.Unretrieved, []float64{3}) {
		t.Fatalf("%+v", lists)
	}
	// Descending IDs: D, C, B, A. Subtopics are b, a, c.
	want := []rank.SubtopicLabel{{Document: 1, Label: 1}, {Document: 1, Subtopic: 2, Label: -2},
		{Document: 4, Subtopic: 2, Label: 3}, {Document: 3, Label: 1}, {Document: 3, Subtopic: 1},
		{Document: 0, Subtopic: 1, Label: 1}}
	if !slices.Equal(l.Subtopics, want) {
		t.Errorf("%v, want %v", l.Subtopics, want)
	}
	if got := lists[1].Subtopics; !slices.Equal(got, []rank.SubtopicLabel{{Label: 1}}) || lists[1].ID != "t2" {
		t.Errorf("a topic without answer: %+v", lists[1])
	}
	// Expected values of pyndeval 0.0.6's tests.
	e := testkit.Must(rank.NewEvaluator("ERR-IA@5,alpha-nDCG@10,nNRBP,MAP-IA,strec@5,map",
		rank.Options{Preset: "trec_eval"}))
	v, err := e.AppendValues(nil, &l)
	for i, want := range []float64{.3933, .7868, .8620, .5, 2. / 3, (1 + 1 + .75) / 4} {
		if err != nil || math.Abs(v[i]-want) > 1e-4 {
			t.Fatalf("%v, %v: value %d, want %v", v, err, i+1, want)
		}
	}
	plain, err := ReadQrels(strings.NewReader("t1 0 A 1\n"))
	if err != nil || plain.Lists(r)[0].Subtopics != nil {
		t.Errorf("subtopics of plain judgments: %v", err)
	}
}

func TestSubtopicErrors(t *testing.T) {
	for text, want := range map[string]string{
		"t 1 d 1\nt 2 d 1\nt 1 e 0\nt 1 d 0\nt 1 d 1\n": `line 4: topic t, subtopic 1: the document is judged twice for the ` +
			`subtopic, first in line 1: "d"`,
		"t 1 e 1\nt 1 d 1\nt 2 d 1\nt 2 d 1\n": "line 4: topic t, subtopic 2: the document is judged twice for the subtopic",
		"t 1 d\n":                              "line 1: found 3 fields",
		"t 1 d 1.5\n":                          "line 1, column 7: the relevance is not an integer",
		"\n":                                   "the qrels contain no judgments",
		`{"1": {"d": 1}}`:                      "topic 1: document d: subtopic judgments must be lines of four fields, not JSON",
		"{}":                                   "the qrels contain no judgments",
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := ReadSubtopics(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		})
	}
	if _, err := LoadSubtopics("no such file"); err == nil {
		t.Error("no file: no error")
	}
}

// If the judgments are preferences, ties are broken by ascending ID. The run lacks c.
func TestReadGroups(t *testing.T) {
	const run = "t Q0 a 1 1 r\nt Q0 b 1 1 r\n"
	for _, c := range []struct{ format, qrels, want string }{
		{"qrels_jg", "t x c 2\n#\nt y a 1\nt x a 0\n", "[NaN 1] [2] [{2 0 2} {1 0 0} {1 1 1}] [x y] c:1 a:4 a:3"},
		{"qrels_prefs", "t x a 1.5\nt x a 1.5\nt x c -1\n", "[1.5 NaN] [-1] [{2 0 -1} {0 0 1.5} {0 0 1.5}] [x] c:3 a:1 a:2"},
		{"prefs", "t x p b 1\nt x q b 2e0\n", "[NaN 2] [] [{1 0 1} {1 1 2}] [x p x q] b:1 b:2"},
	} {
		t.Run(c.format, func(t *testing.T) {
			q, err := ReadGroups(strings.NewReader(c.qrels), c.format)
			if err != nil {
				t.Fatal(err)
			}
			err = q.Judge(t.Context(), must(t, ReadRun, run), "trec_eval", 1, func(_, _ int, l *rank.List) {
				got := fmt.Sprint(l.Labels, l.Unretrieved, l.Subtopics, q.Subtopics(l.ID))
				for i := range l.Subtopics {
					place := l.Place(len(l.Labels)+len(l.Unretrieved)+i, 0)
					got += fmt.Sprintf(" %s:%d", place.Text, place.Line)
				}
				if got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for text, want := range map[string]string{
		"t x d 1\nt x e 1\nt x d 2\n": `line 3: topic t, group x: the document is judged twice, first in line 1: "d"`,
		"t x d nan\n":                 "line 1, column 7: the level is not a number",
		"t x d 1e999\n":               "line 1, column 7: the level is not a number",
		`{"1": {"d": 1}}`:             "topic 1: document d: preferences must be lines of text, not JSON",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := ReadGroups(strings.NewReader(text), "qrels_prefs")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		})
	}
	_, err := ReadGroups(strings.NewReader(""), "qrels")
	if want := `trec: unknown format of judgments: "qrels"`; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	if names := must(t, ReadQrels, "t 0 d 1\n").Subtopics("t"); names != nil {
		t.Errorf("subtopics of plain judgments: %v", names)
	}
}

// The reference ranking has the order of Run.All, with and without judgments.
func TestSetReference(t *testing.T) {
	const run = "b Q0 x 1 3 r\nb Q0 y 1 2 r\nb Q0 z 1 2 r\na Q0 x 1 1 r\nc Q0 x 1 1 r\n"
	const other = "a Q0 y 1 1 o\nb Q0 w 1 2.5 o\nb Q0 y 1 4 o\nb Q0 x 1 2.5 o\nb Q0 v 1 1 o\nd Q0 x 1 1 o\n"
	r, o := must(t, ReadRun, run), must(t, ReadRun, other)
	lists := r.lists()
	setReference(lists, r, o)
	// Of b: x, z, y and y, x, w, v.
	want := "a [-1] [0] 1 b [-1 -1 -1] [2 0 1] 4 c [-1] [0] 0 "
	got := ""
	for _, l := range lists {
		got += fmt.Sprint(l.ID, " ", l.Labels, " ", l.Reference, " ", l.ReferenceLen, " ")
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	overlap := testkit.Must(rank.NewEvaluator("rbo(.8)", rank.Options{Preset: "trec_eval"}))
	res, err := overlap.EvalAll(context.Background(), lists)
	if err != nil {
		t.Fatal(err)
	}
	// Of b, by the equation in the documentation of the metric: X is 0, 1, 2 and 2.
	b := .25*(1./2*.64+2./3*.512+2./4*.4096+2./(3*4)*.4096) + 2./3*.4096
	for i, want := range []float64{0, b, 0} {
		if got := res.Metrics[0].Values[i]; math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, want %v", res.QueryIDs[i], got, want)
		}
	}
	q := must(t, ReadQrels, "b 0 x 1\nd 0 x 1\n")
	lists = q.Lists(r)
	setReference(lists, r, o)
	if len(lists) != 2 || fmt.Sprint(lists[0].Reference, lists[0].ReferenceLen, lists[1].Reference,
		lists[1].ReferenceLen) != "[2 0 1] 4 [] 1" {
		t.Errorf("%+v", lists)
	}
}
