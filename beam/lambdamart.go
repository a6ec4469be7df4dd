package rankbeam

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/beam/internal/remote"
	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/modelfile"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/internal/sharded"
	"github.com/simdrank/simdrank/rank/lambdamart"
	"github.com/simdrank/simdrank/rank/model"
)

// TreesOptions contains options of [Job.TrainTrees] that [lambdamart.Trainer] does not have.
type TreesOptions struct {
	// Checkpoint is the name of a file that is written after every tree. With Resume, training
	// continues from this file if it exists, and the result is bit-identical to uninterrupted
	// training. The data and the options must be unchanged, except for Trees and EarlyStopping.
	Checkpoint string
	Resume     bool
}

// TrainTrees trains a tree model on all files. The model is bit-identical to the result of
// [lambdamart.Trainer.Fit] on one machine, for any number of files and workers.
//
// DepthWise must be set, because leaf-wise growth would need one pass per split. BinsFile and
// Validation must be empty. The metrics of the job are computed on Job.Valid after each tree, and
// EarlyStopping uses the first metric. Settle may change t.
//
// Training makes the following passes:
//
//   - one pass numbers the rows
//   - one pass collects a sample of at most 200,000 rows, from which bins are computed
//   - one pass writes the bins to files
//   - for each tree, one pass adds the previous tree to the scores and computes the gradients
//   - for each level of a tree, one pass adds up integer histograms
//
// Temporary files are removed at the end. If ctx is canceled or OnTree returns an error, the result
// contains the trees trained so far, as with Fit.
func (j *Job) TrainTrees(ctx context.Context, t *lambdamart.Trainer, o TreesOptions) (*lambdamart.Result, *Pass,
	error) {
	switch {
	case len(t.Validation) > 0:
		return nil, nil, errs.New("lambdamart", "Trainer.Validation must be empty (use Job.Valid)")
	case o.Resume && o.Checkpoint == "":
		return nil, nil, errs.New("lambdamart", "Resume requires Checkpoint")
	case t.Start != nil && t.Start.UnknownZeros:
		return nil, nil, errs.New("lambdamart", "the model in Start does not record whether it treats 0 as missing (call SetZeroMissing)")
	}
	return j.trainTrees(ctx, t, o, 0)
}

// RetrainTrees trains a new model on all data, including Job.Valid, with the best number of trees
// in r. It is like [lambdamart.Trainer.Retrain].
func (j *Job) RetrainTrees(ctx context.Context, t *lambdamart.Trainer, r *lambdamart.Result) (*lambdamart.Result,
	*Pass, error) {
	switch {
	case j.Valid == nil:
		return nil, nil, errs.New("lambdamart", "RetrainTrees requires validation data in Job.Valid")
	case r.Best == 0:
		return nil, nil, errs.New("lambdamart", "cannot retrain: the result has no trees")
	}
	return j.trainTrees(ctx, t, TreesOptions{}, r.Best)
}

