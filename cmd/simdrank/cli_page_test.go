package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// Lines of the page. The generator keeps its head and the notes on commands, which are written by
// hand.
const (
	rewrite       = "go test ./cmd/simdrank -run TestCLIPage -write-golden"
	generatedFrom = "<!-- Generated, except for the notes, by " + rewrite + " -->\n"
	notesFrom     = "\n<!-- notes, written by hand -->\n"
)

// TestCLIPage compares docs/reference/cli.md with the commands, or rewrites its generated part.
func TestCLIPage(t *testing.T) {
	path, old := referencePage(t, "cli.md")
	head, rest, ok := strings.Cut(old, generatedFrom)
	if !ok {
		t.Fatalf("%s has no line %q", path, generatedFrom)
	}
	notes := map[string]string{}
	for section := range strings.SplitSeq(rest, "\n## ") {
		name, text, _ := strings.Cut(section, "\n")
		if _, after, ok := strings.Cut(text, notesFrom); ok {
			notes[name] = notesFrom + strings.TrimSuffix(after, "\n") + "\n"
		}
	}
	page := head + generatedFrom + commandReference(newRoot(), notes)
	if len(notes) > 0 {
		t.Errorf("%s has notes on %q, which are not commands", path, slices.Sorted(maps.Keys(notes)))
	}
	if *testkit.Update && !t.Failed() {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, is := strings.Split(old, "\n"), strings.Split(page, "\n")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			t.Fatalf("%s:%d differs from the commands: "+rewrite, path, i+1)
		}
	}
}

// TestMetricsPage compares the tables of docs/reference/metrics.md with the names of metrics.
func TestMetricsPage(t *testing.T) {
	path, page := referencePage(t, "metrics.md")
	_, page, _ = strings.Cut(page, "\n## Definitions\n")
	definitions, names, ok := strings.Cut(page, "\n## Names in other tools\n")
	if !ok {
		t.Fatalf("%s lacks a section", path)
	}
	names, _, _ = strings.Cut(names, "\n## ")
	for section, text := range map[string]string{"Definitions": definitions, "Names in other tools": names} {
		t.Run(section, func(t *testing.T) {
			var got []string
			for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllStringSubmatch(text, -1) {
				got = append(got, m[1])
			}
			want := rank.MetricNames()
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: rows for\n%q, want\n%q", path, got, want)
			}
		})
	}
	for _, preset := range rank.OptionWords("preset") {
		if !strings.Contains(page, "\n| `"+preset+"` |") {
			t.Errorf("%s has no row for the preset %s", path, preset)
		}
	}
}

// referencePage returns a page of docs/reference.
func referencePage(t *testing.T, name string) (path, text string) {
	t.Helper()
	path = filepath.Join("..", "..", "docs", "reference", name)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err) // the command on its own, outside the project's tree
	}
	return path, string(page)
}

// commandReference returns the Markdown about all commands, which cobra sorts by name. It deletes
// the notes that it uses.
func commandReference(root *cobra.Command, notes map[string]string) string {
	var page strings.Builder
	page.WriteString("\n## Commands\n\n| Command | Description |\n|---|---|\n")
	var commands []*cobra.Command
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" && cmd.Name() != "completion" {
			commands = append(commands, cmd)
			fmt.Fprintf(&page, "| [`%s`](#%[1]s) | %s |\n", cmd.Name(), cell(cmd.Short))
		}
	}
	page.WriteString("| `completion SHELL` | Print a completion script for bash, zsh, fish or PowerShell |\n")
	page.WriteString("| `help COMMAND` | Show the help of a command |\n")
	common := commonFlags(commands)
	page.WriteString("\n## Common flags\n\nEvery command accepts `--memory-limit`. " +
		"The section of a command lists the others that it accepts.\n")
	var tables flagTables
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { tables.add(newFlagRow(root, f)) })
	for _, text := range slices.Sorted(maps.Keys(common)) {
		tables.add(common[text])
	}
	tables.write(&page)
	for _, cmd := range commands {
		fmt.Fprintf(&page, "\n## %s\n\n%s.\n\n", cmd.Name(), cell(cmd.Short))
		const reason = "<!-- not run: the files are yours -->\n```sh\n"
		page.WriteString(reason)
		for form := range strings.SplitSeq(strings.TrimSuffix(cmd.UseLine(), " [flags]"), ", or ") {
			form = strings.TrimPrefix(form, root.Name()+" ")
			fmt.Fprintf(&page, "%s %s [flags]\n", root.Name(), strings.ReplaceAll(form, " [flags]", ""))
		}
		page.WriteString("```\n")
		if cmd.Example != "" {
			fmt.Fprintf(&page, "\nExamples:\n\n%s%s```\n", reason, unindented(cmd.Example))
		}
		fmt.Fprintf(&page, "\n%s", prose(cmd))
		writeFlags(&page, cmd, common)
		page.WriteString(notes[cmd.Name()])
		delete(notes, cmd.Name())
	}
	return page.String()
}

