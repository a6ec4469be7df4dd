package lambdamart

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/simdrank/simdrank/internal/boost"
	"github.com/simdrank/simdrank/internal/errs"
	"github.com/simdrank/simdrank/internal/metrics"
	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// An Objective is what trees are grown to lower: a loss of the scores of each query. Those of this
// package are constants of [Builtin]; a program may have its own, which may build on them.
type Objective interface {
	// String returns the name, for messages.
	String() string

	// Begin returns the loss of the queries of d, and the score of every document before the first
	// tree, which is 0 where only differences between scores matter. Training that goes on from a
	// model keeps the Bias of that model instead.
	//
	// Threads of t is the number of goroutines that will call the loss; its other fields are those
	// that the caller of Fit has set. Begin must change neither t nor d. An
	// error about a row is best made by d.RowError, which names file and line.
	Begin(t *Trainer, d *rank.Dataset) (loss QueryLoss, bias float64, err error)
}

// A QueryLoss returns the derivatives of a loss of the scores of each query. Several goroutines
// call it at the same time, each for another query.
type QueryLoss interface {
	// Derivatives sets grad[i] and hess[i] to the first and second derivatives of the loss by the
	// score of document i of the query, multiplied by q.Weight(i). The slices hold the numbers of
	// the tree before, or anything else.
	//
	// Derivatives that are not finite, and negative second ones, end the training with an error
	// that names the query and the row. The model is the same on every processor where the
	// derivatives are: functions of package math may differ in the last bit.
	Derivatives(q Query, grad, hess []float32)
}

// A Query is one of those that a [QueryLoss] differentiates. Slices have an element per document
// and are only to be read.
type Query struct {
	Index  int // of the query in the data that Begin was called with, from 0
	Row    int // of its first document in them
	Worker int // number of the goroutine, from 0 to Threads−1, for memory that calls share

	Data   *rank.Dataset // that Begin was called with
	Scores []float64     // by the trees so far
	Labels []float64

	// Seed seeds what is drawn for the query (rand.NewPCG(q.Seed[0], q.Seed[1])). It depends on
	// Seed of the trainer, the query and the tree only, so that training with any number of
	// threads, and training that is resumed, draws the same.
	Seed [2]uint64

	ctx context.Context // of the training; nil for none
}

// ended reports whether the training is to end: what is not derived then counts nothing.
func (q *Query) ended() bool { return q.ctx != nil && q.ctx.Err() != nil }

// Weight returns what the derivatives of document i are multiplied by: the weight of the query
// times that of the row.
func (q *Query) Weight(i int) float64 {
	if q.Data.Weights == nil {
		return queryWeight(q.Data, q.Index)
	}
	return queryWeight(q.Data, q.Index) * q.Data.Weights[q.Row+i]
}

// A Builtin is an objective of this package.
type Builtin int

const (
	// LambdaRank: pairs weighed by what swapping them changes NDCG by (Burges 2010); LightGBM's
	// lambdarank
	NDCG     Builtin = iota
	MAP              // pairs weighed by what swapping them changes average precision by
	Pairwise         // pairs that weigh the same: RankNet's (Burges et al. 2005)
	XENDCG           // cross entropy of lists (Bruch 2021); LightGBM's rank_xendcg
	ListNet          // cross entropy of the softmax of labels and of scores (Cao et al. 2007)
	// pairs of neighbours in random rankings near that of the scores (Gulin et al. 2011);
	// CatBoost's YetiRank
	YetiRank
	// squared error within each query, whose mean residual is taken off first; CatBoost's QueryRMSE
	QueryRMSE
	// log loss of each row, of labels above 0 and others; LightGBM's binary, XGBoost's
	// binary:logistic
	Binary
	Regression // squared error of each row; LightGBM's regression, XGBoost's reg:squarederror
)

var objectiveNames = []string{NDCG: "ndcg", MAP: "map", Pairwise: "pairwise", XENDCG: "xe-ndcg",
	ListNet: "listnet", YetiRank: "yetirank", QueryRMSE: "query-rmse", Binary: "binary", Regression: "regression"}

// String returns the name that [ParseObjective] reads.
func (b Builtin) String() string { return text.EnumName("Objective", objectiveNames, b) }

// OptionWords returns the words that an option accepts, the default first. The kind is
// position-bias, of a [Trainer], or objective, of [ParseObjective].
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"position-bias": positionBiases, "objective": objectiveNames}[kind])
}

var positionBiases = []string{noBias, additiveBias, pairwiseBias}

// ParseObjective returns the objective of a name: ndcg, map, pairwise, xe-ndcg, listnet, yetirank,
// query-rmse, binary or regression.
func ParseObjective(name string) (Builtin, error) {
	return text.ParseEnum[Builtin]("lambdamart", "objective", objectiveNames, name)
}

// Begin implements [Objective]. If t has a Start, the bias is 0, for that model has its own.
func (b Builtin) Begin(t *Trainer, d *rank.Dataset) (loss QueryLoss, bias float64, err error) {
	if loss, err = b.loss(t, d); err != nil || t.Start != nil {
		return loss, 0, err
	}
	var mean num.ExactMean
	if b == Binary || b == Regression {
		boost.AddLabels(&mean, b == Binary, d.Offsets, d.Labels, d.Weights, d.QueryWeights)
	}
	sigmoid, _ := t.sigmoid() // the loss has found no error
	return loss, boost.Bias(&mean, b == Binary, sigmoid), nil
}