// trainTrees trains on the data and evaluates on Valid. If best is not 0, it instead trains that
// many trees on both together.
func (j *Job) trainTrees(ctx context.Context, t *lambdamart.Trainer, options TreesOptions, best int) (
	_ *lambdamart.Result, _ *Pass, err error) {
	data, valid := []Data{j.Data}, j.Valid
	if best > 0 {
		data, valid = append(data, *valid), nil
	}
	r := &treeTraining{trainer: *t, options: options, watched: valid != nil}
	if r.state, err = j.newState(""); err != nil { // trees resume from a checkpoint
		return nil, nil, err
	}
	defer func() { err = cmp.Or(err, r.remove()) }()
	if err := r.number(ctx, data, valid); err != nil {
		return nil, nil, err
	}
	if j.Settle != nil {
		if err := j.Settle(r.cols, r.names); err != nil {
			return nil, nil, err
		}
		r.trainer = *t
	}
	if best > 0 {
		r.trainer.Trees, r.trainer.EarlyStopping = best, 0
	}
	o, curves := r.trainer, 0
	if valid != nil {
		e, err := evaluatorOr(j.Evaluator)
		if err != nil {
			return nil, nil, err
		}
		curves = len(e.Metrics())
		o.Validation = []lambdamart.Validation{{Name: "valid", Evaluator: e}}
	}
	if r.training, err = sharded.New(&o, r.rows, r.cols, r.names, nil); err != nil {
		if r.rows == 0 || r.cols == 0 {
			err = cli.FileError(j.Data.Glob, err)
		}
		return nil, nil, err
	}
	if err := r.bin(ctx); err != nil {
		return nil, nil, err
	}
	done, err := r.resume(ctx, curves)
	if err != nil {
		return nil, nil, err
	}
	start := r.trainer.Start
	if done != nil {
		start = done.Model
	}
	if err := r.fill(ctx, start); err != nil {
		return nil, nil, err
	}
	result, err := r.training.Fit(ctx, r.bins, r.bias, done, r)
	if result == nil {
		return nil, nil, err
	}
	for _, c := range r.dropped {
		result.Dropped = append(result.Dropped, lambdamart.DroppedCategories(c))
	}
	all := r.total()
	all.Files, all.Queries, all.Rows, all.Cols = r.files, r.queries, r.rows, r.cols
	return result, all, err
}

// A treeTraining is the state of one call of TrainTrees.
type treeTraining struct {
	*state
	trainer  lambdamart.Trainer
	options  TreesOptions
	training *sharded.Training
	watched  bool // whether there is validation data

	files, queries, rows, cols int // of the training data

	names   []string // of columns
	bias    float64  // score of a row before the first tree
	shards  []treeShard
	bins    []boost.Binning
	dropped []boost.Dropped
	hash    string // identifies this training in checkpoints
}

// A treeShard is a data file, together with the files that contain the training state of its rows.
type treeShard struct {
	File                 file
	Valid                bool
	FirstRow, FirstQuery int // numbers within the training data

	Sample string // values of sampled rows
	Bins   string
	Scores string // "" if all are 0
}

// number counts the rows and columns of all files.
func (r *treeTraining) number(ctx context.Context, data []Data, valid *Data) error {
	row, query, first := 0, 0, true
	about := func(data Data, valid bool) error {
		files, err := data.files(ctx)
		if err != nil {
			return err
		}
		parts, done, err := run[numbered](ctx, r.state, "numbering", 0, files)
		if err != nil {
			return err
		}
		for i, p := range parts {
			s := treeShard{File: files[i], Valid: valid}
			if !valid {
				s.FirstRow, s.FirstQuery = row, query
				row, query = row+p.Size.Rows, query+p.Size.Queries
				r.cols = max(r.cols, p.Size.Cols)
				switch {
				case first || p.Names == nil:
					r.names = p.Names
				case r.names != nil && !slices.Equal(r.names, p.Names):
					return fmt.Errorf("%s: the column names differ from %s; all files must have the same column names", files[i].Path,
						r.shards[0].File.Path)
				}
				first = false
			}
			r.shards = append(r.shards, s)
		}
		r.note("numbering", done)
		return nil
	}
	for _, d := range data {
		if err := about(d, false); err != nil {
			return err
		}
	}
	r.files, r.rows, r.queries = len(r.shards), row, query
	if valid != nil {
		if err := about(*valid, true); err != nil {
			return err
		}
	}
	if len(r.names) < r.cols {
		r.names = nil
	}
	switch start := r.trainer.Start; {
	case start == nil:
	case r.names == nil: // text omits features that are 0
		r.cols = max(r.cols, start.NumFeatures)
	case slices.Equal(slices.Sorted(slices.Values(r.names)), slices.Sorted(slices.Values(start.FeatureNames))):
		r.names = start.FeatureNames // the order in which workers process the columns
	}
	return nil
}

