package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/rank/lambdamart"
)

func importanceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "importance -m model",
		Short: "Tell which features the trees of a model look at",
		Long: `Tell which features the trees of a model look at: the gain of a feature's splits,
in all and as a share, and their number. Features that no split looks at are left out;
the others are numbered from 1, as in LETOR data, or have the names that the
model gives them.

Gain is what the splits lowered the training loss by. It favors features with many
distinct values, and among features that say the same it picks one.`,
		Example: `  simdrank importance -m trees.json
  simdrank importance -m trees.json --by splits --format json`,
		Args: noArguments,
	}
	var path string
	cmd.Flags().StringVarP(&path, "model", "m", "", "model of trees")
	by := choiceFlag(cmd, "by", "order of the features", "gain", "splits")
	scoring := addScoreFlags(cmd)
	format := formatFlag(cmd)
	cmd.MarkFlagRequired("model")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		m, err := readInput(cmd, path, lambdamart.Read)
		if err != nil {
			return err
		}
		if err := scoring.trees.Cut(m, inputName(path)); err != nil {
			return err
		}
		gains, splits := m.GainImportance(), m.SplitImportance()
		r := importances{Trees: len(m.Trees), Features: []importance{}}
		var total float64
		for _, g := range gains {
			total += g
		}
		for j, n := range splits {
			if n == 0 {
				continue
			}
			i := importance{Feature: j + 1, Gain: gains[j], Splits: int(n)}
			if total > 0 {
				i.Share = gains[j] / total
			}
			if m.FeatureNames != nil {
				i.Name = m.FeatureNames[j]
			}
			r.Features = append(r.Features, i)
		}
		slices.SortStableFunc(r.Features, func(a, b importance) int {
			if by.value == "splits" {
				return cmp.Compare(b.Splits, a.Splits)
			}
			return cmp.Compare(b.Gain, a.Gain)
		})
		return printResult(cmd.OutOrStdout(), format, r)
	}
	return cmd
}

type importances struct {
	Trees    int          `json:"trees"`
	Features []importance `json:"features"`
}

// An importance is that of one feature.
type importance struct {
	Feature int     `json:"feature"` // from 1
	Name    string  `json:"name,omitempty"`
	Gain    float64 `json:"gain"`
	Share   float64 `json:"share"` // of the gain of all features
	Splits  int     `json:"splits"`
}

func (r importances) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "feature\tgain\tshare\tsplits\t\n")
	for _, i := range r.Features {
		fmt.Fprintf(t, "%s\t%.6g\t%.1f%%\t%d\t\n", cmp.Or(i.Name, strconv.Itoa(i.Feature)), i.Gain, 100*i.Share,
			i.Splits)
	}
	return t.Flush()
}
