package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	peer "github.com/parquet-go/parquet-go"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank/datafile"
)

// tables returns the paths of the same data as LETOR text, CSV, TSV and Parquet, of 6 queries with
// 4 documents and 2 features.
func tables(t *testing.T) (letor, csv, tsv, parquet string) {
	t.Helper()
	type row struct {
		Label float64 `parquet:"label"`
		QID   string  `parquet:"qid"`
		X     float64 `parquet:"x"`
		Y     float64 `parquet:"y"`
	}
	var rows []row
	var text, table strings.Builder
	table.WriteString("label,qid,x,y\n")
	for i := range 24 {
		r := row{float64(i * 7 % 3), fmt.Sprint("q", i/4), float64(i*5%11) / 4, float64(i * 3 % 7)}
		rows = append(rows, r)
		fmt.Fprintf(&text, "%g qid:%s 1:%g 2:%g\n", r.Label, r.QID, r.X, r.Y)
		fmt.Fprintf(&table, "%g,%s,%g,%g\n", r.Label, r.QID, r.X, r.Y)
	}
	parquet = filepath.Join(t.TempDir(), "d.parquet")
	if err := peer.WriteFile(parquet, rows); err != nil {
		t.Fatal(err)
	}
	return writeTemp(t, "d.txt", text.String()), writeTemp(t, "d.csv", table.String()),
		writeTemp(t, "d.tsv", strings.ReplaceAll(table.String(), ",", "\t")), parquet
}

