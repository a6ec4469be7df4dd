package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/memory"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/datafile"
)

// isFolder reports whether path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "-" && err == nil && info.IsDir()
}

// folderFiles returns the data files of a folder, sorted by name. Like Hadoop, it ignores names
// that begin with an underscore or a period, for example _SUCCESS.
func folderFiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		switch {
		case e.Name()[0] == '_' || e.Name()[0] == '.':
		case e.IsDir():
			return nil, fmt.Errorf("%s: this is a directory, but a data folder must contain only files", path)
		default:
			paths = append(paths, path)
		}
	}
	if paths == nil {
		return nil, fmt.Errorf("%s: the directory contains no data files", folder)
	}
	return paths, nil
}

// readFolder reads the files of a folder as one dataset. Files without documents are skipped.
func (f *dataFlags) readFolder(cmd *cobra.Command, folder string, columns int) (d *rank.Dataset, err error) {
	defer memory.Begin().End(&err)
	if folder == f.path && f.group != "" {
		return nil, usagef("--group cannot be combined with a data folder")
	}
	paths, err := folderFiles(folder)
	if err != nil {
		return nil, err
	}
	var size int64
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
		}
	}
	budget := files.BudgetOf(size, readOptions(cmd))
	var parts []*rank.Dataset
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Size() == 0 {
			continue
		}
		o := f.options(cmd, path)
		o.ReadOptions.MemoryLimit = max(budget.Left(), 1)
		if parts != nil { // one note about the roles of columns is enough
			o.DefaultRole = func(_, _ string) {}
		}
		part, err := f.readFile(cmd, path, columns, o)
		switch {
		case errors.Is(err, errs.ErrNoDocuments):
			continue
		case err != nil:
			return nil, err
		case parts != nil && !sameColumns(part, parts[0]):
			return nil, fmt.Errorf("%s: the columns must be the same as in %s", path, parts[0].File)
		}
		if err := budget.Hold("the data", datafile.Size(part)); err != nil {
			return nil, readError(path, err)
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return nil, fmt.Errorf("%s: the folder contains no documents", folder)
	}
	return joinQueries(rank.Concat(parts...), f.gather)
}

// sameColumns reports whether two datasets can be parts of a table. LETOR text has no column names,
// and its rows may have any length.
func sameColumns(a, b *rank.Dataset) bool {
	return slices.Equal(a.Names, b.Names) && (a.Names == nil || (a.Weights == nil) == (b.Weights == nil) &&
		(a.Positions == nil) == (b.Positions == nil) && (a.DocIDs == nil) == (b.DocIDs == nil))
}

// joinQueries joins queries with the same ID, which are from different files. If gather is not set,
// they must be adjacent.
func joinQueries(d *rank.Dataset, gather bool) (*rank.Dataset, error) {
	number := map[string]int{} // of each distinct query
	var first []int            // the first query of d with each ID
	var rows [][]int
	for q, id := range d.QueryIDs {
		n, again := number[id]
		if !again {
			n = len(first)
			number[id], first, rows = n, append(first, q), append(rows, nil)
		}
		lo, hi := d.Query(q)
		if again && d.QueryIDs[q-1] != id && !gather {
			file, line := d.Place(rows[n][len(rows[n])-1])
			err := &rank.ParseError{Text: text.Excerpt(id), Err: &rank.OptionError{Option: "GatherQueries",
				Err: fmt.Errorf("the query is not contiguous: its previous rows ended at line %d of %s", line, file)}}
			err.File, err.Line = d.Place(lo)
			return nil, err
		}
		for i := lo; i < hi; i++ {
			rows[n] = append(rows[n], i)
		}
	}
	if len(first) == d.Queries() {
		return d, nil
	}
	one := *d // SubsetRows would not join queries
	one.Offsets, one.QueryIDs, one.QueryWeights = []int{0, d.Rows()}, []string{""}, nil
	joined := &one
	if order := slices.Concat(rows...); !slices.IsSorted(order) { // only --gather moves rows
		var err error
		if joined, err = one.SubsetRows(order); err != nil {
			return nil, err
		}
	}
	joined.Offsets, joined.QueryIDs = []int{0}, nil
	for n, q := range first {
		joined.Offsets = append(joined.Offsets, joined.Offsets[n]+len(rows[n]))
		joined.QueryIDs = append(joined.QueryIDs, d.QueryIDs[q])
		if d.QueryWeights != nil {
			joined.QueryWeights = append(joined.QueryWeights, d.QueryWeights[q])
		}
	}
	return joined, nil
}
