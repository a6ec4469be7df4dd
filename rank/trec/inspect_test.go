package trec

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// Topic a has tied scores at ranks 2 to 4, b at ranks 1 and 2, c has no judgments, and d no
// results. Ties are in descending order of their IDs, so a's order is y, x, w, v, u.
func TestInspection(t *testing.T) {
	q, err := ReadQrels(strings.NewReader("a 0 x 1\na 0 w 0\na 0 v -1\na 0 z 1\nb 0 x 0\nd 0 x 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	const a = "a Q0 u 5 1 r\na Q0 y 1 9 r\na Q0 v 2 3.00000001 r\na Q0 w 3 3.00000001 r\na Q0 x 4 3.00000001 r\n"
	const b = "b Q0 x 1 2 r\nb Q0 y 2 2 r\n"
	const c = "c Q0 x 1 1 r\nc Q0 y 1 1 r\n"
	want := Inspection{JudgedTopics: 3, Unanswered: 1, NoRelevant: 1, RunTopics: 3, UnjudgedTopics: 1, Judgments: 4,
		Documents: 7, Tied: 5, Cutoffs: []CutoffInspection{
			{K: 1, Documents: 2, TiedTopics: 1},
			{K: 2, Documents: 4, Judged: 2, TiedTopics: 1},
			{K: 3, Documents: 5, Judged: 3, TiedTopics: 1},
			{K: 4, Documents: 6, Judged: 3},
			{K: 5, Documents: 7, Judged: 3},
			{K: 1000, Documents: 7, Judged: 3},
		}, qrels: q}
	for _, parts := range [][]string{{a + b + c}, {a, b, c}, {c + b, a}} {
		t.Run(fmt.Sprint(len(parts)), func(t *testing.T) {
			s := NewInspection(q, 1, 2, 3, 0, 4, 5, 1000)
			for _, part := range parts {
				r, err := ReadRun(strings.NewReader(part))
				if err != nil {
					t.Fatal(err)
				}
				s.Add(r)
			}
			if !reflect.DeepEqual(*s, want) {
				t.Errorf("%+v, want %+v", *s, want)
			}
		})
	}
}

// TestInspectDuplicates compares inspections of files with and without duplicates. Only the counts
// of duplicates may differ.
func TestInspectDuplicates(t *testing.T) {
	const judged, run = "a 0 x 1\na 0 y 0\nb 0 x 1\n", "a Q0 x 1 2 r\na Q0 y 2 1 r\nb Q0 z 1 1 r\n"
	var long strings.Builder // more than one chunk
	for i := range 90_000 {
		fmt.Fprintf(&long, "long%d Q0 document%06d 1 1.5 r\n", i/1000, i)
	}
	for _, c := range []struct {
		name, qrels, run   string
		judged, retrieved  string // the same files without duplicates
		wantQrels, wantRun string // counts and first line
	}{
		{"none", judged, run, judged, run, "0 0", "0 0"},
		{"judgments", "a 0 x 1\na 0 x 0\na 0 y 0\nb 0 x 1\na 0 x 0\nb 0 x 2\n", run, judged, run,
			`3 2 line 2: topic a: the document is judged twice, first in line 1 (subtopic judgments are for metrics ` +
				`such as alpha-ndcg@20): "x"`, "0 0"},
		{"first in the file", judged, "a Q0 x 1 2 r\na Q0 y 2 1 r\nb Q0 z 1 1 r\nb Q0 z 1 3 r\na Q0 y 3 2 r\n",
			judged, run, "0 0", `2 2 line 4: topic b: the document is retrieved twice, first in line 3: "z"`},
		{"JSON", `{"a": {"x": 1, "y": 0, "x": 0}, "b": {"x": 1}}`, `{"a": {"x": 2, "y": 1, "x": 1},` + "\n" +
			`"b": {"z": 1, "z": 2}}`, judged, run, `1 1 line 1: topic a: the document is judged twice, first in line 1 ` +
			`(subtopic judgments are for metrics such as alpha-ndcg@20): "x"`,
			`2 2 line 1: topic a: the document is retrieved twice, first in line 1: "x"`},
		{"three columns", judged, "a x 1\na x 1\na y 2\na x 3\nb z 1\n", judged, run,
			"0 0", `2 1 line 2: topic a: the document is retrieved twice, first in line 1: "x"`},
		{"restart", judged, "a Q0 x 1 2 r\na Q0 x 1 2 r\n" + long.String() + "b Q0 z 1 1 r\na Q0 y 2 1 r\n" +
			"a Q0 x 2 1 r\n", judged, run + long.String(), "0 0", `2 1 line 2: topic a: the document is retrieved twice, first in line 1: "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, want := inspected(t, c.qrels, c.run), inspected(t, c.judged, c.retrieved)
			wants := []string{c.wantQrels, c.wantRun}
			for i, d := range []*Duplicates{&got.QrelsDuplicates, &got.RunDuplicates} {
				found := fmt.Sprint(d.Lines, d.Topics)
				if d.First != nil {
					found += " " + d.First.Error()
				}
				if found != wants[i] {
					t.Errorf("%s, want %s", found, wants[i])
				}
				*d = Duplicates{}
			}
			if got.qrels, want.qrels = nil, nil; !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
	err := new(Inspection).ReadRun(strings.NewReader(run), rank.ReadOptions{MemoryLimit: 100})
	if !errors.As(err, new(*rank.OptionError)) {
		t.Errorf("limited memory: %v", err)
	}
	const same = "line 4: topic a: rank 2 occurs twice, first in line 2"
	err = new(Inspection).ReadRun(strings.NewReader("a x 1\na y 2\na x 3\na z 2\n"))
	if err == nil || !strings.Contains(err.Error(), same) {
		t.Errorf("%v, want %s", err, same)
	}
}

// inspected inspects texts.
func inspected(t *testing.T, qrels, run string) *Inspection {
	t.Helper()
	s, err := InspectQrels(strings.NewReader(qrels), []int{1, 10})
	if err == nil {
		err = s.ReadRun(strings.NewReader(run))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}
