package tutorial

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/simdrank/simdrank/rank/data"
)

// The clicks tutorial shows results on this data.
func TestGenerator(t *testing.T) {
	for _, c := range []struct {
		g    Generator
		want string
	}{
		{Generator{Part: 1, Rows: 2000, Cols: 20, MinDocs: 10, MaxDocs: 30, Curved: true}, "c8025366b1c72ec1"},
		{Generator{Rows: 500, Cols: 46, MinDocs: 5, MaxDocs: 35}, "542085598e8405c1"},
	} {
		t.Run(c.want, func(t *testing.T) {
			h := sha256.New()
			if err := data.WriteLETOR(h, c.g.Dataset()); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(h.Sum(nil)[:8]); got != c.want {
				t.Errorf("%+v: the digest is %s, want %s", c.g, got, c.want)
			}
		})
	}
}
