package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// hostile is what a terminal would obey: it clears the screen, sets a title, changes colors by a
// control of one character, and turns the direction of text.
const hostile = "\x1b[2J\x1b]0;t\a\u009b31m\x7f\u202e\u2066"

// obeyed returns the first character of a text that a terminal obeys, "" if there is none.
func obeyed(text string) string {
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return strconv.QuoteRune(r)
		}
	}
	return ""
}

// TestHostileNames gives each command that prints names, identifiers and settings hostile ones.
// Text that people read is without them wherever it goes. On a terminal, so is all other output.
func TestHostileNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const field = "\u009b31m\x7f\u202e\u2066" // of a run, whose fields end at smaller controls
	var table, first, other, qrels strings.Builder
	fmt.Fprintf(&table, "label,qid,doc,\"%sa\",=b\n", hostile)
	for i := range 60 {
		query, doc := fmt.Sprint(hostile, "q", i/6), fmt.Sprint(hostile, "d", i)
		fmt.Fprintf(&table, "%d,%s,%s,%d,%d\n", i%3, query, doc, i%7, i%5)
		query, doc = fmt.Sprint(field, "q", i/6), fmt.Sprint(field, "d", i)
		fmt.Fprintf(&first, "%s Q0 %s 1 %d %s\n", query, doc, i%7, field)
		fmt.Fprintf(&other, "%s Q0 %s 1 %d other\n", query, doc, i%5)
		fmt.Fprintf(&qrels, "%s 0 %s %d\n", query, doc, i%3)
	}
	data := hostile + "data.csv"
	write(data, table.String())
	write(hostile+"run", first.String())
	write("run", other.String())
	write("qrels", qrels.String())
	succeed(t, "", "train", "-d", data, "--model", "ridge", "-o", "linear.json")
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--trees", "2", "--min-rows", "1", "-o", "trees.json")
	model, err := os.ReadFile("trees.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(model)
	if at := strings.Index(text, `"settings":{`); at < 0 {
		t.Fatalf("no settings in %.300s", text)
	} else {
		at += len(`"settings":{`)
		text = text[:at] + `"\u001b[2Jname\u202e":"\u001b[2Jvalue\u009b",` + text[at:]
	}
	write("trees.json", text)
	write("scores", strings.Repeat("1\n", 60))
	for _, c := range []struct {
		args string
		data bool // what is printed is data for programs, unless it goes to a terminal
		code int
	}{
		{"info -m trees.json", false, exitOK},
		{"info -d DATA", false, exitOK}, {"info -m none-HOSTILE", false, exitFailure},
		{"importance -m trees.json", false, exitOK}, {"importance -m linear.json -d DATA", false, exitOK},
		{"explain -m trees.json -d DATA --query HOSTILEq3", false, exitOK},
		{"explain -m linear.json -d DATA --query HOSTILEq3", false, exitOK},
		{"explain -m linear.json -d DATA", false, exitUsage},
		{"eval -m trees.json -d DATA --per-query", false, exitOK},
		{"eval --run HOSTILErun --qrels qrels --per-query", true, exitOK},
		{"eval -m trees.json -d DATA --metric HOSTILE", false, exitUsage},
		{"compare --qrels qrels HOSTILErun run --per-query", false, exitOK},
		{"compare --qrels qrels HOSTILErun run --format markdown", false, exitOK},
		{"train -d DATA -o new.json", false, exitOK},
		{"refit -m trees.json -d DATA -o new.json", false, exitOK},
		{"tune -d DATA --trials 2", false, exitOK}, {"fuse HOSTILErun run -o fused", false, exitOK},
		{"predict -m trees.json -d DATA", true, exitOK},
		{"predict -m trees.json -d DATA --format trec", true, exitFailure},
		{"predict -m trees.json -d DATA --format csv", true, exitOK},
		{"predict -m trees.json -d DATA --contributions --format csv", true, exitOK},
		{"predict -m trees.json -d DATA --contributions --format json", true, exitOK},
		{"eval -m trees.json -d DATA --per-query --format json", true, exitOK},
		{"eval -m trees.json -d DATA --per-query --format csv", true, exitOK},
		{"explain -m trees.json -d DATA --query HOSTILEq3 --format json", true, exitOK},
		{"importance -m trees.json --format csv", true, exitOK},
		{"info -m trees.json --format json", true, exitOK},
		{"compare --qrels qrels HOSTILErun run --format csv", true, exitOK},
		{"trec-eval -q qrels HOSTILErun", true, exitOK},
		{"fuse HOSTILErun run", true, exitOK}, {"convert -i trees.json --to lightgbm -o -", true, exitOK},
		{"convert -i DATA --to letor -o -", true, exitFailure},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.Fields(c.args)
			for i, word := range args {
				args[i] = strings.ReplaceAll(strings.ReplaceAll(word, "HOSTILE", hostile), "DATA", data)
			}
			code, stdout, stderr := simdrank(t, "", args...)
			if found := obeyed(stderr); found != "" {
				t.Errorf("standard error has %s: %q", found, stderr)
			}
			if found := obeyed(stdout); found != "" && !c.data {
				t.Errorf("standard output has %s: %q", found, stdout)
			}
			if code != c.code {
				t.Errorf("exit %d: %s", code, stderr)
			}
			tty, written := terminal(t)
			var errors bytes.Buffer
			if again := run(t.Context(), args, strings.NewReader(""), tty, &errors); again != code {
				t.Errorf("exit %d on a terminal, %d elsewhere: %s", again, code, &errors)
			}
			if found := obeyed(strings.ReplaceAll(written(), "\r\n", "\n") + errors.String()); found != "" {
				t.Errorf("a terminal gets %s", found)
			}
		})
	}
	// No spreadsheet takes a name for a formula.
	write("=run", other.String())
	for _, args := range [][]string{
		{"importance", "-m", "trees.json", "--format", "csv"},
		{"compare", "--qrels", "qrels", "=run", "run", "--format", "csv"},
		{"predict", "-m", "trees.json", "-d", data, "--contributions", "--format", "csv"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			_, stdout, _ := simdrank(t, "", args...)
			if !strings.Contains(stdout, "'=") || strings.Contains(strings.ReplaceAll(stdout, "'=", ""), "=") {
				t.Errorf("%q", stdout)
			}
		})
	}
}
