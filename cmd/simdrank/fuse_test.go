package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/testkit"
)

func TestFuse(t *testing.T) {
	a := writeTemp(t, "a.run", "1 Q0 x 1 3 A\n1 Q0 y 2 2 A\n1 Q0 z 3 1 A\n")
	b := writeTemp(t, "b.run.gz", testkit.Gzip("1 Q0 y 1 9 B\n1 Q0 z 2 5 B\n2 Q0 x 1 4 B\n"))
	for flags, want := range map[string]string{
		"--k 1":                             "1 Q0 y 1 0.8333333333333333 rrf\n1 Q0 z 2 0.5833333333333333 rrf\n1 Q0 x 3 0.5 rrf\n2 Q0 x 1 0.5 rrf\n",
		"--method combsum":                  "1 Q0 y 1 1.5 combsum\n1 Q0 x 2 1 combsum\n1 Q0 z 3 0 combsum\n2 Q0 x 1 0 combsum\n",
		"--method isr":                      "1 Q0 y 1 2.5 isr\n1 Q0 x 2 1 isr\n1 Q0 z 3 0.7222222222222222 isr\n2 Q0 x 1 1 isr\n",
		"--depth 1 --k 1e9":                 "1 Q0 y 1 1.999999997e-09 rrf\n2 Q0 x 1 9.99999999e-10 rrf\n",
		"--weights 1,0 --k 1":               "1 Q0 x 1 0.5 rrf\n1 Q0 y 2 0.3333333333333333 rrf\n1 Q0 z 3 0.25 rrf\n2 Q0 x 1 0 rrf\n",
		"--run-name m --k 1":                "1 Q0 y 1 0.8333333333333333 m\n1 Q0 z 2 0.5833333333333333 m\n1 Q0 x 3 0.5 m\n2 Q0 x 1 0.5 m\n",
		"--method combmax --normalize none": "1 Q0 y 1 9 combmax\n1 Q0 z 2 5 combmax\n1 Q0 x 3 3 combmax\n2 Q0 x 1 4 combmax\n",
	} {
		t.Run(flags, func(t *testing.T) {
			got := warned(t, append([]string{"fuse", a, b}, strings.Fields(flags)...),
				a+": 1 of 2 topics are missing and are fused from the other runs\n")
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	out := filepath.Join(t.TempDir(), "out.run.gz")
	succeed(t, "1 Q0 y 1 2 B\n", "fuse", a, "-", "-o", out)
	text, err := files.Load(out, func(r io.Reader) (string, error) {
		plain, err := files.BudgetOf(0).Uncompressed(r)
		if err != nil {
			return "", err
		}
		b, err := io.ReadAll(plain)
		return string(b), err
	})
	if err != nil || !strings.HasPrefix(text, "1 Q0 y 1 ") || strings.Count(text, "\n") != 3 {
		t.Errorf("%v: %q", err, text)
	}

	// Only z is relevant. The second run has it higher, so the first one gets no weight.
	judgments := writeTemp(t, "qrels.txt", "1 0 z 1\n1 0 x -1\n")
	var stdout, stderr strings.Builder
	args := []string{"fuse", a, b, "--method", "combsum", "--normalize", "rank", "--tune", judgments,
		"--metric", "mrr", "--grid", "0:1:.5"}
	if code := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != exitOK {
		t.Fatal(stderr.String())
	}
	if want := "simdrank: --weights 0,0.5: mrr 0.5000 on " + judgments + "\nsimdrank: warning: " + a +
		": 1 of 2 topics are missing and are fused from the other runs\nsimdrank: warning: " + judgments +
		": 1 of 2 topics with results have no judgments and are skipped\n"; stderr.String() != want {
		t.Errorf("%q, want %q", stderr.String(), want)
	}
	if !strings.HasPrefix(stdout.String(), "1 Q0 y 1 0.5 combsum\n1 Q0 z 2 0.25 combsum\n") {
		t.Error(stdout.String())
	}
}

// Files that are fused topic by topic make the run of those that are read whole, also where lines
// of a topic or the topics of the files do not stand in order. So it is with a reference.
func TestPieces(t *testing.T) {
	long, scattered := scatteredRun(2000) // more than a piece
	quarter, half := strings.Index(long, "\n500 Q0")+1, strings.Index(long, "\n1000 Q0")+1
	a := writeTemp(t, "a.run", long)
	out := filepath.Join(t.TempDir(), "out.run")
	for name, text := range map[string]string{
		"in order": long[:quarter] + long[half:], "scattered": scattered, "in another order": long[half:] + long[:half],
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "scattered" {
				t.Skip("emulated processors run one case")
			}
			b := writeTemp(t, "b.run", text)
			// The run in order lacks topics, of which the commands warn.
			run := func(stdin string, args ...string) string {
				code, stdout, stderr := simdrank(t, stdin, args...)
				if code != exitOK || strings.Contains(stderr, "500 of 2000") != (name == "in order") {
					t.Errorf("simdrank %s: exit %d, stderr %q", strings.Join(args, " "), code, stderr)
				}
				return stdout
			}
			run("", "fuse", a, b, "--method", "combmnz", "-o", out)
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != run("", "fuse", a, b, "--method", "combmnz") {
				t.Error("another run")
			}
			whole := run(text, "eval", "--per-query", "--run", a, "--reference", "-")
			if run("", "eval", "--per-query", "--run", a, "--reference", b) != whole {
				t.Error("other results")
			}
		})
	}
	infinite := writeTemp(t, "inf.run", "1 Q0 x 1 3 A\n1 Q0 y 1 inf A\n")
	for args, want := range map[string]string{
		a + " " + infinite + " --method combsum": infinite + ":2: topic 1: the score of the document is infinite",
		a + " none":                              "none: " + syscall.ENOENT.Error(),
	} {
		t.Run(testkit.CaseName(args), func(t *testing.T) {
			fail(t, exitFailure, "", append(strings.Fields("fuse "+args), "-o", out), want)
		})
	}
}

func TestFuseErrors(t *testing.T) {
	a := writeTemp(t, "a.run", "1 Q0 x 1 3 A\n")
	bad := writeTemp(t, "bad.run", "1 Q0 x 1 3 A\n1 Q0 y 1 nan A\n")
	twice := writeTemp(t, "twice.run", "1 Q0 x 1 3 A\n1 Q0 x 1 2 A\n")
	infinite := writeTemp(t, "inf.run", "1 Q0 x 1 3 A\n1 Q0 y 1 inf A\n")
	other := writeTemp(t, "qrels.txt", "7 0 x 1\n")
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"", exitUsage, "fuse requires at least two runs (found 1)"},
		{bad, exitFailure, bad + `:2:10: the score is not a number: "nan"`},
		{twice, exitFailure, twice + ":2: topic 1: the document is retrieved twice, first in line 1"},
		{infinite + " --method combsum", exitFailure, infinite + ":2: topic 1: the score of the document is infinite"},
		{a + " --method sum", exitUsage, `invalid argument "sum" for "--method" flag: must be rrf, combsum`},
		{a + " --normalize sum", exitUsage, "--normalize has no effect with --method rrf, which uses ranks"},
		{a + " --method combmed --weights 1,2", exitUsage, "--method combmed does not support weights"},
		{a + " --method isr --tune " + other, exitUsage, "--method isr does not support weights"},
		{a + " --weights 1", exitUsage, "--weights has 1 weight for 2 runs"},
		{a + " --weights 1,inf", exitUsage, `--weights: "inf" must be a finite number`},
		{a + " --weights 1,2 --tune " + other, exitUsage, "cannot be combined with --tune"},
		{a + " --k 0", exitUsage, "--k 0: must be finite and greater than 0"},
		{a + " --k NaN", exitUsage, "--k NaN: must be finite and greater than 0"},
		{a + " --k 2 --method borda", exitUsage, "--k requires --method rrf, not borda"},
		{a + " --depth 0", exitUsage, "--depth 0: must be at least 1"},
		{a + " --metric map", exitUsage, "--metric requires --tune"},
		{a + " --grid 0:1:1", exitUsage, "--grid requires --tune"},
		{a + " --run-name a/\t", exitUsage, "--run-name: the name "},
		{a + " --tune " + other + " --grid 1:0:1", exitUsage,
			`--grid "1:0:1": the end must not be less than the start`},
		{a + " --tune " + other + " --metric foo", exitUsage, `--metric: metric "foo"`},
		{a + " --tune " + other, exitFailure, other + ": no topic of the runs has judgments"},
		{a + " -o " + a, exitUsage, "the output " + a + " would replace the input " + a},
		{"- --tune -", exitUsage, "only one input can be standard input"},
	} {
		t.Run(testkit.CaseName(c.flags), func(t *testing.T) {
			words := strings.FieldsFunc(c.flags, func(r rune) bool { return r == ' ' })
			fail(t, c.code, "", append([]string{"fuse", a}, words...), c.want)
		})
	}
	if got, err := os.ReadFile(a); err != nil || string(got) != "1 Q0 x 1 3 A\n" {
		t.Errorf("%v: the input is now %q", err, got)
	}
}
