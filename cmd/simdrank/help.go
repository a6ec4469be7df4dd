package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
)

// Annotations of flags.
const (
	sectionKey = "section" // title of the part of the help that lists the flag
	rankersKey = "rankers" // values of --model that the flag is for; absent if it is for all
)

// annotate adds an annotation to the flags that define adds to a command.
func annotate(cmd *cobra.Command, key string, values []string, define func()) {
	before := map[*pflag.Flag]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { before[f] = true })
	define()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !before[f] && f.Annotations[key] == nil { // an inner call wins
			cmd.Flags().SetAnnotation(f.Name, key, values) // no error: the flag exists
		}
	})
}

// section lists the flags that define adds under a title of their own.
func section(cmd *cobra.Command, title string, define func()) {
	annotate(cmd, sectionKey, []string{title}, define)
}

// forRankers restricts the flags that define adds to some values of --model.
func forRankers(cmd *cobra.Command, define func(), kinds ...string) {
	annotate(cmd, rankersKey, kinds, define)
}

// kindsOf returns the values of --model that a flag is for, or nil if it is for all.
func kindsOf(f *pflag.Flag) []string { return f.Annotations[rankersKey] }

// A flagSection is a part of the help that lists flags.
type flagSection struct {
	title string
	flags *pflag.FlagSet
}

// flagSections returns the flags of a command, grouped by section. Flags without a section come
// first.
func flagSections(cmd *cobra.Command) []flagSection {
	cmd.InitDefaultHelpFlag()
	sections := []flagSection{{title: "Flags"}}
	add := func(title string, f *pflag.Flag) {
		if f.Hidden {
			return
		}
		i := 0
		for i < len(sections) && sections[i].title != title {
			i++
		}
		if i == len(sections) {
			sections = append(sections, flagSection{title: title})
		}
		if sections[i].flags == nil {
			sections[i].flags = pflag.NewFlagSet("", pflag.ContinueOnError)
			sections[i].flags.SortFlags = false
		}
		sections[i].flags.AddFlag(f)
	}
	local := cmd.LocalFlags()
	local.SortFlags = false
	local.VisitAll(func(f *pflag.Flag) {
		switch titles := f.Annotations[sectionKey]; {
		case titles != nil:
			add(titles[0], f)
		case f.Name == "help" || f.Name == "memory-limit" || f.Name == "version":
			add("Other flags", f)
		default:
			add("Flags", f)
		}
	})
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { add("Other flags", f) })
	if sections[0].flags == nil {
		sections = sections[1:]
	}
	return sections
}

// splitExamples returns the first example of a command and the others.
func splitExamples(examples string) (first, others string) {
	for rest := examples; ; {
		line, after, more := strings.Cut(rest, "\n")
		if !more {
			return examples, ""
		}
		if !strings.HasSuffix(line, `\`) {
			return strings.TrimSuffix(examples[:len(examples)-len(after)], "\n"), after
		}
		rest = after
	}
}

// helpText returns the help of a command: usage and an example, then the description, then flags.
func helpText(cmd *cobra.Command) string {
	h := cli.Help{Path: cmd.CommandPath(), Short: cmd.Short, Long: cmd.Long}
	if cmd.Runnable() && cmd.HasParent() {
		for form := range strings.SplitSeq(cmd.UseLine(), ", or ") {
			form = strings.TrimSuffix(form, " [flags]")
			if !strings.HasPrefix(form, cmd.CommandPath()) {
				form = cmd.Parent().CommandPath() + " " + form
			}
			h.Usage = append(h.Usage, form+" [flags]")
		}
	}
	if cmd.HasAvailableSubCommands() {
		h.Usage = append(h.Usage, cmd.CommandPath()+" COMMAND [flags]")
	}
	h.Example, h.More = splitExamples(cmd.Example)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			h.Commands = append(h.Commands, [2]string{sub.Name(), sub.Short})
		}
	}
	for _, s := range flagSections(cmd) {
		h.Flags = append(h.Flags, cli.HelpSection{Title: s.title, Usages: s.flags.FlagUsagesWrapped(cli.HelpColumns)})
		s.flags.VisitAll(func(f *pflag.Flag) {
			if c, ok := f.Value.(*choice); ok {
				h.Accepted = append(h.Accepted, cli.AcceptedWords{Flag: f.Name, Words: c.allowed})
			}
		})
	}
	return h.String()
}

// A namedValue is the value of a flag whose help shows a noun in place of the value's type.
type namedValue struct {
	pflag.Value
	noun string
}

// Type returns the noun.
func (v *namedValue) Type() string { return v.noun }

// Set reads a value. Errors say which numbers are accepted.
func (v *namedValue) Set(s string) error {
	err := v.Value.Set(s)
	if number := (*strconv.NumError)(nil); err == nil || !errors.As(err, &number) {
		return err
	}
	kind := v.Value.Type()
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("is out of range for %s", kind)
	case strings.HasPrefix(kind, "float"):
		return errors.New("must be a number")
	case strings.HasPrefix(kind, "uint"):
		return errors.New("must be a whole number of at least 0")
	}
	return errors.New("must be a whole number")
}

// nameValues gives the values of flags their names in the help: the word of the usage between
// backquotes, or number. Values that are not of the types of package pflag have names of their own.
func nameValues(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		noun, usage := pflag.UnquoteUsage(f)
		switch noun {
		case "int", "uint", "float", "float32":
			noun = "number"
		}
		f.Usage = usage
		switch f.Value.Type() {
		case "string", "int", "uint64", "float32", "float64":
			f.Value = &namedValue{f.Value, noun}
		}
	})
}

// isText reports whether the value of a flag is text.
func isText(f *pflag.Flag) bool {
	v := f.Value
	if named, ok := v.(*namedValue); ok {
		v = named.Value
	}
	return v.Type() == "string"
}