func TestTables(t *testing.T) {
	letor, csv, tsv, parquet := tables(t)
	names := writeTemp(t, "names", "x\ny\n")
	for _, kind := range []string{"ranksvm", "ridge", "lambdamart"} {
		t.Run(kind, func(t *testing.T) {
			train := func(data string, more ...string) string {
				model := filepath.Join(t.TempDir(), "m.json")
				args := append([]string{"train", "-d", data, "--valid", data, "--model", kind, "-o", model}, more...)
				if kind == "lambdamart" {
					args = append(args, "--trees", "2", "--min-rows", "1")
				}
				succeed(t, "", args...)
				return model
			}
			read := func(path string) string {
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
			want := read(train(letor, "--feature-names", names))
			if !strings.Contains(want, `"feature_names":["x","y"]`) {
				t.Errorf("no names in %.200s", want)
			}
			model := train(csv)
			for data, got := range map[string]string{
				csv: read(model), tsv: read(train(tsv)), parquet: read(train(parquet)),
			} {
				if got != want {
					t.Errorf("another model from %s: %s\nwant %s", data, got, want)
				}
			}

			// Data to score need neither labels nor queries, and find their columns by name.
			scores := succeed(t, "", "predict", "-m", model, "-d", letor)
			var bare strings.Builder
			for line := range strings.Lines(read(csv)) {
				cells := strings.Split(strings.TrimSpace(line), ",")
				fmt.Fprintf(&bare, "%s,%s,z%s\n", cells[3], cells[2], cells[2])
			}
			text := strings.ReplaceAll(bare.String(), "zx", "z")
			text = strings.ReplaceAll(text, ",z", ",")
			text = strings.Replace(text, "y,x,\n", "y,x,z\n", 1)
			if got := succeed(t, text, "predict", "-m", model, "-d", "-", "--input-format", "csv",
				"--ignore-extra-features"); got != scores {
				t.Error("other scores of columns in another order")
			}
			fail(t, exitFailure, text, []string{"predict", "-m", model, "-d", "-", "--input-format", "csv"},
				`has no feature named "z" (use --ignore-extra-features to ignore them)`)
			fail(t, exitFailure, "x\n1\n", []string{"predict", "-m", model, "-d", "-", "--input-format", "csv"},
				`standard input: no feature named "y"`)
			got := succeed(t, read(parquet), "predict", "-m", model, "-d", "-", "--input-format", "parquet")
			if got != scores {
				t.Error("other scores of Parquet from standard input")
			}
		})
	}
}

func TestTableFlags(t *testing.T) {
	letor, csv, _, _ := tables(t)
	out := filepath.Join(t.TempDir(), "m.json")
	lines := func(n int, line string) string { return writeTemp(t, "side", strings.Repeat(line+"\n", n)) }
	for _, kind := range []string{"sum", "zscore", "linear"} {
		t.Run(kind, func(t *testing.T) {
			a := succeed(t, "", "info", "-d", letor, "--normalize", kind)
			if b := succeed(t, "", "info", "-d", csv, "--normalize", kind); a != b ||
				kind != "sum" && a == succeed(t, "", "info", "-d", letor) {
				t.Errorf("%s\nand of the table\n%s", a, b)
			}
		})
	}
	succeed(t, "", "train", "-d", csv, "--weights", lines(6, "2"), "-o", out)
	succeed(t, "", "train", "-d", csv, "--weights", lines(24, "2"), "--model", "lambdamart", "--min-rows", "1",
		"-o", out)
	succeed(t, "", "train", "-d", csv, "--positions", lines(24, "2"), "-o", out)
	fail(t, exitFailure, "", []string{"train", "-d", csv, "--weights", lines(23, "2"), "-o", out},
		"23 weights, but "+csv+" has 6 queries and 24 documents")
	fail(t, exitFailure, "", []string{"info", "-d", csv, "--positions", lines(5, "2")},
		"5 positions, but", "24 documents")
	fail(t, exitFailure, "", []string{"info", "-d", csv, "--positions", lines(24, "0.5")},
		`:1:1: "0.5": a position must be a positive whole number`)
	fail(t, exitFailure, "", []string{"info", "-d", letor, "--feature-names", lines(1, "x")}, ":1:", "2:0",
		"the file of --feature-names has no more names")
	fail(t, exitFailure, "", []string{"info", "-d", letor, "--feature-names", lines(2, "x")},
		":2: the feature name is given twice")
	fail(t, exitFailure, "", []string{"info", "-d", letor, "--feature-names", lines(2, "")},
		":1: the line is empty; each line must contain one feature name")
	fail(t, exitFailure, "", []string{"info", "-d", letor, "--feature-names", lines(2, strings.Repeat("x", 1<<16))},
		":1: the line is longer than 65536 bytes")
	fail(t, exitUsage, "", []string{"info", "-d", csv, "--feature-names", lines(2, "x")},
		"--feature-names requires LETOR")
	fail(t, exitUsage, "", []string{"info", "-d", csv, "--null-as", "0"}, "--null-as requires LETOR data")
	fail(t, exitFailure, "label,qid,x\n1,a,?\n", []string{"info", "-d", "-", "--input-format", "csv"},
		`standard input:2:5: column x: the value is not a number (use --missing '?'): "?"`)
	missing := writeTemp(t, "missing.csv", "label,qid,x\n1,a,2\n0,a,\n")
	fail(t, exitFailure, "", []string{"train", "-d", missing, "-o", out}, "missing.csv:3: feature 1 (x) is NaN")
	succeed(t, "", "train", "-d", missing, "--model", "lambdamart", "--min-rows", "1", "-o", out)
	scattered := writeTemp(t, "scattered.csv", "label,qid,x\n1,a,2\n0,b,1\n0,a,1\n")
	fail(t, exitFailure, "", []string{"info", "-d", scattered}, "scattered.csv:4: the query is not contiguous",
		"--gather")
	succeed(t, "", "info", "-d", scattered, "--gather")
	weighted := writeTemp(t, "weighted.csv", "label,qid,x,weight\n1,a,2,1\n0,a,1,2\n")
	for _, ranker := range []string{"ranksvm", "ridge"} {
		t.Run(ranker, func(t *testing.T) { succeed(t, "", "train", "-d", weighted, "--model", ranker, "-o", out) })
	}
}

// TestSideFiles has weights and positions of rows whose queries are gathered, and wrong ones.
func TestSideFiles(t *testing.T) {
	data := writeTemp(t, "d.txt", "1 qid:a 1:1\n0 qid:b 1:2\n0 qid:a 1:3\n2 qid:b 1:4\n")
	out := filepath.Join(t.TempDir(), "o.simdrank")
	succeed(t, "", "convert", "-i", data, "--gather", "--positions", writeTemp(t, "p", "1\n# b\n2\n3\n4\n"), "-o", out)
	if got := succeed(t, "", "info", "-d", out); !strings.HasSuffix(got, "\npositions            yes\n") {
		t.Errorf("%s: no positions", got)
	}
	f, err := datafile.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !slices.Equal(f.Positions, []int32{1, 3, 2, 4}) {
		t.Errorf("positions %v", f.Positions)
	}
	model := filepath.Join(t.TempDir(), "m.json")
	train := func(kind, weights string) []string {
		return []string{"train", "-d", data, "--gather", "--model", kind, "-o", model, "--weights",
			writeTemp(t, "w", weights)}
	}
	fail(t, exitFailure, "", train("ranksvm", "1\n-1\n"), `w:2:1: "-1": a weight must be finite and not negative`)
	succeed(t, "", train("ranksvm", "1\n1\n1\n1\n")...)
	fail(t, exitFailure, "", train("lambdamart", "1\n"), "w has 1 weight, but "+data+" has 2 queries and 4 documents")
	zero := writeTemp(t, "p", "1\n2\n0\n4\n")
	fail(t, exitFailure, "", []string{"info", "-d", data, "--gather", "--positions", zero},
		`p:3:1: "0": a position must be a positive whole number`)
	// Two trainings with the same weights: by the lines of the file, and in a column of a table.
	csv := writeTemp(t, "d.csv", "label,qid,x,weight\n1,a,1,5\n0,a,3,7\n0,b,2,6\n2,b,4,8\n")
	var models [2]string
	names := writeTemp(t, "n", "x\n")
	for i, args := range [][]string{append(train("lambdamart", "5\n6\n7\n8\n"), "--feature-names", names),
		{"train", "-d", csv, "--model", "lambdamart", "-o", model}} {
		t.Run(testkit.CaseName(args...), func(t *testing.T) {
			succeed(t, "", append(args, "--min-rows", "1", "--trees", "2")...)
			text, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			models[i] = string(text)
		})
	}
	if unsettled(models[0]) != unsettled(models[1]) {
		t.Errorf("weights of gathered rows: %s\nwant %s", models[0], models[1])
	}
}

// TestConvertMissing refuses to write what LETOR text cannot say, and renames for LightGBM.
func TestConvertMissing(t *testing.T) {
	table := "label,qid,page rank\n1,a,2\n0,a,\n"
	for i := range 40 {
		table += fmt.Sprintf("%d,a,%d\n", i/20, i)
	}
	data := writeTemp(t, "d.csv", table)
	out := filepath.Join(t.TempDir(), "o")
	fail(t, exitFailure, "", []string{"convert", "-i", data, "--to", "letor", "-o", out},
		"d.csv:3: the value of feature 1 (page rank) is missing, which LETOR text", "--to simdrank")
	wide, zeros := "label,qid", strings.Repeat(",0", 40) // sparse
	for j := range 40 {
		wide += fmt.Sprintf(",x%d", j)
	}
	wide += "\n1,a" + zeros + "\n1,a" + zeros[:60] + "," + zeros[62:] + "\n"
	fail(t, exitFailure, "", []string{"convert", "-i", writeTemp(t, "w.csv", wide), "--to", "letor", "-o", out},
		"w.csv:3: the value of feature 31 (x30) is missing, which LETOR text")
	succeed(t, "", "train", "-d", data, "--model", "lambdamart", "--min-rows", "1", "--trees", "2",
		"--monotone", "page rank+", "-o", out)
	code, text, stderr := simdrank(t, "", "convert", "-i", out, "--to", "lightgbm", "-o", "-")
	if code != 0 || !strings.Contains(text, "\nfeature_names=page_rank\n") ||
		!strings.Contains(stderr, `feature names such as "page rank" are written with _ for spaces`) {
		t.Errorf("exit code %d: %s%s", code, text, stderr)
	}
}

// TestSparseBins says what --bins-file does without.
func TestSparseBins(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "%d qid:%d %d:1 %d:2\n", i%3, i/30, 1+i%3, 4+i%200)
	}
	code, _, stderr := simdrank(t, "", "train", "-d", writeTemp(t, "d.txt", b.String()), "--model", "lambdamart",
		"--trees", "2", "--bins-file", filepath.Join(t.TempDir(), "bins"), "-o", filepath.Join(t.TempDir(), "m"))
	if code != 0 || !strings.Contains(stderr, "--bins-file does not hold sparse features") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestInfoData(t *testing.T) {
	data := writeTemp(t, "d.csv", "label,qid,x,y,z\n1,a,2,,0\n0,a,2,1,0\n2,b,2,1,0\n")
	want := `queries              2
documents            3
documents per query  1 to 2; quartiles 1, 1, 2
labels               0: 1, 1: 1, 2: 1
features             3
not zero             6 (66.7%), dense storage
omitted by rows      0
missing (NaN)        1
constant features    x, z
duplicated rows      1
`
	if got := succeed(t, "", "info", "-d", data); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	got := decode[struct {
		Queries   int         `json:"queries"`
		Labels    []cli.Label `json:"labels"`
		Constant  []string    `json:"constant_features"`
		Documents int         `json:"duplicate_documents"`
	}](t, succeed(t, "", "info", "-d", data, "--format", "json"))
	if got.Queries != 2 || got.Labels[2] != (cli.Label{Label: 2, Documents: 1}) || got.Documents != 1 ||
		!slices.Equal(got.Constant, []string{"x", "z"}) {
		t.Errorf("%+v", got)
	}
	unlabeled := succeed(t, "1:2 2:3\n1:1\n", "info", "-d", "-", "--format", "json", "--group",
		writeTemp(t, "g", "2\n"))
	if !strings.Contains(unlabeled, `"label": null`) {
		t.Error(unlabeled)
	}
	fail(t, exitUsage, "", []string{"info", "-d", data, "-m", data}, "cannot be combined with")
}

