package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	var s strings.Builder
	part := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&s, "\n%s:\n%s\n", title, text)
		}
	}
	fmt.Fprintf(&s, "%s.\n", cmd.Short)
	usage := "  " + cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		usage = "  " + cmd.CommandPath() + " COMMAND [flags]"
	}
	part("Usage", usage)
	part("Example", cmd.Example)
	if cmd.Long != "" {
		fmt.Fprintf(&s, "\n%s\n", strings.TrimSpace(cmd.Long))
	}
	commands := ""
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			commands += fmt.Sprintf("  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	part("Commands", commands)
	titles, accepted := []string{"Flags"}, ""
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
			accepted += fmt.Sprintf("  %-16s  %s\n", "--"+f.Name, strings.Join(words, ", "))
		}
	})
	for _, title := range titles {
		if flags := sections[title]; flags != nil {
			part(title, flags.FlagUsagesWrapped(100))
		}
	}
	part("Accepted values", accepted)
	if commands != "" {
		fmt.Fprintf(&s, "\nUse \"%s COMMAND --help\" for more information about a command.\n", cmd.CommandPath())
	}
	return s.String()
}
