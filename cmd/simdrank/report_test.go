package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pageFiles trains a model of each kind on demo data of 46 features, of which the first has a name
// that a page must not take for a script.
func pageFiles(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("trains for seconds on emulated processors")
	}
	t.Chdir(t.TempDir())
	succeed(t, "", "demo", "--write", ".")
	names := "<script>alert(1)</script>\n"
	for i := range 45 {
		names += "name " + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n"
	}
	if err := os.WriteFile("names", []byte(names), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestReport(t *testing.T) {
	pageFiles(t)
	for _, args := range []string{
		"--model ranksvm --c-path 0.001,0.01 -o svm.json",
		"--model ridge -o ridge.json",
		"--model lambdamart --trees 10 -o trees.json",
		"--model lambdamart --trees 10 --early-stopping 5 --retrain -o retrained.json",
	} {
		t.Run(args, func(t *testing.T) {
			out := args[strings.LastIndex(args, " ")+1:]
			page := strings.TrimSuffix(out, ".json") + ".html"
			succeed(t, "", append(append([]string{"train"}, strings.Fields(args)...), "-d", "train.txt", "--valid",
				"test.txt", "--feature-names",
				"names", "--report", page)...)
		})
	}
	for page, want := range map[string][]string{
		"svm.html":       {"Choice of C", "selected: ", "svm.json on test.txt", "Weights"},
		"ridge.html":     {"Weights", "&lt;script&gt;alert(1)"},
		"trees.html":     {"Training", "best: ", "SHAP values", "--report trees.html", "train.txt"},
		"retrained.html": {"before --retrain"},
	} {
		t.Run(page, func(t *testing.T) {
			text := readFile(t, page)
			for _, w := range append(want, "SHA-256 ", "</html>", "kernels") {
				if !strings.Contains(text, w) {
					t.Errorf("%s lacks %q", page, w)
				}
			}
			if strings.Contains(text, "<script") {
				t.Errorf("%s has a script", page)
			}
		})
	}

	args := []string{"report", "-m", "ridge.json", "-m", "trees.json", "-d", "test.txt", "--train", "train.txt",
		"--feature-names", "names", "-o"}
	succeed(t, "", append(args, "two.html")...)
	two := readFile(t, "two.html")
	for _, w := range []string{"Comparison with ridge.json", "trees.json vs. ridge.json", "Training of trees.json",
		"--model ridge.json --model trees.json", "data train.txt"} {
		if !strings.Contains(two, w) {
			t.Errorf("two.html lacks %q", w)
		}
	}
	succeed(t, "", append(args, "again.html")...)
	if again := readFile(t, "again.html"); strings.ReplaceAll(again, "again.html", "two.html") != two {
		t.Error("the same input gives other bytes")
	}

	t.Run("plots", func(t *testing.T) {
		for log, args := range map[string]string{
			"path.json":  "--c-path 0.001,0.01",
			"svm.log":    "--verbose",
			"trees.log":  "--model lambdamart --trees 3 --verbose",
			"silent.log": "--model ridge",
		} {
			t.Run(log, func(t *testing.T) {
				out := succeed(t, "", append(append([]string{"train"}, strings.Fields(args)...), "-d", "train.txt",
					"--valid", "test.txt", "-o", "x.json",
					"--format", "json")...)
				if err := os.WriteFile(log, []byte(out), 0o666); err != nil {
					t.Fatal(err)
				}
			})
		}
		for _, c := range []struct{ args, want string }{
			{"curve -m trees.json -d test.txt --train train.txt", "best on test.txt"},
			{"curve --log svm.log", "passes over the data"},
			{"curve --log trees.log", "trees"},
			{"path --log path.json", "selected: "},
			{"importance -m trees.json", "gain"},
			{"importance -m trees.json -d test.txt", "SHAP"},
			{"importance -m ridge.json -d test.txt", "score change"},
			{"shap -m trees.json -d test.txt", "contribution"},
			{"ndcg-at-k -m trees.json -m ridge.json -d test.txt", "ridge.json"},
			{"queries -m ridge.json -d test.txt", "Queries, ridge.json"},
			{"queries -m ridge.json -m trees.json -d test.txt", "trees.json vs. ridge.json"},
			{"scores -m ridge.json -d test.txt", "label 4"},
			{"calibration -m ridge.json -m svm.json -d test.txt", "mean label"},
		} {
			t.Run(c.args, func(t *testing.T) {
				args := append([]string{"plot"}, strings.Fields(c.args)...)
				succeed(t, "", append(args, "-o", "x.svg")...)
				if svg := readFile(t, "x.svg"); !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, c.want) {
					t.Errorf("plot %s lacks %q", c.args, c.want)
				}
			})
		}
		succeed(t, "", "calibrate", "-m", "ridge.json", "-d", "test.txt", "-o", "calibrated.json")
		succeed(t, "", "plot", "reliability", "-m", "calibrated.json", "-d", "test.txt", "-o", "x.svg")
		if svg := readFile(t, "x.svg"); !strings.Contains(svg, "calibrated.json: ECE 0.0000, Brier score 0.") {
			t.Errorf("plot reliability: %s", svg)
		}
		for _, c := range []struct {
			args string
			code int
			want string
		}{
			{"reliability -m ridge.json -d test.txt -o x.svg", exitFailure, "ridge.json is not calibrated"},
			{"-o x.svg", exitUsage, "plot requires one figure: curve, path"},
			{"none -o x.svg", exitUsage, `unknown figure "none"`},
			{"shap -m trees.json -d test.txt -o x.png", exitUsage, "--output (-o) x.png: the name must end in .svg"},
			{"shap -m trees.json -o x.svg", exitUsage, "plot shap requires --data (-d)"},
			{"shap -m ridge.json -d test.txt -o x.svg", exitUsage, "ridge.json is a linear model"},
			{"shap -m trees.json -m ridge.json -d test.txt -o x.svg", exitUsage, "requires one model (found 2)"},
			{"queries -m trees.json -m ridge.json -m svm.json -d test.txt -o x.svg", exitUsage, "one or two"},
			{"scores -d test.txt -o x.svg", exitUsage, "plot scores requires --model (-m)"},
			{"importance -m ridge.json -o x.svg", exitUsage, "plot importance of a linear model requires --data (-d)"},
			{"path -m ridge.json -d test.txt -o x.svg", exitUsage, "plot path requires --log"},
			{"scores --log svm.log -o x.svg", exitUsage, "--log requires plot curve or plot path"},
			{"path --log svm.log -o x.svg", exitFailure, "svm.log: the log does not contain a choice of C"},
			{"curve --log silent.log -o x.svg", exitFailure, "silent.log: the log contains no curve"},
			{"curve --log names -o x.svg", exitFailure, "names: the file is not the output of train --format json"},
			{"scores -m none.json -d test.txt -o x.svg", exitFailure, "none.json"},
			{"scores -m ridge.json -d test.txt -o none/x.svg", exitFailure, "none"},
		} {
			fail(t, c.code, "", append([]string{"plot"}, strings.Fields(c.args)...), c.want)
		}
	})

	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"report -d test.txt -o x.html", exitUsage, `report requires --model (-m)`},
		{"report -m ridge.json -d test.txt -o test.txt", exitUsage, "would replace the input test.txt"},
		{"report -m ridge.json -d test.txt -o none/x.html", exitFailure, "none"},
		{"report -m names -d test.txt -o x.html", exitFailure, "names: "},
		{"report -m ridge.json -d names -o x.html", exitFailure, "names:1:"},
		{"train -d train.txt -o m.json --report m.json", exitUsage, "--output and --report must not name"},
		{"train -d train.txt -o m.json --report train.txt", exitUsage, "would replace the input train.txt"},
	} {
		t.Run(c.args, func(t *testing.T) {
			fail(t, c.code, "", strings.Fields(c.args), c.want)
		})
	}
	if _, err := os.Stat(filepath.Join(".", "x.html")); err == nil {
		t.Error("a failure left a page")
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
