package trec

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
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