// TestTableMemory limits the memory of tables.
func TestTableMemory(t *testing.T) {
	for _, ext := range []string{".parquet", ".csv"} {
		t.Run(ext, func(t *testing.T) {
			path := filepath.Join("..", "..", "parquet", "testdata", "polars"+ext)
			succeed(t, "", "info", "-d", path, "--memory-limit", "16KiB")
			fail(t, exitFailure, "", []string{"info", "-d", path, "--memory-limit", "750"},
				" bytes of memory, but the limit is 750", "(use --memory-limit to raise the limit)")
		})
	}
}

// Text may leave out its last features; a table that lacks columns is another one.
func TestFewerColumns(t *testing.T) {
	wide := writeTemp(t, "wide.txt", "1 qid:1 1:2 2:3 3:4\n0 qid:1 1:1 2:1\n")
	csv := writeTemp(t, "narrow.csv", "label,qid,x,y\n1,1,2,3\n0,1,1,1\n")
	text := writeTemp(t, "narrow.txt", "1 qid:1 1:2 2:3\n0 qid:1 1:1 2:1\n")
	model := filepath.Join(t.TempDir(), "model.json")
	train := []string{"train", "-d", wide, "-o", model, "--valid"}
	succeed(t, "", append(train, text)...)
	fail(t, exitFailure, "", append(train, csv), csv+": found only 2 of the 3 features of "+wide)
	for _, command := range []string{"predict", "eval", "importance"} {
		t.Run(command, func(t *testing.T) {
			succeed(t, "", command, "-m", model, "-d", text)
			for _, more := range [][]string{{csv}, {text, "--feature-names", writeTemp(t, "names", "x\ny\n")}} {
				fail(t, exitFailure, "", append([]string{command, "-m", model, "-d"}, more...),
					more[0]+": found only 2 of the 3 features of "+model)
			}
		})
	}
}

