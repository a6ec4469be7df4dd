package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/simdrank/simdrank/rank"
)

// gateFiles writes judgments of six topics, a run with the relevant document first, and a run with
// it second. Their difference in mrr is -0.5 on each topic, and the exact p-value is 2/2⁶.
func gateFiles(t *testing.T) (judgments, good, bad string) {
	t.Helper()
	var q, first, second strings.Builder
	for topic := range 6 {
		fmt.Fprintf(&q, "%d 0 a 1\n%[1]d 0 b 0\n", topic)
		fmt.Fprintf(&first, "%d Q0 a 1 2 s\n%[1]d Q0 b 2 1 s\n", topic)
		fmt.Fprintf(&second, "%d Q0 b 1 2 s\n%[1]d Q0 a 2 1 s\n", topic)
	}
	return writeTemp(t, "qrels", q.String()), writeTemp(t, "good", first.String()), writeTemp(t, "bad", second.String())
}

func TestGate(t *testing.T) {
	judgments, good, bad := gateFiles(t)
	const loss = "bad differs from good by -0.5 in mrr, 95% interval [-0.5, -0.5]"
	for _, c := range []struct {
		flags string // separated by ", "
		want  string // lines on standard error
	}{
		{"--fail-if=mrr < -0.4", "simdrank: --fail-if 'mrr < -0.4': " + loss + "\n"},
		{"--fail-if=mrr < -0.5", ""},
		{"--fail-if=mrr <= -0.5", "simdrank: --fail-if 'mrr <= -0.5': " + loss + "\n"},
		{"--fail-if=recip_rank<-.4", "simdrank: --fail-if 'recip_rank<-.4': " + loss + "\n"},
		{"--fail-if=mrr > -0.5", ""},
		{"--fail-if=mrr >= -0.5", "simdrank: --fail-if 'mrr >= -0.5': " + loss + "\n"},
		{"--fail-if=mrr > -1", "simdrank: --fail-if 'mrr > -1': " + loss + "\n"},
		{"--fail-if=mrr.low < -0.4", "simdrank: --fail-if 'mrr.low < -0.4': " + loss + "\n"},
		{"--fail-if=mrr.high < -0.5", ""},
		{"--fail-if=mrr < -0.4, --fail-if=mrr < -0.3",
			"simdrank: --fail-if 'mrr < -0.4': " + loss + "\nsimdrank: --fail-if 'mrr < -0.3': " + loss + "\n"},
		{"--fail-if-significant-loss", "simdrank: --fail-if-significant-loss: " + loss + ", corrected p 0.0312\n"},
		{"--fail-if-significant-loss, --per-query, --format=csv",
			"simdrank: --fail-if-significant-loss: " + loss + ", corrected p 0.0312\n"},
		{"--fail-if-significant-loss, --all-pairs, --format=latex",
			"simdrank: --fail-if-significant-loss: " + loss + ", corrected p 0.0312\n"},
	} {
		t.Run(c.flags, func(t *testing.T) {
			args := []string{"compare", "--qrels", judgments, "--metric", "mrr,judged@1", good, bad}
			if !strings.Contains(c.flags, "latex") {
				args = append(args, "--interval", "student")
			}
			code, stdout, stderr := simdrank(t, "", append(args, strings.Split(c.flags, ", ")...)...)
			want := exitOK
			if c.want != "" {
				want = exitGate
			}
			if code != want || stderr != c.want {
				t.Errorf("exit %d, stderr %q, want %d and %q", code, stderr, want, c.want)
			}
			if !strings.Contains(stdout, "bad") {
				t.Errorf("no table: %q", stdout)
			}
		})
	}
	// The rules also apply to groups. Two systems are equal on the first two topics.
	mixed := writeTemp(t, "mixed", "0 Q0 a 1 2 s\n1 Q0 a 1 2 s\n2 Q0 b 1 2 s\n2 Q0 a 2 1 s\n")
	topics := writeTemp(t, "topics", "0 0 a 1\n1 0 a 1\n2 0 a 1\n")
	groups := writeTemp(t, "groups", "0 short\n1 short\n2 long\n")
	code, _, stderr := simdrank(t, "", "compare", "--qrels", topics, good, mixed, "--metric", "mrr", "--by", groups,
		"--interval", "student", "--fail-if", "mrr < -0.2")
	if want := "simdrank: --fail-if 'mrr < -0.2': group long: mixed differs from good by -0.5 in mrr\n"; code != exitGate || !strings.HasSuffix(stderr, want) {
		t.Errorf("groups: exit %d, %q, want %q", code, stderr, want)
	}
	// A gain is not a loss, and neither is a difference that is not significant.
	succeed(t, "", "compare", "--qrels", judgments, bad, good, "--metric", "mrr", "--fail-if-significant-loss")
	five := writeTemp(t, "five", "0 0 a 1\n1 0 a 1\n2 0 a 1\n3 0 a 1\n4 0 a 1\n")
	code, got, _ := simdrank(t, "", "compare", "--qrels", five, good, bad, "--metric", "mrr",
		"--fail-if-significant-loss")
	if code != exitOK || !strings.Contains(got, "0.0625") {
		t.Errorf("five topics: exit %d, %s", code, got)
	}
	for _, c := range []struct{ flag, want string }{
		{"--fail-if=mrr", "must be a metric, <, <=, > or >=, and a difference"},
		{"--fail-if=mrr < x", "must be a metric, <, <=, > or >=, and a difference"},
		{"--fail-if=mrr < NaN", "the difference must be finite"},
		{"--fail-if=mmrr < 0", `metric "mmrr": the name is unknown; did you mean mrr?`},
		{"--fail-if=map < 0", "--fail-if 'map < 0' requires --metric map (the metrics are judged@1,mrr)"},
		{"--fail-if=mrr@5 < 0", "requires --metric mrr@5 (the metrics are judged@1,mrr)"},
	} {
		t.Run(c.flag, func(t *testing.T) {
			// The files do not exist: the rule is checked first.
			args := []string{"compare", "--qrels", "no", "a", "b", "--metric", "judged@1,mrr", c.flag}
			fail(t, exitUsage, "", args, c.want)
		})
	}
	fail(t, exitUsage, "", []string{"compare", "--qrels", "no", "a", "b", "--metric", "judged@1,rbp-residual(0.5)",
		"--fail-if-significant-loss"}, "requires a metric of quality, but the metrics are judged@1,rbp-residual(0.5)")
}

func TestMeasuresQuality(t *testing.T) {
	for name, want := range map[string]bool{"ndcg@10": true, "rbp(0.5)": true, "err": true, "judged@10": false,
		"rbp-residual(0.5)@10": false} {
		t.Run(name, func(t *testing.T) {
			m, err := rank.ParseMetric(name)
			if got := measuresQuality(m); err != nil || got != want {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		})
	}
}

// TestGateWorkflow checks that the workflow in the guide pins the same actions as the workflows of
// this project.
func TestGateWorkflow(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "howto", "gate-a-build.md"))
	if err != nil {
		t.Skip(err) // the command on its own, outside the project's tree
	}
	own, err := os.ReadFile(filepath.Join(root, ".github", "workflows", "ci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	uses := regexp.MustCompile(`(?m)^ +- uses: .*\n`).FindAllString(string(page), -1)
	if len(uses) == 0 {
		t.Error("the page has no workflow")
	}
	for _, line := range uses {
		t.Run(line, func(t *testing.T) {
			if !strings.Contains(string(own), line) {
				t.Errorf("ci.yml pins another version than %q", line)
			}
		})
	}
}
