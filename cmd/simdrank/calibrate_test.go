package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const calibrateModel = `{"format":"simdrank-linear","version":1,"weights":[1]}`

// calibrateData has scores 1 to 6. Documents with a label from 2 on are relevant.
const calibrateData = "0 qid:1 1:1 # docid = a\n0 qid:1 1:2 # docid = b\n2 qid:1 1:3 # docid = c\n" +
	"1 qid:2 1:4 # docid = d\n2 qid:2 1:5 # docid = e\n3 qid:2 1:6 # docid = f\n"

func TestCalibrate(t *testing.T) {
	model, data := writeTemp(t, "m.json", calibrateModel), writeTemp(t, "d.txt", calibrateData)
	out := filepath.Join(t.TempDir(), "calibrated.json")
	args := []string{"calibrate", "-m", model, "-d", data, "-o", out, "--relevant", "2"}
	want := "calibrated on 6 documents, 3 relevant: isotonic, 6 points\n"
	if got := succeed(t, "", args...); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for form, want := range map[string]string{
		"text": "0\n0\n0.5\n0.5\n1\n1\n",
		"csv":  "query,document,score,probability\n1,a,1,0\n1,b,2,0\n1,c,3,0.5\n2,d,4,0.5\n2,e,5,1\n2,f,6,1\n",
		"json": "{\n  \"probabilities\": [\n    0,\n    0,\n    0.5,\n    0.5,\n    1,\n    1\n  ]\n}\n",
		"trec": "1 Q0 c 1 0.5 simdrank\n1 Q0 b 2 0 simdrank\n1 Q0 a 3 -1.401298464324817e-45 simdrank\n" +
			"2 Q0 f 1 1 simdrank\n2 Q0 e 2 0.9999999403953552 simdrank\n2 Q0 d 3 0.5 simdrank\n",
	} {
		t.Run(form, func(t *testing.T) {
			if got := succeed(t, "", "predict", "-m", out, "-d", data, "--calibrated", "--format", form); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	// Scores stay as they were.
	if got := succeed(t, "", "predict", "-m", out, "-d", data); got != "1\n2\n3\n4\n5\n6\n" {
		t.Errorf("scores %q", got)
	}
	if got := succeed(t, "", "info", "-m", out); !strings.Contains(got, "calibration: isotonic\n") {
		t.Errorf("info: %s", got)
	}
	_, _, warning := simdrank(t, "", "convert", "-i", out, "--to", "svmlight", "-o", out+".dat")
	if !strings.Contains(warning, "the calibration is dropped, because svmlight does not store it") {
		t.Errorf("convert: %s", warning)
	}
	r := decode[calibrationResult](t, succeed(t, "", append(args, "--calibration", "platt", "--format", "json")...))
	if r.Method != "platt" || r.Documents != 6 || r.Relevant != 3 || r.Points != 0 ||
		!(*r.Slope > 0 && *r.Intercept < 0) {
		t.Errorf("%+v", r)
	}
	if got := succeed(t, "", "info", "-m", out); !strings.Contains(got, "calibration: platt\n") {
		t.Errorf("info: %s", got)
	}
}

// A runLine is a line of a TREC run.
type runLine struct {
	query, doc string
	score      float64
}

// TestCalibratedRun: readers of a run with plateaus rank as by the scores, even in float32.
func TestCalibratedRun(t *testing.T) {
	train := writeTemp(t, "train.txt", letorText(t, small))
	dir := t.TempDir()
	trees, out := filepath.Join(dir, "trees.json"), filepath.Join(dir, "out.json")
	succeed(t, "", "train", "-d", train, "--model", "lambdamart", "--trees", "5", "-o", trees)
	succeed(t, "", "calibrate", "-m", trees, "-d", train, "-o", out)
	read := func(args ...string) (list []runLine) {
		t.Helper()
		text := succeed(t, "", append([]string{"predict", "-m", out, "-d", train, "--format", "trec"}, args...)...)
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			score, err := strconv.ParseFloat(f[4], 64)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, runLine{f[0], f[2], score})
		}
		return list
	}
	plain := succeed(t, "", "predict", "-m", out, "-d", train, "--calibrated")
	distinct := strings.Fields(plain)
	slices.Sort(distinct)
	if n := len(slices.Compact(distinct)); n > 60 {
		t.Errorf("%d distinct probabilities, want plateaus", n)
	}
	raw, calibrated := read(), read("--calibrated")
	if len(raw) != len(calibrated) || len(raw) == 0 {
		t.Fatalf("%d lines, want %d", len(calibrated), len(raw))
	}
	for i := range raw {
		a, b := raw[i], calibrated[i]
		if a.query != b.query || a.doc != b.doc {
			t.Fatalf("line %d: %v, want %v", i, b, a)
		}
		if i > 0 && raw[i-1].query == a.query &&
			(float32(calibrated[i-1].score) > float32(b.score)) != (raw[i-1].score > a.score) {
			t.Errorf("line %d: %v follows %v, but the scores are %v and %v", i, b.score, calibrated[i-1].score,
				raw[i-1].score, a.score)
		}
	}
	fail(t, exitFailure, "", []string{"predict", "-m", trees, "-d", train, "--calibrated"},
		"--calibrated: "+trees+" is not calibrated (use simdrank calibrate)")
	fail(t, exitFailure, "", []string{"predict", "-m", out, "-d", train, "--calibrated", "--trees", "2"},
		"is not calibrated for this number of trees")
	succeed(t, "", "predict", "-m", out, "-d", train, "--calibrated", "--trees", "all")
}

func TestCalibrateErrors(t *testing.T) {
	model, data := writeTemp(t, "m.json", calibrateModel), writeTemp(t, "d.txt", calibrateData)
	out := filepath.Join(t.TempDir(), "out.json")
	for _, c := range []struct {
		code int
		args string
		want string
	}{
		{exitUsage, "--calibration beta", "must be isotonic or platt"},
		{exitUsage, "--relevant NaN", "--relevant NaN: must be a number"},
		{exitFailure, "--relevant 4", data + ": the total weight is 0 for relevant documents (label at least 4)"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := append([]string{"calibrate", "-m", model, "-d", data, "-o", out}, strings.Fields(c.args)...)
			fail(t, c.code, "", args, c.want)
		})
	}
}
