package main

import (
	"strings"
	"testing"
)

// TestUsage compares whole messages: none is left in the words of cobra and pflag.
func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"bogus":            `unknown command "bogus"`,
		"trian":            `unknown command "trian"; did you mean train?`,
		"--bogus":          "unknown flag --bogus",
		"help bogus":       `unknown help topic "bogus"`,
		"help info bogus":  `unknown help topic "info bogus"`,
		"completion bogus": `unknown command "bogus"`,
		"completion zsh x": `unexpected argument "x"`,

		"train x.txt":              `unexpected argument "x.txt"; did you mean -d x.txt?`,
		"train -d x.txt y.txt":     `unexpected argument "y.txt"`,
		"predict -m x y.txt":       `unexpected argument "y.txt"; did you mean -d y.txt?`,
		"predict -d x y.json":      `unexpected argument "y.json"; did you mean -m y.json?`,
		"eval x.txt":               `unexpected argument "x.txt"; did you mean -d x.txt?`,
		"importance x.json":        `unexpected argument "x.json"; did you mean -m x.json?`,
		"convert x.txt --to letor": `unexpected argument "x.txt"; did you mean -i x.txt?`,
		"info x.txt":               `unexpected argument "x.txt"; did you mean -d x.txt?`,
		"demo x":                   `unexpected argument "x"`,
		"tau x y":                  "tau takes one file, not 2",
		"compare -d x y":           "compare needs at least two systems, the baseline first",

		"train":                      "train needs --data (-d) and --output (-o)",
		"train -d x":                 "train needs --output (-o)",
		"predict -m x":               "predict needs --data (-d)",
		"convert -i x -o y":          "convert needs --to, unless --output ends in .simdrank, .json, .ubj or .xml",
		"importance":                 "importance needs --model (-m)",
		"compare x y":                "compare needs --data (-d) for models and scores, or --qrels for TREC runs",
		"eval":                       "nothing to measure: eval needs --data (-d) with --model (-m) or --scores (-s), or --run with --qrels",
		"eval -d x":                  "--data (-d) needs what to measure, --model (-m) or --scores (-s); a TREC run is measured by --run and --qrels",
		"eval -m x":                  "--model (-m) and --scores (-s) need --data (-d), the documents to rank",
		"eval --run x":               "--run needs --qrels, the judgments to measure the run against (or --reference, another run)",
		"eval --qrels x":             "--qrels needs --run, the run to measure",
		"eval -d x -m y -s z":        "--model (-m) and --scores (-s) exclude each other",
		"eval -d x --run y":          "--data (-d) and --run exclude each other",
		"compare -d x --qrels y a b": "--data (-d) and --qrels exclude each other",

		"train -d x -o y -d z":                 "--data (-d) is given twice",
		"train -d x -o y --data x":             "--data (-d) is given twice",
		"train -d x -o y -o y":                 "--output (-o) is given twice",
		"eval -m x -d y -m z":                  "--model (-m) is given twice",
		"eval -m x -d y --metric a --metric b": "--metric is given twice",
		"demo --format json --format text":     "--format is given twice",
		"predict -m x -d y --gather --gather":  "--gather is given twice",

		"train --metrics map":   "unknown flag --metrics; did you mean --metric?",
		"info -x":               "unknown flag -x",
		"eval -qrels x":         "unknown flag -rels; did you mean --qrels?",
		"train -data x -o y":    "-data: want two dashes, --data",
		"train -d":              "--data (-d) needs a value: LETOR data, lines of label qid:query index:value …, or .simdrank",
		"train --c one":         `--c "one": want a number`,
		"train --cv 1.5":        `--cv "1.5": want an integer`,
		"train --seed -1":       `--seed "-1": want an integer from 0`,
		"train --trees 1e9":     `--trees "1e9": want an integer`,
		"train --c 1e999":       `--c "1e999": the number is out of range`,
		"predict --gather=some": `--gather "some": want true or false`,
		"info --format yaml":    `--format "yaml": want text or json or csv`,
		"predict --=3":          "bad flag syntax: --=3",
	} {
		fail(t, exitUsage, "", strings.Fields(args), "simdrank: "+want+"\nRun 'simdrank")
	}
}

// A variable of the shell that is not set leaves an empty value, which names no file.
func TestEmptyValues(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"eval", "-m", "x", "-d", ""}, "--data (-d) is empty, and needs a value: LETOR data"},
		{[]string{"train", "-d", "x", "-o", ""}, "--output (-o) is empty, and needs a value: file for the model"},
		{[]string{"info", "--model="}, "--model (-m) is empty, and needs a value: model to tell about"},
		{[]string{"compare", "-d", "x", "a", ""}, "argument 2 is empty"},
		{[]string{"tau", ""}, "argument 1 is empty"},
	} {
		fail(t, exitUsage, "", c.args, "simdrank: "+c.want)
	}
}