// What is a table by another name is not taken for bad LETOR text without a word.
func TestTableByAnotherName(t *testing.T) {
	data := writeTemp(t, "data.txt", "label,qid,x\n1,1,2\n0,1,3\n")
	model := filepath.Join(t.TempDir(), "model.json")
	const hint = " (use --input-format csv if it is a table)"
	fail(t, exitFailure, "", []string{"train", "-d", data, "-o", model}, data+":1:1: the label is not a number"+hint)
	succeed(t, "", "train", "-d", data, "--input-format", "csv", "-o", model)
	fail(t, exitFailure, "", []string{"predict", "-m", model, "-d", data}, data+":1:1: the label is not a number"+hint)
}

// TestRoleNames trains on and scores a table whose feature has the usual name of another column.
func TestRoleNames(t *testing.T) {
	dir := t.TempDir()
	for _, role := range tableRoles {
		for _, name := range []string{role.name, strings.ToUpper(role.name)} {
			t.Run(name, func(t *testing.T) {
				// Only the feature in question says what is relevant.
				var text, bare strings.Builder
				fmt.Fprintf(&text, "rel,topic,price,%s\n", name)
				fmt.Fprintf(&bare, "price,%s\n", name)
				for i := range 40 {
					fmt.Fprintf(&text, "%d,q%d,%d,%d\n", i*7%3, i/10, 1+i%4, 1+i*7%3)
					fmt.Fprintf(&bare, "%d,%d\n", 1+i%4, 1+i*7%3)
				}
				data, features := writeTemp(t, "d.csv", text.String()), writeTemp(t, "x.csv", bare.String())
				model := filepath.Join(dir, "m"+name+".json")
				columns := []string{"--label-column", "rel", "--query-column", "topic"}
				none := slices.Clone(columns)
				if i := slices.Index(none, "--"+role.flag); i < 0 {
					none = append(none, "--"+role.flag, "-")
				}
				succeed(t, "", slices.Concat([]string{"train", "-d", data, "--model", "lambdamart", "--trees", "20",
					"--min-rows", "2", "-o", model}, none)...)
				// The model knows the column, which then needs neither a flag nor a note.
				quiet := func(t *testing.T, args ...string) string {
					t.Helper()
					code, stdout, stderr := simdrank(t, "", args...)
					if code != exitOK || stderr != "" {
						t.Fatalf("%s: exit %d, stderr %q", args, code, stderr)
					}
					return stdout
				}
				want := quiet(t, "predict", "-m", model, "-d", features)
				if lines := strings.Fields(want); lines[0] == lines[1] {
					t.Errorf("scores %s", lines)
				}
				for _, args := range [][]string{
					{"eval", "-m", model, "--metric", "ndcg", "--format", "csv"},
					{"explain", "-m", model, "--query", "q1"},
					{"importance", "-m", model, "--measure", "shap"},
					{"compare", model, model},
					{"report", "-m", model, "-o", filepath.Join(dir, "r.html"), "--train", data},
					{"plot", "ndcg-at-k", "-m", model, "-o", filepath.Join(dir, "r.svg")},
					{"plot", "curve", "-m", model, "-o", filepath.Join(dir, "r.svg"), "--train", data},
					{"refit", "-m", model, "-o", filepath.Join(dir, "refit.json")},
					{"train", "--start", model, "--model", "lambdamart", "--trees", "1", "--min-rows", "2",
						"--valid", data, "-o", filepath.Join(dir, "more.json")},
				} {
					t.Run(testkit.CaseName(args...), func(t *testing.T) {
						got := quiet(t, slices.Concat(args, []string{"-d", data}, columns)...)
						if args[0] == "eval" && !strings.Contains(got, "\nndcg,1,") {
							t.Error(got)
						}
					})
				}
				// What was decided is kept in a binary data file.
				binary := filepath.Join(dir, "d.simdrank")
				succeed(t, "", slices.Concat([]string{"convert", "-i", data, "-o", binary}, none)...)
				if got := quiet(t, "predict", "-m", model, "-d", binary); got != want {
					t.Errorf("%s\nwant %s", got, want)
				}
			})
		}
	}
	type car struct {
		Power  float64 `parquet:"price"`
		Weight float64 `parquet:"weight"`
	}
	parquet := filepath.Join(dir, "cars.parquet")
	if err := peer.WriteFile(parquet, []car{{1, 1}, {1, 3}}); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(dir, "mweight.json")
	scores := strings.Fields(succeed(t, "", "predict", "-m", model, "-d", parquet))
	if len(scores) != 2 || scores[0] == scores[1] {
		t.Errorf("scores of Parquet: %s", scores)
	}
}