// pass runs a pass over groups of shards and returns the result of each group.
func (r *treeTraining) pass(ctx context.Context, name string, p *treePlan, groups [][]treeShard) ([]treePart, *Pass,
	error) {
	p.Name, p.Dir, p.Rows, p.Cols, p.Names, p.Bias = name, r.dir, r.rows, r.cols, r.names, r.bias
	p.Trainer = r.trainer
	p.Trainer.Start, p.Trainer.OnTree, p.Trainer.EarlyStopping = nil, nil, 0
	parts, done, err := run[treePart](ctx, r.state, "trees", p, groups)
	if err != nil {
		return nil, nil, err
	}
	done.Rows = r.rows
	for i := range parts {
		done.Bytes += parts[i].Shipped
	}
	return parts, done, nil
}

// each returns each shard as a group.
func each(shards []treeShard) [][]treeShard { return slices.Collect(slices.Chunk(shards, 1)) }

// trainingShards returns the shards of the training data, which come first.
func (r *treeTraining) trainingShards() []treeShard { return r.shards[:r.files] }

// groupRows is the minimum number of rows of a group of shards, except the last. The histograms of
// a leaf have 264 cells per feature. Writing, reading and merging them takes as long as adding some
// thousand rows to them.
const groupRows = 1 << 15

// groups returns the shards of the training data in groups that share their histograms.
func (r *treeTraining) groups() [][]treeShard {
	list := r.trainingShards()
	var groups [][]treeShard
	for begin, i := 0, 1; i <= len(list); i++ {
		if i == len(list) || list[i].FirstRow-list[begin].FirstRow >= groupRows {
			groups, begin = append(groups, list[begin:i]), i
		}
	}
	return groups
}

// binBlock is the number of features that are binned at once.
const binBlock = 32

// bin computes the bins of all features, as on one machine. For numerical features, it uses the
// values of a sample of rows, which workers send here. For categorical features, it uses counts
// over all rows.
func (r *treeTraining) bin(ctx context.Context) error {
	features := make([]boost.Feature, r.cols)
	files := make([]*source, r.files)
	var labels num.ExactMean
	parts, done, err := r.pass(ctx, samplePass, &treePlan{}, each(r.trainingShards()))
	if err != nil {
		return err
	}
	for i := range parts {
		labels.Merge(&parts[i].Labels)
		for f := range features {
			features[f].Merge(&parts[i].Features[f])
		}
		if files[i], err = open(ctx, parts[i].Output); err != nil {
			return err
		}
		defer files[i].Close()
	}
	r.bins = make([]boost.Binning, len(features))
	values := make([][]float32, binBlock)
	for from := 0; from < len(features); from += binBlock {
		block := r.bins[from:min(from+binBlock, len(features))]
		for k := range block {
			if values[k] = values[k][:0]; features[from+k].Categories != nil {
				continue
			}
			for i, file := range files {
				if values[k], err = appendValues(values[k], file, parts[i].Sampled); err != nil {
					return cli.FileError(parts[i].Output, err)
				}
			}
		}
		dropped := make([]boost.Dropped, len(block))
		err := parallel.For(ctx, parallel.Threads(r.trainer.Threads), len(block), func(_, k int) {
			if about := &features[from+k]; about.Categories != nil {
				block[k], dropped[k] = r.training.Categorize(from+k, about)
			} else {
				block[k] = r.training.Numerical(values[k], about.Missing)
			}
		})
		if err != nil {
			return err
		}
		for _, d := range dropped {
			if d.Categories+d.Negative > 0 {
				r.dropped = append(r.dropped, d)
			}
		}
	}
	if err := removeAll(quote(r.dir) + "/sample-*"); err != nil {
		return err
	}
	r.note(samplePass, done)
	r.bias = r.training.Bias(&labels)
	h := sha256.New()
	e, err := evaluatorOr(r.job.Evaluator)
	if err != nil {
		return err
	}
	policies := e.Options()
	policies.Threads, policies.Progress = 0, nil
	fmt.Fprintf(h, "%s\n%d %d %q %t %q %#v\n%v\n", hashed(r.trainer), r.rows, r.queries, r.names, r.watched,
		e, policies, r.bins)
	if r.trainer.Start != nil {
		if err := model.Write(h, r.trainer.Start, "json"); err != nil {
			return err
		}
	}
	r.hash = fmt.Sprintf("%x", h.Sum(nil))
	return nil
}

