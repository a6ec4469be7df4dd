package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/cli"
)

// Annotations of flags.
const (
	sectionKey = "section" // title of the part of the help that lists the flag
	rankersKey = "rankers" // values of --model that the flag is for; absent if it is for all
	acceptKey  = "accept"  // words that the flag accepts
)

// annotate adds an annotation to the flags that define adds.
func annotate(flags *pflag.FlagSet, key string, values []string, define func()) {
	before := map[*pflag.Flag]bool{}
	flags.VisitAll(func(f *pflag.Flag) { before[f] = true })
	define()
	flags.VisitAll(func(f *pflag.Flag) {
		if !before[f] {
			flags.SetAnnotation(f.Name, key, values) // no error: the flag exists
		}
	})
}

// section lists the flags that define adds under a title of their own.
func section(flags *pflag.FlagSet, title string, define func()) {
	annotate(flags, sectionKey, []string{title}, define)
}

// accept lists the words that a flag accepts.
func accept(flags *pflag.FlagSet, name string, words ...string) {
	flags.SetAnnotation(name, acceptKey, words) // no error: the flag exists
}

// helpText returns the help of a command: usage and an example, then the description, then flags.
func helpText(cmd *cobra.Command) string {
	h := cli.Help{Path: cmd.CommandPath(), Short: cmd.Short, Usage: []string{cmd.UseLine()}, Example: cmd.Example,
		Long: cmd.Long}
	if cmd.HasAvailableSubCommands() {
		h.Usage = []string{cmd.CommandPath() + " COMMAND [flags]"}
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			h.Commands = append(h.Commands, [2]string{sub.Name(), sub.Short})
		}
	}
	titles := []string{"Flags"}
	sections := map[string]*pflag.FlagSet{}
	cmd.InitDefaultHelpFlag()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := "Flags"
		if of := f.Annotations[sectionKey]; of != nil {
			title = of[0]
		}
		if sections[title] == nil {
			if title != "Flags" {
				titles = append(titles, title)
			}
			sections[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			sections[title].SortFlags = false
		}
		sections[title].AddFlag(f)
		if words := f.Annotations[acceptKey]; words != nil {
			h.Accepted = append(h.Accepted, cli.AcceptedWords{Flag: f.Name, Words: words})
		}
	})
	for _, title := range titles {
		if flags := sections[title]; flags != nil {
			h.Flags = append(h.Flags, cli.HelpSection{Title: title, Usages: flags.FlagUsagesWrapped(cli.HelpColumns)})
		}
	}
	return h.String()
}