// A note lists the columns that have roles because of their names.
func TestRoleNotes(t *testing.T) {
	data := writeTemp(t, "d.csv", "label,QID,weight,x\n1,1,2,3\n0,1,1,4\n")
	for _, c := range []struct{ flags, want string }{
		{"", "label is the label, QID is the query, weight is the document weight " +
			"(use --label-column, --query-column or --weight-column to name another column, or - for none)"},
		{"--weight-column -", "label is the label, QID is the query (use --label-column or --query-column to"},
		{"--weight-column weight --label-column label --query-column QID", ""},
		{"--ignore-column weight,label --query-column QID", ""},
		{"--ignore-column weight --ignore-column label --query-column QID", ""},
	} {
		t.Run(c.flags, func(t *testing.T) {
			code, _, stderr := simdrank(t, "", append([]string{"info", "-d", data}, strings.Fields(c.flags)...)...)
			noted := stderr != "" && notes.FindString(stderr) == stderr
			if code != exitOK || !strings.Contains(stderr, c.want) || (c.want != "") != noted {
				t.Errorf("%q, want %q", stderr, c.want)
			}
		})
	}
	out := filepath.Join(t.TempDir(), "m.json")
	letor := writeTemp(t, "d.txt", "1 qid:1 1:1\n0 qid:1 1:2\n")
	for _, flag := range slices.Concat(tableFlags[0], tableFlags[1]) {
		value := map[string]string{"decimal": ",", "delimiter": ";"}[flag]
		fail(t, exitUsage, "", []string{"train", "-d", letor, "-o", out, "--" + flag, cmp.Or(value, "x")},
			"--"+flag+" requires a table, but "+letor+" is read as LETOR data")
	}
	binary := filepath.Join(t.TempDir(), "d.simdrank")
	succeed(t, "", "convert", "-i", letor, "-o", binary)
	fail(t, exitUsage, "", []string{"info", "-d", binary, "--weight-column", "-"}, "--weight-column requires a table")
	succeed(t, "", "train", "-d", letor, "-o", out)
	fail(t, exitUsage, "", []string{"predict", "-m", out, "-d", letor, "--weight-column", "-"},
		"--weight-column requires a table")
	_, _, _, parquet := tables(t)
	fail(t, exitUsage, "", []string{"info", "-d", parquet, "--missing", "NA"}, "--missing requires CSV")
	// A table that is read with LETOR data may need the flags.
	valid := writeTemp(t, "v.csv", "rel,topic,1\n1,1,2\n0,1,3\n")
	succeed(t, "", "train", "-d", letor, "--valid", valid, "--label-column", "rel", "--query-column", "topic",
		"-o", out)
}