// loss returns what differentiates.
func (b Builtin) loss(t *Trainer, d *rank.Dataset) (QueryLoss, error) {
	switch b {
	case NDCG, MAP, Pairwise:
		return newPairs(b, t, d)
	case XENDCG:
		return newCrossEntropy(t, d)
	case ListNet:
		return newListNet(t, d)
	case YetiRank:
		return newYetiRank(t, d)
	case QueryRMSE:
		return queryRMSE{}, checkLabels(d)
	case Binary:
		return newLogLoss(t, d)
	case Regression:
		return regression{}, checkLabels(d)
	}
	return nil, errs.Errorf("lambdamart", "unknown %v", b)
}

// An objective is what training knows of the loss on its data.
type objective struct {
	d    *rank.Dataset
	loss QueryLoss
	bias float64
	seed uint64
}

// newObjective returns what t asks for on d, for a number of workers.
func newObjective(t *Trainer, d *rank.Dataset, workers int) (*objective, error) {
	o := *t
	o.Threads = workers
	loss, bias, err := o.Objective.Begin(&o, d)
	if _, ours := o.Objective.(Builtin); err != nil && !ours {
		err = errs.Op("lambdamart", errs.Wrap(err, "objective %v", o.Objective))
	}
	switch {
	case err != nil:
		return nil, err
	case loss == nil:
		return nil, errs.Errorf("lambdamart", "objective %v: Begin returned no loss", o.Objective)
	case !finite(bias):
		return nil, errs.Errorf("lambdamart", "objective %v: the initial score is %v", o.Objective, bias)
	}
	return &objective{d: d, loss: loss, bias: bias, seed: t.Seed}, nil
}

// derivatives sets those of query q for a tree.
func (o *objective) derivatives(ctx context.Context, worker, tree, q int, scores []float64, grad, hess []float32) {
	lo, hi := o.d.Query(q)
	query := Query{Index: q, Row: lo, Worker: worker, Data: o.d, Scores: scores, Labels: o.d.Labels[lo:hi],
		Seed: [2]uint64{o.seed + uint64(tree), uint64(q)}, ctx: ctx}
	o.loss.Derivatives(query, grad, hess)
}

// levelOf returns the highest score of a query. Objectives that depend only on score differences
// subtract it before they round to float32, so that the level of a query's scores costs no
// precision. It returns 0 if the highest score is not finite.
func levelOf(scores []float64) float64 {
	if top := slices.Max(scores); finite(top) {
		return top
	}
	return 0
}

// sigmoid returns the slope of logistic losses, for objectives that have one.
func (t *Trainer) sigmoid() (float64, error) {
	if !(t.Sigmoid > 0 && t.Sigmoid <= math.MaxFloat64) {
		return 0, errs.Errorf("lambdamart", "Sigmoid is %v, must be above 0 and finite%s", t.Sigmoid,
			hint(t.Sigmoid == 0))
	}
	return t.Sigmoid, nil
}

// labeled is what objectives of gains keep of the data.
type labeled struct {
	d    *rank.Dataset
	gain []float32 // of each row
}

// maxLabel is the highest label that the gain 2^label−1 takes: sums of gains stay far within
// float32.
const maxLabel = 62

// labelError returns an error about the label of row i.
func labelError(d *rank.Dataset, i int, err error) error {
	return errs.Op("lambdamart", d.RowError(i, err))
}

// newLabeled finds the gains of all rows: what the objective makes of their labels.
func newLabeled(b Builtin, t *Trainer, d *rank.Dataset) (*labeled, error) {
	l := &labeled{d: d, gain: make([]float32, d.Rows())}
	for y, g := range t.Gains {
		if !(math.Abs(g) <= 1<<maxLabel) {
			return nil, errs.Errorf("lambdamart", "gain %v of label %d: want a number up to 2^%d", g, y, maxLabel)
		}
	}
	for i, y := range d.Labels {
		switch {
		case math.IsNaN(y) || math.IsInf(y, 0):
			return nil, labelError(d, i, fmt.Errorf("label %v is not a finite number", y))
		case b == Pairwise:
		case b == MAP:
			if y > 0 {
				l.gain[i] = 1
			}
		case t.Gains != nil:
			g := metrics.TableGain(t.Gains, y)
			if g != g {
				return nil, labelError(d, i, fmt.Errorf("label %v has no gain: there are those of the labels 0 to %d", y,
					len(t.Gains)-1))
			}
			l.gain[i] = float32(g)
		case !(y >= 0 && y <= maxLabel):
			return nil, labelError(d, i, &rank.OptionError{Option: "Gains", Err: fmt.Errorf(
				"label %v: the gain 2^label−1 takes labels from 0 to %d; the objective pairwise takes any", y, maxLabel)})
		default:
			l.gain[i] = float32(rank.ExpGain(y))
		}
	}
	return l, nil
}

// queryWeight returns what the derivatives of query q are multiplied by.
func queryWeight(d *rank.Dataset, q int) float64 {
	if d.QueryWeights == nil {
		return 1
	}
	return d.QueryWeights[q]
}