// flagWord matches a flag in a sentence, with a value that follows an equals sign.
var flagWord = regexp.MustCompile(`(^|[\s(])(--?[A-Za-z][\w-]*(?:=[\w.]+)?)`)

// pageName matches the name of a documentation page in a sentence.
var pageName = regexp.MustCompile(`docs/(reference|howto|explanation)/([\w-]+)\.md`)

// linked returns a text with links to the pages that it names. The page of the commands, which
// contains the text, is a link to the notes on the command.
func linked(text, command string) string {
	return pageName.ReplaceAllStringFunc(text, func(path string) string {
		m := pageName.FindStringSubmatch(path)
		title := strings.ToUpper(m[2][:1]) + strings.ReplaceAll(m[2][1:], "-", " ")
		switch {
		case m[2] == "cli":
			return fmt.Sprintf("[Notes on %s](#notes-on-%[1]s)", command)
		case m[1] == "reference":
			return fmt.Sprintf("[%s](%s.md)", title, m[2])
		}
		return fmt.Sprintf("[%s](../%s/%s.md)", title, m[1], m[2])
	})
}

// prose returns a command's text as paragraphs of Markdown. Indented lines are lists or tables,
// which keep their form.
func prose(cmd *cobra.Command) string {
	var page strings.Builder
	for block := range strings.SplitSeq(strings.Trim(cmd.Long, "\n"), "\n\n") {
		var words []string
		var table []string
		flush := func() {
			if words != nil {
				text := flagWord.ReplaceAllString(strings.Join(words, " "), "$1`$2`")
				text = strings.ReplaceAll(tag.ReplaceAllString(text, `\<$1`), "*", `\*`) // * marks significance
				page.WriteString(filled(strings.Fields(linked(text, cmd.Name()))) + "\n")
			}
			if table != nil {
				text := unindented(strings.Join(table, "\n"))
				page.WriteString("<!-- not run: text of the command's help -->\n```text\n" + text + "```\n\n")
			}
			words, table = nil, nil
		}
		for line := range strings.SplitSeq(block, "\n") {
			if strings.HasPrefix(line, " ") {
				if table == nil {
					flush()
				}
				table = append(table, line)
				continue
			}
			if table != nil {
				flush()
			}
			words = append(words, strings.Fields(line)...)
		}
		flush()
	}
	return strings.TrimSuffix(page.String(), "\n")
}

// filled returns words in lines of at most 100 columns.
func filled(words []string) string {
	var page strings.Builder
	column := 0
	for _, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case column == 0:
		case column+1+n > 100:
			page.WriteByte('\n')
			column = 0
		default:
			page.WriteByte(' ')
			column++
		}
		page.WriteString(w)
		column += n
	}
	return page.String() + "\n"
}

// unindented returns lines without the two spaces before each.
func unindented(text string) string {
	var lines strings.Builder
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		lines.WriteString(strings.TrimPrefix(line, "  ") + "\n")
	}
	return lines.String()
}

// tag matches the beginning of what Markdown takes for HTML.
var tag = regexp.MustCompile(`<([/A-Za-z])`)

// cell returns a text that neither ends a cell of a table nor begins a tag.
func cell(text string) string {
	text = flagWord.ReplaceAllString(text, "$1`$2`")
	return strings.NewReplacer("|", `\|`, "*", `\*`).Replace(tag.ReplaceAllString(text, `\<$1`))
}

// A flagRow is a row of a table of flags.
type flagRow struct {
	title string // of the table; "" for the first one
	text  string
}

// rankerPrefix begins the usage of a flag that only some rankers have.
var rankerPrefix = regexp.MustCompile(`^((?:ranksvm|ridge|lambdamart)(?:, (?:ranksvm|ridge|lambdamart))*): `)

