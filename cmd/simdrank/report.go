package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/kernels"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/report"
)

func reportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report -m model… -d data -o page.html",
		Short: "Write a page that shows how models rank data, and why",
		Long: `Write one HTML page about models on LETOR data with labels: their metrics with
intervals, and against the first model with tests of significance; NDCG over k; on
which queries they win and lose; scores by label; the features that they look at,
with SHAP values and partial dependences of trees and the weights of linear
models; what the data are; settings, versions and SHA-256 hashes of the files.

The page needs no network and no scripts, and the same input gives the same bytes
everywhere, but for the name of the tier of kernels. Curves of trees are measured
on the data and on those of --train. The first metric decides; significance is
that of 10,000 rounds of randomization, intervals are of as many of the bootstrap.
For metrics and their policies see eval --help, for --zero-missing and
--ignore-extra-features predict --help.`,
		Example: `  simdrank report -m model.json -d test.txt -o report.html
  simdrank report -m ridge.json -m trees.json -d test.txt --train train.txt -o report.html`,
		Args: noArguments,
	}
	s := newSubject(cmd, "HTML file for the page")
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("data")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.check(""); err != nil {
			return err
		}
		e, err := s.metrics.evaluator()
		if err != nil {
			return err
		}
		if err := s.load(cmd); err != nil {
			return err
		}
		for i := range s.systems {
			if _, trees := s.systems[i].Model.(*lambdamart.Model); !trees {
				continue
			}
			if s.systems[i].Curve, err = s.curves(cmd, i, e); err != nil {
				return err
			}
		}
		page := &report.Page{Data: s.set, Train: s.trainSet, Systems: s.systems, Evaluator: e}
		if page.Facts, err = facts(cmd, s.metrics.policies, s.models, s.data.path, s.train); err != nil {
			return err
		}
		text, err := makePage(cmd, s.output, page)
		if err != nil {
			return evalError(err, s.data.path, s.data.path)
		}
		return writeText(cmd, s.output, text)
	}
	return cmd
}

// makePage makes the page of a file. Errors are about what the page shows.
func makePage(cmd *cobra.Command, path string, page *report.Page) (*bytes.Buffer, error) {
	making := begin(cmd, "making "+path, "")
	defer making.end()
	page.Progress = making.at
	text := new(bytes.Buffer)
	return text, page.Write(cmd.Context(), text)
}

// A fileList is a flag that names a file each time that it is given.
type fileList []string

func (l *fileList) String() string { return strings.Join(*l, " ") }
func (l *fileList) Type() string   { return "file" }

func (l *fileList) Set(path string) error {
	if path == "" {
		return errors.New("want the name of a file")
	}
	*l = append(*l, path)
	return nil
}

// A subject is what the flags of report and plot ask about.
type subject struct {
	models        fileList
	data          *dataFlags
	train, output string
	scoring       *scoreFlags
	metrics       *metricFlags

	set, trainSet report.Set
	systems       []report.System
}

func newSubject(cmd *cobra.Command, output string) *subject {
	s := &subject{}
	flags := cmd.Flags()
	flags.VarP(&s.models, "model", "m", "model to show; may be given repeatedly, the baseline first")
	s.data = newDataFlags(cmd)
	flags.StringVar(&s.train, "train", "", "data that the models were trained on, for curves of trees")
	flags.StringVarP(&s.output, "output", "o", "", output)
	s.scoring = addScoreFlags(cmd)
	addFeatureFlags(cmd)
	s.metrics = newMetricFlags(cmd)
	cmd.MarkFlagRequired("output")
	return s
}

// check refuses files that cannot be read or written together, log among them.
func (s *subject) check(log string) error {
	return checkFiles(s.output, slices.Concat(s.data.inputs(), []string{s.train, log}, s.models)...)
}

