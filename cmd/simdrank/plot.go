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

// plots are the figures of plot.
var plots = []string{"curve", "path", "importance", "shap", "ndcg-at-k", "queries", "scores", "calibration",
	"positions"}

func plotCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plot figure -m model… -d data -o file.svg",
		Short: "Draw one figure of a report as SVG",
		Long: `Draw one figure of a report as SVG:

  curve        the first metric over the trees of a model, on the data and those
               of --train; or, with --log, of a training of LambdaMART or RankSVM
  path         the metric that chose C over C, of --log
  importance   shares of features in gain, splits and, with data, SHAP values of
               trees; weights times standard deviations of a linear model
  shap         SHAP values of the documents for the first features of trees
  ndcg-at-k    NDCG over k, a line for each model
  queries      the first metric by query: of one model, or of a second one less it
  scores       scores by label, of one model
  calibration  the mean label by score, a line for each model
  positions    factors of positions that trees were trained with (--position-bias)

--log is what train printed with --format json; for the curve of a RankSVM, with
--verbose too. For metrics and their policies see eval --help.`,
		Example: `  simdrank plot ndcg-at-k -m ridge.json -m trees.json -d test.txt -o ndcg.svg
  simdrank train -d train.txt --c-path auto -o model.json --format json > log.json
  simdrank plot path --log log.json -o path.svg`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return fmt.Errorf("plot needs one figure: %s", strings.Join(plots, ", "))
			case !slices.Contains(plots, args[0]):
				return fmt.Errorf("no figure is called %q: want one of %s", args[0], strings.Join(plots, ", "))
			}
			return nil
		},
		ValidArgs: plots,
	}
	s := newSubject(cmd, "SVG file for the figure")
	log := cmd.Flags().String("log", "", "what train --format json printed, for curve and path")
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

// checkPlot returns an error of usage when flags do not suit the figure.
func (s *subject) checkPlot(figure, log string) error {
	n := len(s.models)
	switch {
	case figure == "path" && log == "":
		return usagef("plot path needs --log, what train --c-path printed with --format json")
	case log != "" && figure != "path" && figure != "curve":
		return usagef("--log is for plot curve and plot path")
	case log != "":
		return nil
	case n == 0:
		return usagef("plot %s needs --model (-m)", figure)
	case s.data.path == "" && figure != "importance" && figure != "positions":
		return usagef("plot %s needs --data (-d)", figure)
	case s.data.path != "" && figure == "positions":
		return usagef("plot positions takes no --data (-d): the model has the factors")
	case figure == "queries" && n > 2:
		return usagef("plot queries takes one or two of --model (-m), not %d", n)
	case n > 1 && slices.Contains([]string{"curve", "importance", "shap", "scores", "positions"}, figure):
		return usagef("plot %s takes one --model (-m), not %d", figure, n)
	}
	return nil
}

// plot makes a figure.
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
	if s.data.path == "" { // importance and positions do without
		m, err := s.scoring.load(cmd, s.models[0])
		if err != nil {
			return nil, err
		}
		if _, trees := m.(*lambdamart.Model); !trees && figure == "positions" {
			return nil, usagef("plot positions is for trees, and %s is a linear model", s.models[0])
		} else if !trees {
			return nil, usagef("plot importance needs --data (-d) for a linear model: how far features spread")
		}
		c, err := (&report.Page{Systems: []report.System{{Model: m}}}).Figure(ctx, figure)
		return c, readError(s.models[0], err)
	}
	if err := s.load(cmd); err != nil {
		return nil, err
	}
	if _, trees := s.systems[0].Model.(*lambdamart.Model); !trees && (figure == "curve" || figure == "shap") {
		return nil, usagef("plot %s is for trees, and %s is a linear model", figure, s.models[0])
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

// A trainLog is what plot reads of what train prints as JSON.
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
		return nil, fmt.Errorf("want what train --format json prints: %w", err)
	}
	if l.Model == "" {
		return nil, errors.New("want what train --format json prints: no model is named")
	}
	return &l, nil
}

// system returns what the log knows of a training that a figure shows, the curve or the path.
func (l *trainLog) system(figure string) (s report.System, err error) {
	switch {
	case figure == "path" && l.Path == nil:
		return s, errors.New("no C was chosen: the training was without --c-path")
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
		return s, errors.New("no curve: a RankSVM logs one with --verbose, trees where they can be measured")
	}
	return s, nil
}
