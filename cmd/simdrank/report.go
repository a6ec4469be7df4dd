package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
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
		Short: "Write an HTML report about models and data",
		Long: `Write an HTML page about models, evaluated on labeled data:
  - metrics with confidence intervals, and significance tests against the first model,
    also for each query group
  - NDCG by cutoff, wins and losses by query, and scores by label
  - feature importance, SHAP values and partial dependence
  - a description of the data, and settings, versions and SHA-256 hashes of the files

The page is self-contained: it needs no network and no scripts. It is deterministic,
except for the name of the kernel tier. Tree models get training curves on the data
and on --train. Figures use the first metric. Tests use 10,000 randomization rounds,
and intervals use 10,000 bootstrap rounds.`,
		Example: `  simdrank report -m model.json -d test.txt -o report.html
  simdrank report -m ridge.json -m trees.json -d test.txt --train train.txt -o report.html
  simdrank report -m ridge.json -m trees.json -d test.txt --by groups.tsv -o report.html`,
		Args: noArguments,
	}
	s := newSubject(cmd, "HTML `file` for the report")
	by := newByFlags(cmd)
	cmd.MarkFlagRequired("model")
	cmd.MarkFlagRequired("data")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.check(by.file); err != nil {
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
		if page.Groups, err = by.of(cmd, s.set.Data.QueryIDs, s.data, s.set.Data); err != nil {
			return err
		}
		if page.Facts, err = facts(cmd, s.metrics.policies, s.models, s.data.path, s.train, by.file); err != nil {
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

// makePage creates the page for a file. Errors concern the contents of the page.
func makePage(cmd *cobra.Command, path string, page *report.Page) (*bytes.Buffer, error) {
	making := begin(cmd, "making "+path, "")
	defer making.end()
	page.Progress = making.at
	text := new(bytes.Buffer)
	return text, page.Write(cmd.Context(), text)
}

// A fileList is the value of a flag that may be given several times, with a file each time.
type fileList []string

func (l *fileList) String() string { return strings.Join(*l, " ") }
func (l *fileList) Type() string   { return "file" }

func (l *fileList) Set(path string) error {
	if path == "" {
		return errors.New("must not be empty")
	}
	*l = append(*l, path)
	return nil
}

// A subject holds the flags of report and plot, and the models and data that they name.
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
	flags.SortFlags = false
	flags.VarP(&s.models, "model", "m", "model file; may be repeated, the baseline first")
	s.data = newDataFlags(cmd)
	flags.StringVar(&s.train, "train", "", "training data `file`, for training curves of trees")
	flags.StringVarP(&s.output, "output", "o", "", output)
	s.metrics = newMetricFlags(cmd)
	s.scoring = addScoreFlags(cmd)
	addFeatureFlags(cmd)
	cmd.MarkFlagRequired("output")
	return s
}

// check returns an error if the files, including another input, cannot be used together.
func (s *subject) check(other string) error {
	return checkFiles(s.output, slices.Concat(s.data.inputs(), []string{s.train, other}, s.models)...)
}

// load reads the models and the data, and scores the data.
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

// curves measures a tree model after each number of trees, on the data and on the data of --train.
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

// facts lists the command, versions and files that a page was created with.
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
		list = append(list, [2]string{"metric conventions", strings.Join(said, ", ")})
	}
	for i, path := range append(data, models...) {
		if path == "" || path == "-" || files.Special(path) { // it cannot be read again
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

// hashFile returns the SHA-256 hash of a file, or of all files of a folder, in hexadecimal.
func hashFile(cmd *cobra.Command, path string) (string, error) {
	paths := []string{path}
	if isFolder(path) {
		var err error
		if paths, err = folderFiles(path); err != nil {
			return "", err
		}
	}
	h := sha256.New()
	for _, path := range paths {
		hashing := begin(cmd, "hashing "+path, "bytes")
		_, err := files.Load(path, func(r io.Reader) (int64, error) { return io.Copy(h, watched(r, hashing)) })
		hashing.end()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// commandLine returns the command line of a command for a shell, with the flags in the order of the
// help.
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

// flagWords returns a flag and its value, quoted for a shell.
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

// quoted quotes a word for a shell. Control characters are escaped as in bash.
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