// ownDefault ends the usage of a flag whose default is not its value.
var ownDefault = regexp.MustCompile(` \(default:? (.*)\)$`)

var rankerTitles = strings.NewReplacer("ranksvm", "RankSVM", "ridge", "ridge regression", "lambdamart", "LambdaMART",
	", ", " and ", ": ", "")

// newFlagRow returns the row of a flag. The flag's section, or the rankers that have it, is the
// title of its table.
func newFlagRow(cmd *cobra.Command, f *pflag.Flag) flagRow {
	placeholder, usage := pflag.UnquoteUsage(f)
	name := "`--" + f.Name
	if f.Shorthand != "" {
		name = "`-" + f.Shorthand + "`, " + name
	}
	if placeholder != "" {
		name += " " + placeholder
	}
	prefix, title := rankerPrefix.FindString(usage), ""
	if section := f.Annotations["section"]; section != nil {
		title = section[0]
	} else if prefix != "" {
		title = "Flag for " + rankerTitles.Replace(prefix)
	}
	usage, initial := usage[len(prefix):], ""
	if m := ownDefault.FindStringSubmatch(usage); m != nil {
		usage, initial = strings.TrimSuffix(usage, m[0]), m[1]
	} else if !slices.Contains([]string{"false", "[]", ""}, f.DefValue) {
		initial = "`" + f.DefValue + "`"
	}
	if accepted := completions(cmd, f); accepted != nil {
		usage = strings.TrimSuffix(usage, ": "+strings.Join(accepted, ", "))
		usage += ". Accepted values: `" + strings.Join(accepted, "`, `") + "`"
	}
	first, size := utf8.DecodeRuneInString(usage)
	usage = strings.ToUpper(string(first)) + usage[size:]
	return flagRow{title, fmt.Sprintf("| %s` | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), cell(usage),
		cell(initial))}
}

// completions returns the values that a flag accepts, which the shell completes; nil if there is no
// list of them.
func completions(cmd *cobra.Command, f *pflag.Flag) []string {
	complete, ok := cmd.GetFlagCompletionFunc(f.Name)
	if !ok {
		return nil
	}
	values, _ := complete(cmd, nil, "")
	return values
}

// ownFlags calls do for each flag of the command except --help.
func ownFlags(cmd *cobra.Command, do func(f *pflag.Flag, row flagRow)) {
	flags := cmd.LocalNonPersistentFlags()
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && !f.Hidden {
			do(f, newFlagRow(cmd, f))
		}
	})
}

// commonFlags returns the rows of flags that are the same in many commands and have no letter.
func commonFlags(commands []*cobra.Command) map[string]flagRow {
	count := map[string]int{}
	common := map[string]flagRow{}
	for _, cmd := range commands {
		ownFlags(cmd, func(f *pflag.Flag, row flagRow) {
			if count[row.text]++; count[row.text] > 4 && f.Shorthand == "" {
				common[row.text] = row
			}
		})
	}
	return common
}

// writeFlags writes the tables of a command's flags, and the names of the common flags.
func writeFlags(page *strings.Builder, cmd *cobra.Command, common map[string]flagRow) {
	var tables flagTables
	var shared []string
	ownFlags(cmd, func(f *pflag.Flag, row flagRow) {
		if _, ok := common[row.text]; ok {
			shared = append(shared, "`--"+f.Name+"`,")
		} else {
			tables.add(row)
		}
	})
	tables.write(page)
	if shared != nil {
		shared[len(shared)-1] = strings.TrimSuffix(shared[len(shared)-1], ",") + "."
		page.WriteString("\n" + filled(append(strings.Fields("[Common flags](#common-flags):"), shared...)))
	}
}

// flagTables are tables of flags by title.
type flagTables struct {
	titles []string
	rows   map[string]string
}

func (t *flagTables) add(row flagRow) {
	if t.rows == nil {
		t.rows = map[string]string{}
	}
	if t.rows[row.title] == "" {
		t.titles = append(t.titles, row.title)
	}
	t.rows[row.title] += row.text
}

// write writes the tables, the one without a title first.
func (t *flagTables) write(page *strings.Builder) {
	slices.SortStableFunc(t.titles, func(a, b string) int { return min(len(a), 1) - min(len(b), 1) })
	for _, title := range t.titles {
		fmt.Fprintf(page, "\n| %s | Description | Default |\n|---|---|---|\n%s", cmp.Or(title, "Flag"), t.rows[title])
	}
}
