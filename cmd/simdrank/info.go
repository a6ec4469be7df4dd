package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
)

type info struct {
	Version string `json:"version"`
	Library string `json:"library"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	CPU     string `json:"cpu,omitempty"` // the processor's own name; "" where it does not tell
	Threads int    `json:"threads"`       // that training uses by default
	Tier    string `json:"tier"`          // of kernels, that runs
	Asked   string `json:"simdrank_cpu,omitempty"`
	Error   string `json:"error,omitempty"` // why the tier asked for does not run
}

func infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Tell which kernels run here, on what, and the versions; or what a model or data are",
		Long: `Tell which kernels run here, on what, and the versions. Or, with -m, what
a model is: linear or trees, how many, over how many features; how many trees
it has up to its best iteration, where it names one; what it takes zeros and
features left out for; the factors of positions that it was trained with; and
the settings of its training, as far as the file has them. Or, with -d, what data
hold: queries and documents, labels, how many features are not zero, left out or
missing, which are the same everywhere, and how many documents have the features
of an earlier one.

The tier is the set of kernels in use: avx512, avx2, neon or generic. The
environment variable SIMDRANK_CPU asks for another one; results are the same
bits on all of them.`,
		Args: noArguments,
	}
	model := cmd.Flags().StringP("model", "m", "", "model to tell about")
	data := newDataFlags(cmd)
	format := formatFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("model", "data")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *model != "" {
			m, err := loadModel(cmd, *model)
			if err != nil {
				return err
			}
			return printResult(cmd.OutOrStdout(), format, describe(m))
		}
		if data.path != "" {
			data.unlabeled = true
			d, err := data.load(cmd)
			if err != nil {
				return err
			}
			describing := begin(cmd, "describing "+inputName(data.path), "")
			r, err := describeData(cmd.Context(), d, describing.at)
			describing.end()
			if err != nil {
				return readError(data.path, err)
			}
			return printResult(cmd.OutOrStdout(), format, r)
		}
		i := info{
			Version: version(),
			Library: libraryVersion(),
			Go:      runtime.Version(),
			OS:      runtime.GOOS,
			Arch:    runtime.GOARCH,
			CPU:     cpuName(),
			Threads: runtime.GOMAXPROCS(0),
			Tier:    kernels.CPU(),
			Asked:   os.Getenv("SIMDRANK_CPU"),
		}
		if err := kernels.CPUErr(); err != nil {
			i.Error = err.Error()
		}
		return printResult(cmd.OutOrStdout(), format, i)
	}
	return cmd
}

func (i info) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{{"simdrank", i.Version}, {"library", i.Library}, {"Go", i.Go},
		{"platform", i.OS + "/" + i.Arch}, {"CPU", i.CPU}, {"threads", strconv.Itoa(i.Threads)}, {"kernels", i.Tier},
		{"SIMDRANK_CPU", i.Asked}, {"error", i.Error}} {
		if row[1] != "" {
			fmt.Fprintf(t, "%s\t%s\n", row[0], errs.Line(row[1]))
		}
	}
	return t.Flush()
}

// dataInfo is what info tells of data.
type dataInfo struct {
	cli.Data
	Duplicates int  `json:"duplicate_documents"`
	Sparse     bool `json:"sparse"`
}

func describeData(ctx context.Context, d *rank.Dataset, progress func(done, total int64)) (dataInfo, error) {
	r, err := data.Describe(ctx, d, progress)
	if err != nil {
		return dataInfo{}, err
	}
	return dataInfo{cli.NewData(r), r.Duplicates, d.Sparse != nil}, nil
}

func (i dataInfo) text(w io.Writer) error {
	kept := "dense"
	if i.Sparse {
		kept = "sparse"
	}
	return i.Text(w, kept, i.Duplicates)
}

type modelInfo struct {
	Kind     string `json:"kind"` // linear or trees
	Features int    `json:"features"`
	Trees    int    `json:"trees,omitempty"`
	Leaves   int    `json:"leaves,omitempty"`  // of all trees
	Largest  int    `json:"largest,omitempty"` // leaves of the largest
	Best     int    `json:"best,omitempty"`    // trees up to the best iteration, where it is known
	Codes    bool   `json:"category_codes,omitempty"`
	Zeros    string `json:"zeros"` // what 0 and features left out are: value, missing or unknown

	Positions *positionFactors  `json:"positions,omitempty"`
	Settings  map[string]string `json:"settings,omitempty"` // of the training, where they are known
}

func describe(m rank.Model) modelInfo {
	i := modelInfo{Kind: "linear", Features: m.Features(), Zeros: "value",
		Settings: cli.Settings(m)}
	if m, ok := m.(*lambdamart.Model); ok {
		i.Kind, i.Trees, i.Best, i.Codes = "trees", len(m.Trees), m.Best, m.CategoryCodes
		switch {
		case m.UnknownZeros:
			i.Zeros = "unknown"
		case m.ZeroMissing():
			i.Zeros = "missing"
		}
		i.Positions = newPositionFactors(m)
		for _, t := range m.Trees {
			i.Leaves += len(t.Leaf)
			i.Largest = max(i.Largest, len(t.Leaf))
		}
	}
	return i
}

func (i modelInfo) text(w io.Writer) error {
	if i.Kind == "linear" {
		fmt.Fprintf(w, "linear, %s\n", counted(i.Features, "feature"))
	} else {
		fmt.Fprintf(w, "%s over %s, %s, %d in the largest\n", counted(i.Trees, "tree"), counted(i.Features, "feature"),
			cli.Count(i.Leaves, "leaf", "leaves"), i.Largest)
		if i.Best > 0 {
			fmt.Fprintf(w, "best iteration: the first %s\n", counted(i.Best, "tree"))
		}
		if i.Codes {
			fmt.Fprintf(w, "categories: %s\n", cli.CategoryCodes)
		}
	}
	zeros := i.Zeros
	if zeros == "unknown" {
		zeros = "not said; a value, or missing with --zero-missing"
	}
	fmt.Fprintf(w, "0 and features left out: %s\n", zeros)
	i.Positions.text(w)
	if len(i.Settings) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nsettings of the training")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(i.Settings)) {
		fmt.Fprintf(t, "%s\t%s\n", errs.Line(name), errs.Line(i.Settings[name]))
	}
	return t.Flush()
}

// version is the command's own, as the Go tool recorded it.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}

// libraryVersion is that of the module that rank and kernels come from.
func libraryVersion() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, d := range b.Deps {
		if d.Path == "github.com/simdrank/simdrank" {
			if d.Replace != nil || d.Version == "" {
				return "(devel)"
			}
			return d.Version
		}
	}
	return "(devel)"
}
