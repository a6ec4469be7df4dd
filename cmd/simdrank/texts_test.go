package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// textTable returns a table whose labels depend on a text column.
func textTable(queries int, colors ...string) string {
	var s strings.Builder
	s.WriteString("label,qid,x,color\n")
	for q := range queries {
		for i, c := range colors {
			fmt.Fprintf(&s, "%d,%d,%d,%s\n", (i*i+1)%4, q, (q+i)%3, c)
		}
	}
	return s.String()
}

// TestTextColumns trains on a table with a text column and on its data file, and scores tables
// whose texts have another order.
func TestTextColumns(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) string {
		if err := os.WriteFile(at(name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	colors := []string{"red", "blue", "green", "black", "white", ""}
	table := write("train.csv", textTable(20, colors...))
	other := write("other.csv", textTable(3, "white", "", "red", "pink", "green"))
	small := strings.Fields("--model lambdamart --trees 4 --min-rows 1 --cat-rows 1 --cat-smooth 1 --min-hessian 0")
	succeed(t, "", append([]string{"train", "-d", table, "--text-column", "color", "-o", at("m.json")}, small...)...)
	succeed(t, "", "convert", "-i", table, "--text-column", "color", "-o", at("train.simdrank"))
	file := at("train.simdrank")
	succeed(t, "", append([]string{"train", "-d", file, "--valid", other, "-o", at("f.json")}, small...)...)
	scores := succeed(t, "", "predict", "-m", at("m.json"), "-d", table)
	got := succeed(t, "", "predict", "-m", at("f.json"), "-d", file)
	if got != scores || strings.Count(got, "\n") != 120 {
		t.Errorf("other scores from the data file: %s, want %s", got, scores)
	}
	// The scores of the other table, by color; x differs, but no split of these labels uses it.
	byColor := map[string]string{}
	for i, line := range strings.Fields(scores)[:len(colors)] {
		byColor[colors[i]] = line
	}
	byColor["pink"] = byColor[""] // unknown texts go right, and so do missing ones
	code, got, stderr := simdrank(t, "", "predict", "-m", at("m.json"), "-d", other)
	const unknown = `other.csv contains text categories that are not in `
	if code != exitOK || !strings.Contains(stderr, unknown) ||
		!strings.Contains(stderr, `m.json: feature 2 (color) in 3 documents (for example "pink"); they are scored like`) {
		t.Errorf("exit %d, %s", code, stderr)
	}
	for i, c := range []string{"white", "", "red", "pink", "green"} {
		t.Run("score of "+c, func(t *testing.T) {
			if lines := strings.Fields(got); lines[i] != byColor[c] {
				t.Errorf("%s, want %s", lines[i], byColor[c])
			}
		})
	}
	if got := succeed(t, "", "info", "-m", at("m.json")); !strings.Contains(got, "\ntext categories: color (5)\n") {
		t.Errorf("info prints %s", got)
	}
	for format, want := range map[string]string{"text": " pink ", "csv": ",color,pink,", "json": `"text": "pink"`} {
		t.Run("explain "+format, func(t *testing.T) {
			_, got, _ := simdrank(t, "", "explain", "-m", at("m.json"), "-d", other, "--query", "1", "--format", format)
			if !strings.Contains(got, want) {
				t.Errorf("explain prints %s, want %s", got, want)
			}
		})
	}
	// Training that continues knows the new texts.
	succeed(t, "", append([]string{"train", "-d", other, "--start", at("m.json"), "-o", at("more.json")}, small...)...)
	if text, err := os.ReadFile(at("more.json")); err != nil ||
		!strings.Contains(string(text), `"categories":{"1":["red","blue","green","black","white","pink"]}`) {
		t.Errorf("%.400s, %v", text, err)
	}
	numbers := write("numbers.csv", "label,qid,x,color\n1,a,1,2\n")
	letor := write("numbers.txt", "1 qid:a 1:1 2:2\n")
	for _, c := range []struct{ args, want string }{
		{"train -o OUT -d " + table + " --text-column color",
			"feature 2 (color) contains text categories, but linear models require numbers (use --ignore-column color)"},
		{"train -o OUT -d " + table + " --text-column colour", `no column is named "colour"`},
		{"info -d " + table, `column color: the value is not a number (use --text-column color): "red"`},
		{"train -o OUT --model lambdamart --zero-missing --text-column color -d " + table,
			"ZeroMissing cannot be combined"},
	} {
		t.Run(c.want, func(t *testing.T) {
			args := strings.Fields(strings.ReplaceAll(c.args, "OUT", at("no.json")))
			fail(t, exitFailure, "", args, c.want)
		})
	}
	warned(t, []string{"predict", "-m", at("m.json"), "-d", letor}, "feature 2 contains numbers in "+letor+", for")
	succeed(t, "", "convert", "-i", numbers, "--text-column", "color", "-o", at("numbers.simdrank"))
	warned(t, []string{"convert", "-i", at("numbers.simdrank"), "--to", "letor", "-o", at("out.txt")},
		"text categories are written as numbers, because LETOR text cannot represent them")
	if _, got, stderr := simdrank(t, "", "predict", "-m", at("m.json"), "-d", numbers); strings.Count(got, "\n") != 1 ||
		!strings.Contains(stderr, `feature 2 (color) in 1 document (for example "2")`) {
		t.Errorf("scores %q, %s", got, stderr)
	}
}
