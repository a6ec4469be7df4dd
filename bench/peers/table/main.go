// Command table writes the tables of docs/explanation/benchmarks.md and README.md between their
// markers from the result files bench/results/peers/PROCESSOR.jsonl, which the scripts
// bench/peers/NAME/run -o write. Without result files, it leaves the pages as they are.
//
//	go run ./bench/peers/table
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/simdrank/simdrank/bench/peers/internal/peer"
)

func main() {
	if err := run("bench/results/peers", pages); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// A page is a Markdown file with a function that writes its tables.
type page struct {
	path  string
	write func(results []processor) string
}

var pages = []page{{"docs/explanation/benchmarks.md", tables}, {"README.md", headline}}

// A processor is a result file. Its name is the name of the file, such as zen5.
type processor struct {
	name    string
	results []peer.Result
}

// Markers of the generated part of a page.
const (
	begin = "<!-- begin of the tables that bench/peers/table writes -->\n"
	end   = "<!-- end of the tables that bench/peers/table writes -->\n"
)

// run updates the pages from the result files in a folder.
func run(dir string, pages []page) error {
	results, err := read(dir)
	if err != nil {
		return err
	}
	for _, p := range pages {
		text, err := os.ReadFile(p.path)
		if err != nil {
			return err
		}
		updated, err := update(string(text), results, p.write)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		if err := os.WriteFile(p.path, []byte(updated), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// read reads all result files of a folder.
func read(dir string) (list []processor, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		results, err := peer.ReadResults(path)
		if err != nil {
			return nil, err
		}
		list = append(list, processor{strings.TrimSuffix(filepath.Base(path), ".jsonl"), results})
	}
	return list, nil
}

// update replaces the part of a page between the markers. Without results, the page stays as it is.
func update(page string, results []processor, write func([]processor) string) (string, error) {
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", errors.New("the page must contain the markers of the tables")
	}
	if len(results) == 0 {
		return page, nil
	}
	return before + begin + write(results) + end + after, nil
}

// jobs are the comparisons with their titles, in the order of the page.
var jobs = []struct{ name, title string }{
	{"lambdamart", "Training trees"}, {"scoring", "Scoring"}, {"ranksvm", "Training RankSVM"},
	{"metrics", "Evaluation"}, {"tau", "Kendall's tau"}, {"vectors", "Vectors"}, {"linear", "Linear algebra"},
	{"letor", "Reading LETOR text"}, {"data", "Reading tables and sparse text"}, {"tuning", "Tuning"},
	{"lambdamart growth", "Growth: training trees"}, {"metrics growth", "Growth: evaluation"},
	{"tau growth", "Growth: Kendall's tau"}, {"vectors growth", "Growth: vectors"},
}

// tables returns a section for each job with results, and the machines and versions.
func tables(results []processor) string {
	var b strings.Builder
	b.WriteString("\n## Current versions\n\nIf a cell contains two values, the first one is simdrank's.\n\n" +
		machines(results) + "\n" + programs(results))
	for _, j := range jobs {
		if t := jobTable(results, j.name); t != "" {
			fmt.Fprintf(&b, "\n### %s\n\n%s", j.title, t)
		}
	}
	b.WriteString("\n")
	return b.String()
}

func machines(results []processor) string {
	rows := [][]string{{"Name", "Processor", "Tier", "Dates"}}
	for _, p := range results {
		if len(p.results) == 0 {
			continue
		}
		first, last := p.results[0], p.results[0]
		for _, r := range p.results {
			if r.Date < first.Date {
				first = r
			}
			if r.Date > last.Date {
				last = r
			}
		}
		dates := first.Date
		if last.Date != dates {
			dates += " to " + last.Date
		}
		rows = append(rows, []string{p.name, last.Processor, last.Tier, dates})
	}
	return markdown(rows, 4)
}

// programs lists the versions and kernels of all peers.
func programs(results []processor) string {
	rows := [][]string{{"Tool", "Version", "Kernels"}}
	for _, p := range results {
		for _, r := range p.results {
			kernels := r.Kernels
			if kernels != "not reported" && len(results) > 1 {
				kernels += " (" + p.name + ")"
			}
			row := []string{r.Peer, r.Version, kernels}
			if !slices.ContainsFunc(rows, func(old []string) bool { return slices.Equal(old, row) }) {
				rows = append(rows, row)
			}
		}
	}
	slices.SortFunc(rows[1:], slices.Compare[[]string])
	return markdown(rows, 3)
}

// jobTable returns the table of a job, or "" if it has no results. It has a column of ratios for
// each processor. Columns for NDCG@10 and memory follow, if they were measured.
func jobTable(results []processor, job string) string {
	type key struct {
		what, peer string
		threads    int
	}
	var keys []key
	byKey := map[key][]*peer.Result{}
	quality, memory := false, false
	for i, p := range results {
		for _, r := range p.results {
			if r.Job != job {
				continue
			}
			k := key{r.Case, r.Peer, r.Threads}
			if byKey[k] == nil {
				byKey[k] = make([]*peer.Result, len(results))
				keys = append(keys, k)
			}
			byKey[k][i] = &r
			quality = quality || r.PeerQuality > 0
			memory = memory || r.PeerMemory > 0 && r.OurMemory > 0
		}
	}
	if len(keys) == 0 {
		return ""
	}
	head := []string{"Task", "Compared with", "Threads"}
	for _, p := range results {
		head = append(head, p.name)
	}
	growth := strings.HasSuffix(job, " growth")
	if growth {
		head = append(head, "Time")
	}
	if quality {
		head = append(head, "NDCG@10")
	}
	if memory {
		head = append(head, "Memory")
	}
	rows := [][]string{head}
	for _, k := range keys {
		row := []string{k.what, k.peer, fmt.Sprint(k.threads)}
		var any *peer.Result
		for _, r := range byKey[k] {
			cell := ""
			if r != nil {
				any, cell = r, ratio(r.Ratio)
			}
			row = append(row, cell)
		}
		if growth {
			row = append(row, pair(peer.Duration(any.Ours), peer.Duration(any.Theirs), true))
		}
		if quality {
			row = append(row, pair(fmt.Sprintf("%.3f", any.OurQuality), fmt.Sprintf("%.3f", any.PeerQuality),
				any.PeerQuality > 0))
		}
		if memory {
			row = append(row, pair(peer.Megabytes(any.OurMemory), peer.Megabytes(any.PeerMemory),
				any.PeerMemory > 0 && any.OurMemory > 0))
		}
		rows = append(rows, row)
	}
	return markdown(rows, 2)
}

// pair returns the values of simdrank and the peer, or "" if they were not measured.
func pair(ours, theirs string, measured bool) string {
	if !measured {
		return ""
	}
	return ours + ", " + theirs
}

// ratio formats a ratio with two digits, in bold if simdrank is slower.
func ratio(r float64) string {
	text := fmt.Sprintf("%.2g", r)
	if r >= 10 {
		text = fmt.Sprintf("%.0f", r)
	}
	if r < 1 {
		return "**" + text + "**"
	}
	return text
}

// A choice is a row of the table in README.md.
type choice struct{ job, what, peer, task string }

// choices are the rows of the table in README.md, with one thread.
var choices = []choice{
	{"lambdamart", "100k × 136, 100 trees of 31 leaves", "LightGBM", "train LambdaMART, 100,000 × 136"},
	{"lambdamart", "100k × 136, 100 trees of 31 leaves", "XGBoost", ""},
	{"lambdamart", "100k × 136, 100 trees of 31 leaves, objective query-rmse", "CatBoost",
		"train QueryRMSE, 100,000 × 136"},
	{"scoring", "100 trees of 31 leaves, documents per call: 200", "LightGBM", "score 200 documents, 100 trees"},
	{"scoring", "100 trees of 31 leaves, documents per call: 200", "lleaves", ""},
	{"scoring", "100 trees of 31 leaves, documents per call: 200", "ONNX Runtime", ""},
	{"metrics", "run of 1000k lines, `eval`, 8 measures", "trec_eval", "`eval` of a TREC run of 1M lines"},
	{"metrics", "run of 1000k lines, `eval`, 8 measures", "pytrec_eval", ""},
	{"metrics", "NDCG@10, 10000 × 120", "NumPy", "NDCG@10, 10,000 queries of 120 documents"},
	{"tau", "random, 1000000 values", "SciPy", "Kendall's tau of 1M values"},
	{"vectors", "top 100 of 1000k × 128, 1 query", "FAISS", "exact vector search, 1M × 128, one query"},
	{"vectors", "top 100 of 1000k × 128, 32 queries", "FAISS", "exact vector search, 1M × 128, 32 queries"},
}

// headline returns the table in README.md.
func headline(results []processor) string {
	head := []string{"Task", "Compared with"}
	for _, p := range results {
		head = append(head, p.name)
	}
	rows := [][]string{head}
	task := ""
	for _, c := range choices {
		if c.task != "" {
			task = c.task
		}
		row := make([]string, 2+len(results))
		for i, p := range results {
			for _, r := range p.results {
				if r.Job == c.job && r.Case == c.what && r.Peer == c.peer && r.Threads == 1 {
					row[0], row[1], row[2+i] = task, r.Peer+" "+r.Version, ratio(r.Ratio)
				}
			}
		}
		if row[0] != "" {
			rows = append(rows, row)
		}
	}
	return "\n" + markdown(rows, 2) + "\n"
}

// markdown formats a table whose columns after the first left ones are aligned to the right.
func markdown(rows [][]string, left int) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(rows[0])
	rule := slices.Repeat([]string{"---:"}, len(rows[0]))
	for i := range min(left, len(rule)) {
		rule[i] = "---"
	}
	b.WriteString("|" + strings.Join(rule, "|") + "|\n")
	for _, r := range rows[1:] {
		line(r)
	}
	return b.String()
}
