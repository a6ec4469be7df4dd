package lambdamart

import (
	"strings"
	"testing"
)

func TestParseObjective(t *testing.T) {
	for o := NDCG; o <= Regression; o++ {
		if got, err := ParseObjective(o.String()); err != nil || got != o {
			t.Errorf("%v: %v, %v", o, got, err)
		}
	}
	const want = `lambdamart: objective "rank": must be one of ndcg, map, pairwise, xe-ndcg, listnet, yetirank, query-rmse, binary, regression`
	if _, err := ParseObjective("rank"); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
