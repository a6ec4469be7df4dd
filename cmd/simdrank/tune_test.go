package main

import (
	"github.com/simdrank/simdrank/internal/testkit"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestTune: the printed command line makes the model of the best trial, whatever was given.
func TestTune(t *testing.T) {
	text := letorText(t, small)
	train := writeTemp(t, "a train.txt", text)
	weights := writeTemp(t, "weights", strings.Repeat("2\n1\n", strings.Count(text, "\n")/2))
	for _, args := range []string{
		"--model ranksvm",
		"--loss hinge --standardize --pair-weights gain --space c=.01:1",
		"--model lambdamart --trees 20 --early-stopping 4 --seed 5 --depth-wise",
		"--halving 2 --space c=.01:1,loss=hinge|logistic",
		"--model lambdamart --trees 9 --early-stopping 2 --space objective=ndcg|pairwise,leaves=3|7,truncation=5|9",
		"--model lambdamart --trees 9 --early-stopping 2 --dart --skip-drop 0 --space leaves=2:9",
		"--model lambdamart --trees 9 --early-stopping 0 --row-fraction .5 --weights " + weights +
			" --space leaves=2:9,min-hessian=0:1,learning-rate=.1:.4:log --monotone 1+ --no-norm --label-gain 0,1,2,4,5",
	} {
		t.Run(testkit.CaseName(args), func(t *testing.T) {
			model := filepath.Join(t.TempDir(), "model.json")
			base := append(strings.Fields("tune --trials 3 --cv 3 --tol 1e-3 --format json"), "-d", train)
			if strings.Contains(args, "lambdamart") {
				base = append(strings.Fields("tune --trials 3 --cv 3 --format json"), "-d", train)
			}
			base = append(base, strings.Fields(args)...)
			r := decode[tuneResult](t, succeed(t, "", append(base, "-o", model, "--threads", "2")...))
			best := r.Trials[r.Best-1]
			if len(r.Trials) != 3 || len(best.Folds) != 3 || len(best.Parameters) != len(r.Space) || !(best.Value > 0) {
				t.Errorf("%+v", r)
			}
			want, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(model)
			command, found := strings.CutPrefix(r.Command, "simdrank train -d '"+train+"' ")
			if !found {
				t.Fatal(r.Command)
			}
			succeed(t, "", append([]string{"train", "-d", train}, strings.Fields(command)...)...)
			if got, err := os.ReadFile(model); err != nil || string(got) != string(want) {
				t.Errorf("%v, %s makes another model", err, r.Command)
			}
			// The same on one thread, with a model only where one is asked for.
			again := decode[tuneResult](t, succeed(t, "", append(base, "--threads", "1")...))
			if again.Trials[2].Value != r.Trials[2].Value || again.Best != r.Best {
				t.Errorf("%+v, want %+v", again, r)
			}
		})
	}
	out := succeed(t, "", "tune", "-d", train, "--space", "none")
	if !strings.Contains(out, "ranksvm: 1 trial on 5 folds of") || !strings.Contains(out, "\n  simdrank train -d '") {
		t.Error(out)
	}
}

// TestTuneInterrupted: the file of a study says where to go on, and a study of other data is
// refused.
func TestTuneInterrupted(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("a single thread makes all trials before anything can interrupt it")
	}
	train := writeTemp(t, "train.txt", letorText(t, small))
	study := filepath.Join(t.TempDir(), "study.json")
	args := []string{"tune", "-d", train, "--trials", "2", "--cv", "2", "--tol", "1e-2", "--study", study}
	want := decode[tuneResult](t, succeed(t, "", append(args, "--format", "json")...))
	again := decode[tuneResult](t, succeed(t, "", append(args, "--format", "json")...))
	if !reflect.DeepEqual(again.Trials, want.Trials) {
		t.Errorf("%+v, want %+v", again, want)
	}
	args[4] = "100000"
	was, err := os.Stat(study)
	if err != nil {
		t.Fatal(err)
	}
	said := interrupt(t, args, study, was.Size())
	if !strings.HasSuffix(said, " trials: run the same command again to resume\n") {
		t.Errorf("%q", said)
	}
	args[4] = "3"
	if r := decode[tuneResult](t, succeed(t, "", append(args, "--format", "json")...)); len(r.Trials) != 3 {
		t.Errorf("%+v", r)
	}
	args[2] = writeTemp(t, "other.txt", letorText(t, part(1)))
	fail(t, exitFailure, "", args, "simdrank: "+study+": the file belongs to a study with other data")
}

func TestTuneErrors(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--trials 0", exitUsage, "--trials 0: must be at least 1"},
		{"--cv 1", exitUsage, "--cv 1: must be at least 2"},
		{"--cv 1000", exitFailure, "the number of folds is 1000; it must be from 2 to"},
		{"--space c", exitUsage, `--space: range "c": it must have the form NAME=LOW:HIGH, NAME=LOW:HIGH:log or`},
		{"--space leaves=2:3", exitUsage, "--space: leaves cannot be tuned for --model ranksvm"},
		{"--model lambdamart --objective yetirank --space sigmoid=1:2", exitUsage,
			"--space: --sigmoid requires --objective ndcg, map, pairwise or binary"},
		{"--model lambdamart --leaves 3 --space leaves=2:3", exitUsage, "--leaves cannot be combined with --space"},
		{"--model lambdamart --space objective=ndcg|yetirank,sigmoid=1:2", exitUsage,
			"--space: --sigmoid requires --objective ndcg, map, pairwise or binary"},
		{"--model lambdamart --space objective=ndcg|yetirank --truncation 5", exitUsage,
			"--space: --truncation requires --objective ndcg, map or pairwise"},
		{"--model lambdamart --space objective=ndcg|x", exitUsage,
			`--space: range "objective=ndcg|x": "x" must be one of ndcg`},
		{"--halving 1", exitUsage, "--halving 1: must be from 2 to --cv, 5"},
		{"--halving 6", exitUsage, "--halving 6: must be from 2 to --cv, 5"},
		{"--model ridge", exitUsage, "must be ranksvm or lambdamart"},
		{"--leaves 3", exitUsage, "--leaves requires --model lambdamart"},
		{"--metric map,ndcg", exitUsage, "--metric map,ndcg: must be a single metric"},
		{"--preset trec_eval", exitFailure, "breaks ties by document ID"},
		{"--study -", exitUsage, "--study -: must be a regular file"},
		{"--study " + train, exitUsage, "would replace the input"},
		{"--study x.json -o x.json", exitUsage, "--output and --study must not name the same file"},
		{"--model lambdamart --min-rows 9999 --space none -o " + dir + "/m", exitFailure, "no split reduces the loss"},
		{"--valid x", exitUsage, "unknown flag: --valid"},
	} {
		t.Run(testkit.CaseName(c.args), func(t *testing.T) {
			fail(t, c.code, "", append([]string{"tune", "-d", train}, strings.Fields(c.args)...), c.want)
		})
	}
	if left := testkit.FileNames(t, dir); left != nil {
		t.Errorf("left %q", left)
	}
}
