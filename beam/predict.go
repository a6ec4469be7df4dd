package rankbeam

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/model"
)

// Predict writes the scores of a model, one per line, with enough digits to restore each score
// exactly. It writes one output file per data file, with the scores in the order of the rows. For
// example, out-00003-of-00012 belongs to file 3 of 12, counting from 0.
//
// The output files appear only after all of them are written. Output files of an earlier run are
// replaced if that run wrote the same number of files. Otherwise, Predict returns an error, because
// the files of both runs would be read as one result. It also returns an error if an output name is
// the name of a data file.
//
// Rows need neither labels nor queries.
func (j *Job) Predict(ctx context.Context, s System, out string) (*Pass, error) {
	if out == "" {
		return nil, errors.New("an output name is required")
	}
	return j.score(ctx, "predict", []System{s}, out, func(parts []part) error { return publish(ctx, parts, out) })
}

// A scorePlan describes the scoring for workers.
type scorePlan struct {
	Models              []*sentModel
	Names               []string // of the models
	IgnoreExtraFeatures bool
	Output              string // prefix of the names of the files that workers write; "": none
	Target              string // name of these files in errors
	Evaluator           *rank.Evaluator
}

// A part is the result of scoring a file.
type part struct {
	Output string          // the file that was written
	Means  []num.ExactMean // of each metric; none when systems are compared
	DocIDs bool            // whether rows have ids
}

// score runs a pass that scores the files by models. Workers write files with names that start with
// out, unless it is "". commit receives the result of each data file before the files of the
// workers are removed.
func (j *Job) score(ctx context.Context, task string, systems []System, out string,
	commit func(parts []part) error) (_ *Pass, err error) {
	list, err := j.Data.files(ctx)
	if err != nil {
		return nil, err
	}
	s, err := j.newState("")
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, s.remove()) }()
	p := &scorePlan{IgnoreExtraFeatures: j.IgnoreExtraFeatures, Output: out, Target: out, Evaluator: j.Evaluator}
	switch {
	case task == "compare":
		p.Output = s.newName("values")
	case out != "":
		if err := checkOutput(ctx, out, list); err != nil {
			return nil, err
		}
		p.Output += "." + s.id
		defer func() { err = cmp.Or(err, removeAll(quote(p.Output)+"-*")) }()
	}
	for _, system := range systems {
		m, err := sendModel(system.Model)
		if err != nil {
			return nil, err
		}
		p.Models, p.Names = append(p.Models, m), append(p.Names, system.Name)
	}
	parts, done, err := run[part](ctx, s, task, p, list)
	if err != nil {
		return nil, err
	}
	if err := commit(parts); err != nil {
		return nil, err
	}
	return done.end(), nil
}

// A sentModel is sent as model JSON.
type sentModel struct {
	rank.Model
	text []byte
}

func sendModel(m rank.Model) (*sentModel, error) {
	var b bytes.Buffer
	err := model.Write(&b, m, "json")
	return &sentModel{text: b.Bytes()}, err
}

// GobEncode implements [gob.GobEncoder].
func (m *sentModel) GobEncode() ([]byte, error) { return m.text, nil }

// GobDecode implements [gob.GobDecoder].
func (m *sentModel) GobDecode(text []byte) (err error) {
	m.Model, err = model.Read(bytes.NewReader(text))
	return err
}

// scores returns the scores of the rows of d by model i.
func (p *scorePlan) scores(ctx context.Context, i int, d *rank.Dataset) ([]float64, error) {
	m, path := p.Models[i].Model, d.File
	to := model.Alignment{DataName: path, ModelName: p.Names[i], IgnoreExtraFeatures: p.IgnoreExtraFeatures}
	d, err := to.ToModel(d, m)
	if err != nil {
		return nil, err
	}
	scores := make([]float64, d.Rows())
	if err := m.ScoreInto(ctx, scores, d); err != nil {
		return nil, cli.FileError(path, err)
	}
	return scores, nil
}

func init() { tasks["predict"] = fileTaskOf(predictFile) }

// predictFile writes scores.
func predictFile(ctx context.Context, a *attempt, p *scorePlan, f file) (_ any, err error) {
	out, err := a.create(ctx, p.Output, p.Target)
	if err != nil {
		return nil, err
	}
	defer func() { err = out.close(err) }()
	o := f.options()
	o.NoQueries, o.Unlabeled = true, true
	var text []byte
	for d, err := range a.pieces(ctx, &f, o) {
		if err != nil {
			return nil, err
		}
		scores, err := p.scores(ctx, 0, d)
		if err != nil {
			return nil, err
		}
		for _, s := range scores {
			text = append(strconv.AppendFloat(text[:0], s, 'g', -1, 64), '\n')
			out.Write(text)
		}
	}
	return part{Output: out.name}, nil
}

// checkOutput returns an error if out has files of another number of inputs, or if an output would
// replace an input.
func checkOutput(ctx context.Context, out string, inputs []file) error {
	n, input := len(inputs), map[string]bool{}
	for _, f := range inputs {
		input[filepath.Clean(f.Path)] = true
	}
	for i := range n {
		if name := shardName(out, i, n); input[filepath.Clean(name)] {
			return fmt.Errorf("the output %s would replace an input", name)
		} else if !remoteName(name) && files.Special(name) {
			return fmt.Errorf("the output %s is not a regular file and would be replaced: choose another name", name)
		}
	}
	system, err := filesystem.New(ctx, out)
	if err != nil {
		return err
	}
	defer system.Close()
	names, err := system.List(ctx, quote(out)+"-*-of-*")
	if err != nil {
		return cli.FileError(out, err)
	}
	base := out[strings.LastIndexAny(out, `/\`)+1:]
	for _, name := range names {
		numbers := shardNumbers.FindStringSubmatch(name)
		if numbers == nil || !strings.HasSuffix(name, base+numbers[0]) {
			continue
		}
		if of, err := strconv.Atoi(numbers[1]); err != nil || of != n {
			return fmt.Errorf("%s: already exists from a run with a different number of files (this run writes %d): "+
				"remove the old files or choose another name", name, n)
		}
	}
	return nil
}

// shardNumbers matches the suffix that shardName adds to a name.
var shardNumbers = regexp.MustCompile(`-\d{5,}-of-(\d{5,})$`)

// publish renames the files of the workers to their final names.
func publish(ctx context.Context, parts []part, out string) error {
	system, err := filesystem.New(ctx, out)
	if err != nil {
		return err
	}
	defer system.Close()
	for i := range parts {
		name := shardName(out, i, len(parts))
		if err := filesystem.Rename(ctx, system, parts[i].Output, name); err != nil {
			if remover, ok := system.(filesystem.Remover); ok {
				for i := range i {
					remover.Remove(ctx, shardName(out, i, len(parts))) // the error of the renaming is returned
				}
			}
			return cli.FileError(name, err)
		}
	}
	return nil
}

func shardName(out string, i, n int) string { return fmt.Sprintf("%s-%05d-of-%05d", out, i, n) }
