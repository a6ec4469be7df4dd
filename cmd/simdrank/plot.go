package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

// plots lists the figures of plot.
var plots = []string{"curve", "path", "importance", "shap", "ndcg-at-k", "queries", "scores", "calibration",
	"reliability", "positions"}

func plotCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plot figure -m model… -d data -o file.svg",
		Short: "Draw one figure of a report as SVG",
		Long: `Figures:
  curve         first metric by number of trees, on the data and on --train; with
                --log, the training curve of LambdaMART or RankSVM (train --verbose)
  path          metric by C (requires --log)
  importance    feature importance
  shap          SHAP values of the most important features of trees
  ndcg-at-k     NDCG by cutoff k, one line per model
  queries       first metric by query, or the difference between two models
  scores        scores by label
  calibration   mean label by score, one line per model
  reliability   share of relevant documents by calibrated probability, with the expected
                calibration error (15 bins of equal width) and the Brier score
  positions     position-bias factors of trees trained with --position-bias

--log is the output of train --format json.`,
		Example: `  simdrank plot ndcg-at-k -m ridge.json -m trees.json -d test.txt -o ndcg.svg
  simdrank train -d train.txt --c-path auto -o model.json --format json > log.json
  simdrank plot path --log log.json -o path.svg`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return fmt.Errorf("plot requires one figure: %s", cli.OneOf(plots))
			case !slices.Contains(plots, args[0]):
				return fmt.Errorf("unknown figure %q: must be %s", args[0], cli.OneOf(plots))
			}
			return nil
		},
		ValidArgs: plots,
	}
	s := newSubject(cmd, "SVG `file` for the figure")
	log := cmd.Flags().String("log", "", "`file` with the output of train --format json")
	exclude(cmd, "log", "model", "data", "train")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if strings.ToLower(filepath.Ext(s.output)) != ".svg" {
			return usagef("--output (-o) %s: the name must end in .svg", s.output)
		}
		if err := s.checkPlot(args[0], *log); err != nil {
			return err
		}
		if err := s.check(*log); err != nil {
			return err
		}
		c, err := s.plot(cmd, args[0], *log)
		if err != nil {
			return err
		}
		return writeOutput(cmd, s.output, c.WriteSVG)
	}
	return cmd
}

// checkPlot returns a usage error if flags do not suit the figure.
func (s *subject) checkPlot(figure, log string) error {
	n := len(s.models)
	switch {
	case figure == "path" && log == "":
		return usagef("plot path requires --log, the output of train --c-path --format json")
	case log != "" && figure != "path" && figure != "curve":
		return usagef("--log requires plot curve or plot path")
	case log != "":
		return nil
	case n == 0:
		return usagef("plot %s requires --model (-m)", figure)
	case s.data.path == "" && figure != "importance" && figure != "positions":
		return usagef("plot %s requires --data (-d)", figure)
	case s.data.path != "" && figure == "positions":
		return usagef("--data (-d) has no effect with plot positions, which uses only the model")
	case figure == "queries" && n > 2:
		return usagef("plot queries requires one or two models (found %d)", n)
	case n > 1 && slices.Contains([]string{"curve", "importance", "shap", "scores", "positions"}, figure):
		return usagef("plot %s requires one model (found %d)", figure, n)
	}
	return nil
}

// plot draws a figure.
func (s *subject) plot(cmd *cobra.Command, figure, log string) (*report.Chart, error) {
	e, err := s.metrics.evaluator()
	if err != nil {
		return nil, err
	}
	ctx := cmd.Context()
	if log != "" {
		l, err := readInput(cmd, log, readLog)
		if err != nil {
			return nil, err
		}
		var c *report.Chart
		system, err := l.system(figure)
		if err == nil {
			c, err = (&report.Page{Systems: []report.System{system}}).Figure(ctx, figure)
		}
		return c, readError(log, err)
	}
	if s.data.path == "" { // importance and positions work without data
		m, err := s.scoring.load(cmd, s.models[0])
		if err != nil {
			return nil, err
		}
		if _, trees := m.(*lambdamart.Model); !trees && figure == "positions" {
			return nil, usagef("plot positions requires a tree model, but %s is a linear model", s.models[0])
		} else if !trees {
			return nil, usagef("plot importance of a linear model requires --data (-d), because it uses the standard deviations of the features")
		}
		c, err := (&report.Page{Systems: []report.System{{Model: m}}}).Figure(ctx, figure)
		return c, readError(s.models[0], err)
	}
	if err := s.load(cmd); err != nil {
		return nil, err
	}
	if _, trees := s.systems[0].Model.(*lambdamart.Model); !trees && (figure == "curve" || figure == "shap") {
		return nil, usagef("plot %s requires a tree model, but %s is a linear model", figure, s.models[0])
	}
	page := &report.Page{Data: s.set, Systems: s.systems, Evaluator: e}
	if figure == "curve" {
		if s.systems[0].Curve, err = s.curves(cmd, 0, e); err != nil {
			return nil, err
		}
		return page.Figure(ctx, figure)
	}
	drawing := begin(cmd, "drawing "+figure, "")
	defer drawing.end()
	page.Progress = drawing.at
	c, err := page.Figure(ctx, figure)
	return c, evalError(err, s.data.path, s.data.path)
}

// A trainLog holds the parts of train's JSON output that plot uses.
type trainLog struct {
	Model string     `json:"model"`
	Path  *cli.CPath `json:"c_path"`
	Trees *struct {
		Best   int         `json:"best"`
		Curves []cli.Curve `json:"curves"`
	} `json:"lambdamart"`
	Iterations []iteration `json:"iterations"`
}

func readLog(r io.Reader, o ...rank.ReadOptions) (*trainLog, error) {
	var l trainLog
	if err := json.NewDecoder(files.NewBudget(r, o...).Reader(r, "the curves", 32)).Decode(&l); err != nil {
		return nil, fmt.Errorf("the file is not the output of train --format json: %w", err)
	}
	if l.Model == "" {
		return nil, errors.New("the file is not the output of train --format json: its field \"model\" is missing or empty")
	}
	return &l, nil
}

// system returns the curve or the path in the log.
func (l *trainLog) system(figure string) (s report.System, err error) {
	switch {
	case figure == "path" && l.Path == nil:
		return s, errors.New("the log does not contain a choice of C: run train with --c-path")
	case figure == "path":
		s.Path = pathCurve(l.Path)
	case l.Trees != nil && len(l.Trees.Curves) > 0:
		metric := l.Trees.Curves[0].Metric
		s.Curve = treeCurves(metric, l.Trees.Best)
		for _, curve := range l.Trees.Curves {
			if curve.Metric != metric {
				continue
			}
			values := make([]float64, len(curve.Values))
			for i, v := range curve.Values {
				values[i] = float64(v)
			}
			addCurve(s.Curve, curve.Set, values)
		}
	case len(l.Iterations) > 0:
		s.Curve = gapCurves(l.Iterations)
	default:
		return s, errors.New("the log contains no curve (for RankSVM, use train --verbose; for trees, use data on which the metric is defined)")
	}
	return s, nil
}
