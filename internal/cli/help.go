package cli

import (
	"fmt"
	"strings"
)

// A Help contains the parts of a command's help, in the order in which String prints them. Empty
// parts are omitted.
type Help struct {
	Path     string // the command with its parents, such as "simdrank train"
	Short    string
	Usage    []string // lines
	Example  string
	Long     string
	More     string      // more examples
	Commands [][2]string // name and short description of each subcommand
	Flags    []HelpSection
	Accepted []AcceptedWords
}

// A HelpSection lists the usages of flags under a title.
type HelpSection struct{ Title, Usages string }

// AcceptedWords are the words that a flag accepts.
type AcceptedWords struct {
	Flag  string
	Words []string
}

// HelpColumns is the width of the help.
const HelpColumns = 100

// String returns the text of the help.
func (h *Help) String() string {
	var s strings.Builder
	part := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&s, "\n%s:\n%s\n", title, text)
		}
	}
	fmt.Fprintf(&s, "%s.\n", strings.TrimSuffix(h.Short, "."))
	usage := ""
	for _, line := range h.Usage {
		usage += "  " + line + "\n"
	}
	part("Usage", usage)
	part("Example", h.Example)
	if long := strings.TrimSpace(h.Long); long != "" {
		fmt.Fprintf(&s, "\n%s\n", long)
	}
	part("More examples", h.More)
	width := 11
	for _, c := range h.Commands {
		width = max(width, len(c[0]))
	}
	commands := ""
	for _, c := range h.Commands {
		commands += fmt.Sprintf("  %-*s %s\n", width, c[0], c[1])
	}
	part("Commands", commands)
	for _, f := range h.Flags {
		part(f.Title, f.Usages)
	}
	accepted := ""
	for _, a := range h.Accepted {
		accepted += WrapWords(fmt.Sprintf("  --%-17s ", a.Flag), a.Words, 22, HelpColumns) + "\n"
	}
	part("Accepted values", accepted)
	if len(h.Commands) > 0 {
		fmt.Fprintf(&s, "\nUse \"%s COMMAND --help\" for more information about a command.\n", h.Path)
	}
	return s.String()
}

// WrapWords appends words to a text, separated by commas, in lines of at most this many columns.
// All lines except the first are indented.
func WrapWords(text string, words []string, indent, columns int) string {
	column := len(text)
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		switch {
		case column+1+len(word) > columns:
			text += "\n" + strings.Repeat(" ", indent)
			column = indent
		case i > 0:
			text += " "
			column++
		}
		text += word
		column += len(word)
	}
	return text
}