// TestClaimedNames: a column that a flag names as a feature has no other role.
func TestClaimedNames(t *testing.T) {
	data := writeTemp(t, "d.csv", "label,qid,x,weight,position\n"+strings.Repeat("1,1,2,3,4\n0,1,1,4,5\n", 20))
	letter := writeTemp(t, "c.conf", "categorical_feature = 2,3\n")
	out := filepath.Join(t.TempDir(), "m.json")
	for flags, want := range map[string]string{
		"":                                 `["x"]`,
		"--categorical weight":             `["x","weight"]`,
		"--monotone x+,position-":          `["x","position"]`,
		"--interactions x,weight;position": `["x","weight","position"]`,
		"--config " + letter:               `["x","weight","position"]`,
	} {
		t.Run(flags, func(t *testing.T) {
			args := append(strings.Fields("train --model lambdamart --trees 1 --min-rows 1 --min-hessian 0 -d "+data+" -o "+out), strings.Fields(flags)...)
			if code, _, stderr := simdrank(t, "", args...); code != exitOK {
				t.Fatal(stderr)
			}
			if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), `"feature_names":`+want) {
				t.Errorf("%s, %v, want %s", text, err, want)
			}
		})
	}
}

// TestSpellings names the flag that reads what programs write.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ text, flags, want string }{
		{"label;qid;a;b\n1;1;2,5;3,25\n0;1;1,5;0\n", "", ":1: the only column is \"label;qid;a;b\" (use --delimiter ';')"},
		{"label;qid;a;b\n1;1;2,5;3,25\n0;1;1,5;0\n", "--delimiter ;", ":2:5: column a: the value is not a number (use --decimal ,): \"2,5\""},
		{"label;qid;a;b\n1;1;2,5;3,25\n0;1;1,5;0\n", "--delimiter ; --decimal ,", ""},
		{"label\tqid\ta\n1\t1\t2\n", "", "(use --delimiter tab)"},
		{"label\tqid\ta\n1\t1\t2\n", "--delimiter tab", ""},
		{"\"label\",\"qid\",\"a\"\n1,1,NA\n", "", ""},
		{"\"label\",\"qid\",\"a\"\n1,1,-\n1,1,?\n", "--missing -,.", "(use --missing '?')"},
		{"\"label\",\"qid\",\"a\"\n1,1,-\n1,1,?\n", "--missing - --missing ?", ""},
		{"label,qid,a\n1,1,#NUM!\n", "", "(use --missing '#NUM!')"},
		{"\"label\";\"qid\";\"a\"\n1;1;2\n", "", ":1:1: the cell continues after its closing quote (use --delimiter ';')"},
		{"label,qid,a\n1,1,True\n", "", ""},
		{"Unnamed: 0,label,qid,a\n1,1,1,2\n", "", "(use --ignore-column 'Unnamed: 0')"},
		{",label,qid,a\n1,1,1,2\n", "", "column 1 has no name"},
		{"label,qid,a,\"b,c\"\n1,1,2,red\n", "", "(use --text-column '\"b,c\"')"},
		{"label,qid,a,\"b,c\"\n1,1,2,red\n", `--text-column "b,c"`, ""},
		{"label,qid,a,\"b,c\"\n1,1,2,red\n", `--ignore-column "b,c"`, ""},
		{"rel,qid,a\n1,1,2\n", "--query-column qid --delimiter , --weight-column w", `no column is named "w"`},
		{"label,topic,a\n1,1,2\n", "", "no column is named qid (use --query-column NAME, or --group FILE)"},
		{"label,qid,a,weight\n1,1,2,-3\n", "", "(use --weight-column - if the column is a feature)"},
		{"label,qid,a,position\n1,1,2,0.5\n", "", "(use --position-column - if the column is a feature)"},
		{"label,qid,a,Label\n1,1,2,0.5\n", "", "two columns have the role label (use --label-column NAME)"},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			data := writeTemp(t, "d.csv", c.text)
			args := append([]string{"info", "-d", data}, strings.Fields(c.flags)...)
			if c.want == "" {
				succeed(t, "", args...)
			} else {
				fail(t, exitFailure, "", args, "d.csv:", c.want)
			}
		})
	}
	data := writeTemp(t, "d.csv", "label,qid,a\n1,1,2\n")
	for flag, want := range map[string]string{
		"--delimiter=ab": "must be tab, or one character", "--delimiter=a": "must be tab",
		"--decimal=x":    "must be . or ,",
		"--missing=a,,b": "must be names separated by commas", "--ignore-column=": "must be names separated by commas",
	} {
		t.Run(flag, func(t *testing.T) {
			fail(t, exitUsage, "", []string{"info", "-d", data, flag}, strings.Split(flag, "=")[0], want)
		})
	}
}

