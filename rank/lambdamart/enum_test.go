package lambdamart

import (
	"strings"
	"testing"
)

func TestEnums(t *testing.T) {
	for o := NDCG; o <= Regression; o++ {
		if got, err := ParseObjective(o.String()); err != nil || got != o {
			t.Errorf("%v: %v, %v", o, got, err)
		}
	}
	for z := ZerosAreUnknown; z <= ZerosAreMissing; z++ {
		if got, err := ParseZeros(z.String()); err != nil || got != z {
			t.Errorf("%v: %v, %v", z, got, err)
		}
	}
	_, objective := ParseObjective("rank")
	_, zeros := ParseZeros("rank")
	for _, c := range []struct {
		err  error
		want string
	}{
		{objective, `lambdamart: objective "rank": want one of ndcg, map, pairwise, xe-ndcg, listnet, yetirank, query-rmse, binary, regression`},
		{zeros, `lambdamart: zeros "rank": want one of unknown, value, missing`},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), c.want) {
			t.Errorf("error %v, want %s", c.err, c.want)
		}
	}
}
