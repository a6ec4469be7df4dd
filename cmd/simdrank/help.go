package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file puts the flags of commands that have many under headings.

// Annotations of flags: the heading that help has them under, and the kinds of rankers that they
// are for.
const (
	headingKey = "simdrank_heading"
	kindsKey   = "simdrank_kinds"
)

// helpColumns is how wide help is at most.
const helpColumns = 100

// heading puts all flags of cmd that are under none yet under one. Flags that are for some kinds of
// rankers alone have a usage that begins with these and a colon, as in "ranksvm, lambdamart: ".
func heading(cmd *cobra.Command, title string) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Annotations[headingKey] != nil {
			return
		}
		// SetAnnotation fails for flags that are not there alone.
		flags.SetAnnotation(f.Name, headingKey, []string{title})
		kinds, usage, _ := strings.Cut(f.Usage, ": ")
		list := strings.Split(kinds, ", ")
		if !slices.ContainsFunc(list, func(kind string) bool { return !slices.Contains(rankers, kind) }) {
			if len(list) == 1 { // which the heading tells
				f.Usage = usage
			}
			flags.SetAnnotation(f.Name, kindsKey, list)
		}
	})
}

// rankers are the kinds of --model.
var rankers = []string{"ranksvm", "ridge", "lambdamart"}

// flagUsages is the part of help about the flags of cmd.
func flagUsages(cmd *cobra.Command) string {
	var titles []string
	under := map[string]*pflag.FlagSet{}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		switch of := f.Annotations[headingKey]; {
		case of != nil:
			title = of[0]
		case titles != nil && titles[0] != title:
			title = "Other flags"
		}
		if under[title] == nil {
			titles, under[title] = append(titles, title), pflag.NewFlagSet("", pflag.ContinueOnError)
			under[title].SortFlags = cmd.Flags().SortFlags
		}
		under[title].AddFlag(f)
	})
	var s strings.Builder
	for i, title := range titles {
		if i > 0 {
			s.WriteString("\n")
		}
		s.WriteString(title + ":\n" + under[title].FlagUsagesWrapped(helpColumns))
	}
	return strings.TrimRight(s.String(), "\n")
}

// setHelp makes help of all commands show their flags by [flagUsages].
func setHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("flagUsages", flagUsages)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(),
		"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{flagUsages .}}", 1))
}
