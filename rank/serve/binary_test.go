package serve

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// TestBinary checks that a program that only scores links no training code, no evaluation and no
// gonum.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program, whose functions are the same on every architecture: not run in short mode")
	}
	binary := filepath.Join(t.TempDir(), "score")
	for _, c := range []struct {
		args      []string
		has, lack string
	}{
		{[]string{"build", "-o", binary, "./testdata"}, "^$", "."},
		{[]string{"tool", "nm", binary}, `lambdamart\.\(\*Scorer\)\.`,
			`gonum|treceval|internal/ranksvm|Trainer\)\.Fit|internal/boost\.\(|explain\.\(`},
		{[]string{"list", "-deps", "./testdata"}, "rank/serve", "gonum|rank/(trec|tune|data|compare|pairwise)"},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			out, err := exec.Command("go", c.args...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !regexp.MustCompile(c.has).Match(out) {
				t.Errorf("lacks %s", c.has)
			}
			if found := regexp.MustCompile(`(?m)^.*(` + c.lack + `).*$`).Find(out); found != nil {
				t.Errorf("links %s", found)
			}
		})
	}
}