// hashed returns a hash of the options that affect trees, as in checkpoints. It uses −1 for numbers
// that are 0 but have another default, and for the two that training on shards does not use.
func hashed(t lambdamart.Trainer) string {
	t.MinRows, t.MaxDrop, t.SkipDrop = max(t.MinRows, 1), -1, -1
	if t.Truncation == 0 {
		t.Truncation = -1
	}
	for _, v := range []*float64{&t.MinHessian, &t.CategorySmooth, &t.CategoryL2} {
		if *v == 0 {
			*v = -1
		}
	}
	return modelfile.HashOptions(t, "Start", "Trees", "EarlyStopping", "DropRate", "PositionNorm")
}

// fill writes the bins of all rows, and their scores by the start model.
func (r *treeTraining) fill(ctx context.Context, start *lambdamart.Model) (err error) {
	if err := remote.Save(ctx, r.dir+binsFile, encode(r.bins)); err != nil {
		return err
	}
	p := &treePlan{}
	if start != nil {
		if p.Start, err = sendModel(start); err != nil {
			return err
		}
	}
	parts, done, err := r.pass(ctx, binningPass, p, each(r.shards))
	if err != nil {
		return err
	}
	for i, part := range parts {
		r.shards[i].Bins, r.shards[i].Scores = part.Output, part.Scores
	}
	r.note(binningPass, done)
	return nil
}

// Step implements [sharded.Passes].
func (r *treeTraining) Step(ctx context.Context, last *boost.CutTree, next int) (*sharded.Stepped, error) {
	p := &treePlan{Next: next, Evaluator: r.job.Evaluator}
	list := r.shards
	if last != nil {
		p.Tree = *last
	} else {
		list = r.trainingShards()
	}
	parts, done, err := r.pass(ctx, gradientPass, p, each(list))
	if err != nil {
		return nil, err
	}
	at := &sharded.Stepped{}
	var means []num.ExactMean
	var old []string
	for i := range parts {
		part := &parts[i]
		at.Drawn += part.Drawn
		at.Sums = append(at.Sums, part.Sums...)
		means = slices.Grow(means, len(part.Means))[:max(len(means), len(part.Means))]
		for k := range part.Means {
			means[k].Merge(&part.Means[k])
		}
		if r.shards[i].Scores != "" {
			old = append(old, r.shards[i].Scores)
		}
		r.shards[i].Scores = part.Scores
	}
	for k := range means {
		at.Values = append(at.Values, sharded.Value{Mean: means[k].Value(), Skipped: means[k].Skipped})
	}
	r.note(gradientPass, done)
	for _, name := range old {
		err = cmp.Or(err, removeAll(quote(name)))
	}
	return at, err
}

// Grow implements [sharded.Passes].
func (r *treeTraining) Grow(ctx context.Context, g *boost.Growth, h *boost.Histograms) error {
	parts, done, err := r.pass(ctx, histogramPass, &treePlan{Growth: *g}, r.groups())
	if err != nil {
		return err
	}
	for i := range parts {
		for l := range parts[i].Leaves {
			h.Leaves[l].Merge(parts[i].Leaves[l])
		}
		h.Total += parts[i].Total
	}
	if len(h.Cells) > 0 {
		if err := r.addCells(ctx, h.Cells, parts); err != nil {
			return err
		}
	}
	r.note(histogramPass, done)
	return nil
}