// load reads the models and data, and scores.
func (s *subject) load(cmd *cobra.Command) error {
	for _, path := range s.models {
		m, err := s.scoring.load(cmd, path)
		if err != nil {
			return err
		}
		s.data.knows(m)
		s.systems = append(s.systems, report.System{Name: systemName(path, s.models), Model: m})
	}
	d, err := s.data.load(cmd)
	if err != nil {
		return err
	}
	if err := s.metrics.checkIDs(d, s.data.path); err != nil {
		return err
	}
	s.set = report.Set{Name: systemName(s.data.path, nil), Data: d}
	if s.train != "" {
		t, err := s.data.loadFile(cmd, s.train, 0)
		if err != nil {
			return err
		}
		s.trainSet = report.Set{Name: systemName(s.train, []string{s.data.path}), Data: t}
	}
	for i, path := range s.models {
		system := &s.systems[i]
		if system.Data, err = toModel(cmd, system.Model, path, d, s.data.path); err != nil {
			return err
		}
		if system.Scores, err = score(cmd, system.Model, system.Data, s.data.path); err != nil {
			return err
		}
	}
	return nil
}

// curves measures trees, the first of them, more of them, on the data and those of --train.
func (s *subject) curves(cmd *cobra.Command, system int, e *rank.Evaluator) (*report.Chart, error) {
	m := s.systems[system].Model.(*lambdamart.Model)
	sets := []report.Set{{Name: s.set.Name, Data: s.systems[system].Data}}
	if s.train != "" {
		d, err := toModel(cmd, m, s.models[system], s.trainSet.Data, s.train)
		if err != nil {
			return nil, err
		}
		sets = append(sets, report.Set{Name: s.trainSet.Name, Data: d})
	}
	measuring := begin(cmd, "measuring the trees of "+inputName(s.models[system]), "")
	defer measuring.end()
	c, err := report.CurveOf(cmd.Context(), m, e, sets, measuring.at)
	return c, evalError(err, s.data.path, s.models[system])
}

// facts tells how a page was made: by which command, programs and files.
func facts(cmd *cobra.Command, policies []policyFlag, models []string, data ...string) ([][2]string, error) {
	list := [][2]string{
		{"command", commandLine(cmd)},
		{"simdrank", version()},
		{"library", libraryVersion()},
		{"Go", runtime.Version()},
		{"kernels", kernels.CPU()},
	}
	var said []string
	for _, p := range policies {
		said = append(said, p.kind+" "+p.value.value)
	}
	if said != nil {
		list = append(list, [2]string{"policies of the metrics", strings.Join(said, ", ")})
	}
	for i, path := range append(data, models...) {
		if path == "" || path == "-" || files.Special(path) { // has been read and cannot be again
			continue
		}
		kind := "data"
		if i >= len(data) {
			kind = "model"
		}
		sum, err := hashFile(cmd, path)
		if err != nil {
			return nil, readError(path, err)
		}
		list = append(list, [2]string{kind + " " + filepath.Base(path), "SHA-256 " + sum})
	}
	return list, nil
}

// hashFile returns the SHA-256 of a file in hexadecimal digits.
func hashFile(cmd *cobra.Command, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hashing := begin(cmd, "hashing "+path, "bytes")
	defer hashing.end()
	h := sha256.New()
	if _, err := io.Copy(h, watched(f, hashing)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// commandLine returns a command with the flags that were given, in the order of help, as a shell
// takes them.
func commandLine(cmd *cobra.Command) string {
	words := []string{cmd.CommandPath()}
	words = append(words, cmd.Flags().Args()...)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			words = append(words, flagWords(f)...)
		}
	})
	return strings.Join(words, " ")
}

// flagWords returns a flag and its value as a shell takes them.
func flagWords(f *pflag.Flag) (words []string) {
	if files, several := f.Value.(*fileList); several {
		for _, path := range *files {
			words = append(words, "--"+f.Name, quoted(path))
		}
		return words
	}
	switch v := f.Value.String(); {
	case f.Value.Type() != "bool":
		return []string{"--" + f.Name, quoted(v)}
	case v == "true":
		return []string{"--" + f.Name}
	default:
		return []string{"--" + f.Name + "=" + v}
	}
}

var escapes = strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`)

// quoted returns a word as a shell takes it, without control characters: these as bash has them.
func quoted(word string) string {
	plain := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_./:=@,+%", r) {
			return -1
		}
		return r
	}
	if word != "" && strings.Map(plain, word) == "" {
		return word
	}
	if errs.Printable(word) != word || strings.Contains(word, "\n") {
		return "$'" + errs.Printable(escapes.Replace(word)) + "'"
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
