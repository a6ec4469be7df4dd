package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/rank"
)

// noGroup is the name of the group of queries that do not have a group.
const noGroup = "(none)"

// byFlags holds the flags that divide the queries into groups.
type byFlags struct{ file, column string }

func newByFlags(cmd *cobra.Command) *byFlags {
	f := &byFlags{}
	section(cmd, "Query groups", func() {
		cmd.Flags().StringVar(&f.file, "by", "", "`file` with a query and its group on each line")
		cmd.Flags().StringVar(&f.column, "by-column", "", "data `column` that contains each query's group")
	})
	cmd.MarkFlagsMutuallyExclusive("by", "by-column")
	return f
}

// of returns the group of each query of the results, or nil if no flag is given. d is the data, or
// nil for TREC runs.
func (f *byFlags) of(cmd *cobra.Command, ids []string, d *dataFlags, set *rank.Dataset) ([]string, error) {
	switch {
	case f.file != "":
		return f.ofFile(cmd, ids)
	case f.column != "":
		return f.ofColumn(cmd, d, set)
	}
	return nil, nil
}

func (f *byFlags) ofFile(cmd *cobra.Command, ids []string) ([]string, error) {
	byQuery, err := readInput(cmd, f.file, cli.ReadQueryGroups)
	if err != nil {
		return nil, err
	}
	groups := make([]string, len(ids))
	known := map[string]bool{}
	for q, id := range ids {
		if groups[q] = byQuery[id]; groups[q] != "" {
			known[id] = true
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("%s: no evaluated query is in this file", inputName(f.file))
	}
	var parts []string
	if part := unnamed(groups, "are not in the file"); part != "" {
		parts = append(parts, part)
	}
	if n := len(byQuery) - len(known); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d queries in the file are not evaluated and are ignored", n,
			len(byQuery)))
	}
	warnParts(cmd, f.file, parts)
	return groups, nil
}

func (f *byFlags) ofColumn(cmd *cobra.Command, d *dataFlags, set *rank.Dataset) ([]string, error) {
	column, err := cli.Features{Names: set.Names, Cols: set.Cols, First: d.first()}.Place(f.column)
	if err != nil {
		return nil, fmt.Errorf("%s: --by-column: %w", inputName(d.path), err)
	}
	groups, err := cli.ColumnGroups(set, column, f.column)
	if err != nil {
		return nil, readError(d.path, err)
	}
	if part := unnamed(groups, "lack a value in column "+f.column); part != "" {
		warnParts(cmd, d.path, []string{part})
	}
	return groups, nil
}

// unnamed assigns queries without a group to the group noGroup. It returns a clause with their
// number, or "" if there are none.
func unnamed(groups []string, why string) string {
	n := 0
	for q, group := range groups {
		if strings.TrimSpace(group) == "" {
			groups[q] = noGroup
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d queries %s and form the group %s", n, len(groups), why, noGroup)
}
