package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

type info struct {
	Version string `json:"version"`
	Library string `json:"library"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	CPU     string `json:"cpu,omitempty"` // name of the processor; "" if unknown
	Threads int    `json:"threads"`       // default for training
	Tier    string `json:"tier"`          // kernel tier in use
	Asked   string `json:"simdrank_cpu,omitempty"`
	Error   string `json:"error,omitempty"` // why the tier in SIMDRANK_CPU is not used
}

func infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Print kernels and versions, or describe a model, dataset or TREC run",
		Long: `Without -m, -d and --qrels, print versions, the platform and the kernel tier in use:
avx512, avx2, neon or generic. The environment variable SIMDRANK_CPU selects another tier.
Results are bit-identical on all tiers.

With -m, describe a model: its kind, size, number of features, best iteration,
treatment of zeros, features with missing training values, position-bias factors
and training settings.

With -d, describe a dataset: queries, documents, labels, features, nonzero, omitted
and missing values, constant features, and duplicated rows.

With --qrels and --run, check a TREC run before evaluation: topics that only one file
contains, judged documents at ranks up to 10, 100 and 1000, tied scores, and duplicates.`,
		Example: `  simdrank info
  simdrank info -m trees.json
  simdrank info -d train.txt
  simdrank info --qrels qrels.txt --run bm25.run`,
		Args: noArguments,
	}
	cmd.Flags().SortFlags = false
	model := cmd.Flags().StringP("model", "m", "", "model `file` to describe")
	data := newDataFlags(cmd)
	qrels := cmd.Flags().String("qrels", "", "TREC judgments `file` (qrels)")
	run := cmd.Flags().String("run", "", "TREC run `file` to check with --qrels")
	format := formatFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("model", "data")
	exclude(cmd, "qrels", "model", "data")
	exclude(cmd, "run", append(dialectFlags(), "model", "data")...)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *qrels != "" || *run != "" {
			return inspect(cmd, format, *qrels, *run)
		}
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

// dataInfo describes data.
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
	Leaves   int    `json:"leaves,omitempty"`  // leaves of all trees
	Largest  int    `json:"largest,omitempty"` // leaves of the largest tree
	Best     int    `json:"best,omitempty"`    // trees up to the best iteration; 0 if unknown
	Codes    bool   `json:"category_codes,omitempty"`
	// Categories contains the number of text categories by feature.
	Categories []textFeature `json:"categories,omitempty"`
	Zeros      string        `json:"zeros"` // treatment of 0 and omitted features: value, missing or unknown
	// Missing contains the features that had missing values in training and that splits use. It is
	// nil if they are not known.
	Missing []string `json:"missing_features,omitzero"`

	Calibration string            `json:"calibration,omitempty"` // isotonic or platt
	Positions   *positionFactors  `json:"positions,omitempty"`
	Settings    map[string]string `json:"settings,omitempty"` // training settings, if known
}

// A textFeature is a feature with text categories.
type textFeature struct {
	Feature    string `json:"feature"` // name, or number from 1
	Categories int    `json:"categories"`
}

func (f textFeature) String() string { return fmt.Sprintf("%s (%d)", f.Feature, f.Categories) }

// textFeatures lists the features of a model with text categories.
func textFeatures(m *lambdamart.Model) (list []textFeature) {
	for f, texts := range m.Categories {
		if texts == nil {
			continue
		}
		list = append(list, textFeature{featureLabel(m, f), len(texts)})
	}
	return list
}

func describe(m rank.Model) modelInfo {
	i := modelInfo{Kind: "linear", Features: m.Features(), Zeros: "value",
		Settings: cli.Settings(m)}
	if c := model.Calibration(m); c != nil && len(c.Scores) > 0 {
		i.Calibration = "isotonic"
	} else if c != nil {
		i.Calibration = "platt"
	}
	if m, ok := m.(*lambdamart.Model); ok {
		i.Kind, i.Trees, i.Best, i.Codes = "trees", len(m.Trees), m.Best, m.CategoryCodes
		switch {
		case m.UnknownZeros:
			i.Zeros = "unknown"
		case m.ZeroMissing():
			i.Zeros = "missing"
		}
		i.Missing, i.Positions, i.Categories = missingFeatures(m), newPositionFactors(m), textFeatures(m)
		for _, t := range m.Trees {
			i.Leaves += len(t.Leaf)
			i.Largest = max(i.Largest, len(t.Leaf))
		}
	}
	return i
}

// missingFeatures returns the names of the features that had missing values in training and that
// splits use, or their numbers from 1. It returns nil if the model does not record them.
func missingFeatures(m *lambdamart.Model) []string {
	if m.MissingFeatures == nil {
		return nil
	}
	list := []string{}
	_, splits := m.Importance()
	for f, n := range splits {
		if n > 0 && m.MissingFeatures[f] {
			list = append(list, featureLabel(m, f))
		}
	}
	return list
}

// featureLabel returns the name of a feature, or its number from 1 if the model has no names.
func featureLabel(m *lambdamart.Model, f int) string {
	if m.FeatureNames != nil {
		return m.FeatureNames[f]
	}
	return strconv.Itoa(f + 1)
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
		if i.Categories != nil {
			fmt.Fprintf(w, "text categories: %s\n", errs.Line(strings.Trim(fmt.Sprint(i.Categories), "[]")))
		}
	}
	zeros := i.Zeros
	if zeros == "unknown" {
		zeros = "not recorded; treated as a value, or as missing with --zero-missing"
	}
	fmt.Fprintf(w, "0 and omitted features: %s\n", zeros)
	if i.Kind == "trees" {
		missing := "not recorded"
		if i.Missing != nil {
			missing = cmp.Or(strings.Join(i.Missing, ", "), "none")
		}
		fmt.Fprintf(w, "features with missing values in training: %s\n", errs.Line(missing))
	}
	if i.Calibration != "" {
		fmt.Fprintf(w, "calibration: %s\n", i.Calibration)
	}
	i.Positions.text(w)
	if len(i.Settings) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\ntraining settings")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(i.Settings)) {
		fmt.Fprintf(t, "%s\t%s\n", errs.Line(name), errs.Line(i.Settings[name]))
	}
	return t.Flush()
}

// version returns the version of the command, as the Go tool recorded it.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}

// libraryVersion returns the version of the module that contains rank and kernels. In a workspace,
// that module and the command are built from the same commit.
func libraryVersion() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	for _, d := range b.Deps {
		if d.Path == "github.com/simdrank/simdrank" {
			switch {
			case d.Replace != nil:
				return "(devel)"
			case d.Version == "" || d.Version == "(devel)":
				return version()
			}
			return d.Version
		}
	}
	return "(devel)"
}
