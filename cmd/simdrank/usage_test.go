package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// TestHelp checks that help is short and complete: usage and an example come first, and flags are
// noun phrases whose values have names of their own.
func TestHelp(t *testing.T) {
	for _, cmd := range newRoot().Commands() {
		t.Run(cmd.Name(), func(t *testing.T) {
			help := succeed(t, "", cmd.Name(), "--help")
			first, _ := splitExamples(cmd.Example)
			if !strings.HasPrefix(help, cmd.Short+".\n\nUsage:\n  simdrank "+cmd.Name()+" ") || first == "" ||
				!strings.Contains(help, " [flags]\n\nExample:\n"+first+"\n\n"+cmd.Long+"\n") {
				t.Errorf("help begins with %.300q", help)
			}
			if n := strings.Count(cmd.Long, "\n") + 1; n > 15 {
				t.Errorf("%d lines of text, must be at most 15", n)
			}
			flags := 0
			for _, section := range flagSections(cmd) {
				section.flags.VisitAll(func(f *pflag.Flag) {
					flags++
					if n := utf8.RuneCountInString(f.Usage); n > 60 && f.Name != "help" {
						t.Errorf("--%s: %d characters: %s", f.Name, n, f.Usage)
					}
					switch noun, usage := pflag.UnquoteUsage(f); {
					case usage != f.Usage || strings.Contains(usage, "`"):
						t.Errorf("--%s: backquotes in %q", f.Name, usage)
					case noun == "string" || noun == "int" || noun == "uint" || noun == "float" || noun == "float32":
						t.Errorf("--%s %s: the value has no name", f.Name, noun)
					}
					if _, ok := f.Value.(*choice); ok && !strings.Contains(help, "\n  --"+f.Name+" ") {
						t.Errorf("--%s: help does not list the accepted values", f.Name)
					}
				})
			}
			all := 0
			cmd.Flags().VisitAll(func(*pflag.Flag) { all++ })
			if flags != all {
				t.Errorf("help lists %d flags, want %d", flags, all)
			}
		})
	}
}

// TestUsage compares the messages of wrong usage, of which some are cobra's.
func TestUsage(t *testing.T) {
	for args, want := range map[string]string{
		"bogus":   `unknown command "bogus"`,
		"trian":   `unknown command "trian"; did you mean train?`,
		"--bogus": "unknown flag: --bogus",

		"train x.txt":    `unexpected argument "x.txt"`,
		"demo x":         `unexpected argument "x"`,
		"tau x y":        "tau accepts one file (found 2)",
		"compare -d x y": "compare requires at least two systems, with the baseline first",

		"train":              `train requires --data (-d) and --output (-o)`,
		"convert -i x -o y":  "convert requires --to, unless --output ends in .simdrank, .json, .ubj, .xml or .onnx",
		"compare x y":        "compare requires --data (-d) for models and scores, or --qrels for TREC runs",
		"eval":               "nothing to evaluate: use --data (-d) with --model (-m) or --scores (-s), or --run with --qrels",
		"eval -d x":          "--data (-d) requires --model (-m) or --scores (-s); use --run and --qrels for a TREC run",
		"eval -m x":          "--model (-m) and --scores (-s) require --data (-d)",
		"eval --run x":       "--run requires --qrels, or --reference to compare it with another run",
		"eval --qrels x":     "--qrels requires --run",
		"eval -d x --run y":  "--data cannot be combined with --run",
		"train --c one":      `invalid argument "one" for "--c" flag: must be a number`,
		"info --format yaml": `invalid argument "yaml" for "--format" flag: must be text, json or csv`,
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
