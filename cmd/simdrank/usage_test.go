package main

import (
	"strings"
	"testing"
)

// TestUsage compares the messages of wrong usage, of which some are cobra's.
func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"bogus":   `unknown command "bogus"`,
		"trian":   `unknown command "trian"; did you mean train?`,
		"--bogus": "unknown flag: --bogus",

		"train x.txt":    `unexpected argument "x.txt"`,
		"demo x":         `unexpected argument "x"`,
		"tau x y":        "tau takes one file, not 2",
		"compare -d x y": "compare needs at least two systems, the baseline first",

		"train":              `required flag(s) "data", "output" not set`,
		"convert -i x -o y":  "convert needs --to, unless --output ends in .simdrank, .json, .ubj or .xml",
		"compare x y":        "compare needs --data (-d) for models and scores, or --qrels for TREC runs",
		"eval":               "nothing to measure: eval needs --data (-d) with --model (-m) or --scores (-s), or --run with --qrels",
		"eval -d x":          "--data (-d) needs what to measure, --model (-m) or --scores (-s); a TREC run is measured by --run and --qrels",
		"eval -m x":          "--model (-m) and --scores (-s) need --data (-d), the documents to rank",
		"eval --run x":       "--run needs --qrels, the judgments to measure the run against (or --reference, another run)",
		"eval --qrels x":     "--qrels needs --run, the run to measure",
		"eval -d x --run y":  "if any flags in the group [data run] are set none of the others can be; [data run] were all set",
		"train --c one":      `invalid argument "one" for "--c" flag: strconv.ParseFloat: parsing "one": invalid syntax`,
		"info --format yaml": `invalid argument "yaml" for "--format" flag: want text or json or csv`,
		"predict --=3":       "bad flag syntax: --=3",

		"train -d x -o y --data x":            "--data is given twice",
		"predict -m x -d y --gather --gather": "--gather is given twice",

		"train --metrics map": "unknown flag: --metrics; did you mean --metric?",
		"info -x":             "unknown shorthand flag: 'x' in -x",
		"train -d":            "flag needs an argument: 'd' in -d",
	} {
		t.Run(args, func(t *testing.T) {
			fail(t, exitUsage, "", strings.Fields(args), "simdrank: "+want+"\nRun 'simdrank")
		})
	}
}

// A variable of the shell that is not set leaves an empty value, which names no file.
func TestEmptyValues(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"eval", "-m", "x", "-d", ""}, "--data is empty"},
		{[]string{"info", "--model="}, "--model is empty"},
		{[]string{"compare", "-d", "x", "a", ""}, "argument 2 is empty"},
		{[]string{"tau", ""}, "argument 1 is empty"},
	} {
		t.Run(c.want, func(t *testing.T) {
			fail(t, exitUsage, "", c.args, "simdrank: "+c.want)
		})
	}
}