// addCells adds the histograms that workers have written.
func (r *treeTraining) addCells(ctx context.Context, cells [][]int64, parts []treePart) error {
	locks, errs := make([]sync.Mutex, len(cells)), make([]error, len(parts))
	err := parallel.For(ctx, parallel.Threads(r.trainer.Threads), len(parts), func(_, i int) {
		add := func(file io.Reader) (struct{}, error) { return struct{}{}, addCells(cells, locks, file) }
		if _, err := remote.Load(ctx, parts[i].Output, add); err != nil {
			errs[i] = cli.FileError(parts[i].Output, err)
		}
	})
	if err := cmp.Or(err, cmp.Or(errs...)); err != nil {
		return err
	}
	return removeAll(quote(r.dir) + "/histograms-*")
}

// A checkpoint is the state of a training, as JSON.
type checkpoint struct {
	Format   string          `json:"format"` // checkpointFormat
	Training string          `json:"training"`
	Trees    int             `json:"trees"` // of this training
	Values   [][]float64     `json:"values"`
	Model    json.RawMessage `json:"model"`
}

const checkpointFormat = "simdrank-beam-checkpoint-1"

// Grown writes the checkpoint.
func (r *treeTraining) Grown(ctx context.Context, p *sharded.Progress) (err error) {
	if r.options.Checkpoint == "" {
		return nil
	}
	content, err := p.Model.MarshalJSON()
	if err != nil {
		return err
	}
	text, err := json.Marshal(checkpoint{checkpointFormat, r.hash, p.Trees, p.Values, content})
	if err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.simdrank-%016x", r.options.Checkpoint, rand.Uint64())
	defer func() {
		if err != nil {
			removeAll(quote(temporary))
		}
	}()
	if err := remote.Save(ctx, temporary, text); err != nil {
		return cli.FileError(r.options.Checkpoint, err)
	}
	system, err := filesystem.New(ctx, temporary)
	if err != nil {
		return err
	}
	defer system.Close()
	if err := filesystem.Rename(ctx, system, temporary, r.options.Checkpoint); err != nil {
		return cli.FileError(r.options.Checkpoint, err)
	}
	return nil
}

// resume reads the checkpoint if it exists and training should resume from it. It must contain
// values of the given number of curves.
func (r *treeTraining) resume(ctx context.Context, curves int) (*sharded.Progress, error) {
	if !r.options.Resume {
		return nil, nil
	}
	text, err := remote.ReadAll(ctx, r.options.Checkpoint)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, cli.FileError(r.options.Checkpoint, err)
	}
	var c checkpoint
	if err := json.Unmarshal(text, &c); err != nil || c.Format != checkpointFormat {
		return nil, fmt.Errorf("%s: the file is not a checkpoint of training on Beam", r.options.Checkpoint)
	}
	if c.Training != r.hash {
		return nil, fmt.Errorf("%s: the file belongs to a training run with other data or options", r.options.Checkpoint)
	}
	m := &lambdamart.Model{}
	if err := m.UnmarshalJSON(c.Model); err != nil {
		return nil, cli.FileError(r.options.Checkpoint, err)
	}
	trees := len(m.Trees)
	if r.trainer.Start != nil {
		trees -= len(r.trainer.Start.Trees)
	}
	if c.Trees != trees || len(c.Values) != curves || slices.ContainsFunc(c.Values, func(v []float64) bool {
		return len(v) != trees || slices.ContainsFunc(v, math.IsNaN)
	}) {
		return nil, fmt.Errorf("%s: the file is damaged: it contains %d of %d trees and the values of %d of %d metrics", r.options.Checkpoint,
			trees, c.Trees, len(c.Values), curves)
	}
	return &sharded.Progress{Model: m, Values: c.Values, Trees: c.Trees}, nil
}