// TestControlCharacters prints names that would move the cursor of a terminal or end a cell.
func TestControlCharacters(t *testing.T) {
	const evil = "a\x1b[2J\u009b1m\tb\nc"
	const said = `a\x1b[2J\u009b1m b c`
	printed := func(t *testing.T, args ...string) string { // notes on standard error are none of this test's
		t.Helper()
		code, stdout, stderr := simdrank(t, "", args...)
		if code != exitOK {
			t.Fatalf("%q: exit %d, %q", args, code, stderr)
		}
		return stdout
	}
	dir := t.TempDir()
	path := func(name, content string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Skip(err) // the file system refuses the name
		}
		return file
	}
	table := "label,qid,doc,other,\"" + evil + "\"\n"
	for i := range 40 {
		table += fmt.Sprintf("%d,\"%sq%d\",\"%sd%d\",1,%d\n", i%2, evil, i/10, evil, i, i%10*(i%2))
	}
	data := path(evil+".csv", table)
	model, trees := filepath.Join(dir, evil+".json"), filepath.Join(dir, "trees.json")
	printed(t, "train", "-d", data, "-o", model)
	printed(t, "train", "-d", data, "-o", trees, "--model", "lambdamart", "--trees", "2", "--leaves", "3",
		"--min-rows", "2")
	scores := path(evil+".scores", printed(t, "predict", "-m", model, "-d", data))
	settings := path("settings.json", strings.Replace(`{"format":"simdrank-linear","version":1,"weights":[1],
		"settings":{"NAME":"NAME"}}`, "NAME", `\u001b[2J`, -1))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"compare", "-d", data, model, scores}, said + ".json"},
		{[]string{"compare", "-d", data, model, scores, "--per-query"}, said + "q1"},
		{[]string{"compare", "-d", data, model, scores, "--format", "markdown"}, `a\\x1b\[2J`},
		{[]string{"compare", "-d", data, model, scores, "--format", "latex"}, `a\textbackslash{}x1b`},
		{[]string{"eval", "-d", data, "-m", model, "--per-query"}, said + "q1"},
		{[]string{"importance", "-m", trees}, said},
		{[]string{"importance", "-m", model, "-d", data}, said},
		{[]string{"explain", "-m", model, "-d", data, "--query", evil + "q1"}, said + "d1"},
		{[]string{"info", "-d", data}, "other"},
		{[]string{"info", "-m", settings}, `\x1b[2J`},
		{[]string{"tune", "-d", data, "-o", filepath.Join(dir, "tuned.json"), "--trials", "1", "--cv", "2"},
			`$'` + filepath.Join(dir, `a\x1b[2J\u009b1m\tb\nc.csv'`)},
	} {
		t.Run(testkit.CaseName(c.args...), func(t *testing.T) {
			got := printed(t, c.args...)
			if i := strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }); i >= 0 ||
				!strings.Contains(got, c.want) {
				t.Errorf("%q prints %q, want %q", c.args[0], got, c.want)
			}
		})
	}
}
