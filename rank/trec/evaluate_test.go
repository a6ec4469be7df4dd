package trec

import (
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// Evaluate returns an error for a run of other topics and for an unknown metric.
func TestEvaluateErrors(t *testing.T) {
	q, err := ReadQrels(strings.NewReader("1 0 a 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := ReadRun(strings.NewReader("2 Q0 a 1 2 r\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, q.SkipUnanswered = range []bool{false, true} {
		if _, err := Evaluate(t.Context(), q, other, "map", rank.Options{}); err != ErrUnjudged {
			t.Errorf("a run of other topics, skipped %t: %v", q.SkipUnanswered, err)
		}
	}
	if _, err := Evaluate(t.Context(), q, other, "mop", rank.Options{}); err == nil || err == ErrUnjudged {
		t.Errorf("a metric that does not exist: %v", err)
	}
}
