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

// An Objective defines the loss that training minimizes, as a function of the scores of each query.
// The built-in objectives are constants of type [Builtin]. Implement Objective to use your own
// loss; the implementation may call a built-in objective.
type Objective interface {
	// String returns the name, which appears in messages.
	String() string

	// Begin returns the loss for the queries of d and the initial score, which is the same for all
	// documents. If only score differences matter, the initial score is 0. Training that continues
	// from a model keeps the model's Bias instead.
	//
	// Threads of t is the number of goroutines that will call the loss. Its other fields contain
	// the options that the caller set. Begin must modify neither t nor d. To report an error about
	// a row, use d.RowError, which adds the file and the line.
	Begin(t *Trainer, d *rank.Dataset) (loss QueryLoss, bias float64, err error)
}

// A QueryLoss computes the derivatives of a loss with respect to the scores of each query. Several
// goroutines call it concurrently, each with a different query.
type QueryLoss interface {
	// Derivatives sets grad[i] and hess[i] to the first and second derivatives of the loss with
	// respect to the score of document i. Both are multiplied by q.Weight(i). Initially the slices
	// contain arbitrary numbers.
	//
	// If a derivative is not finite, or if a second derivative is negative, training ends with an
	// error that names the query and the row. The model is deterministic only if the derivatives
	// are deterministic: results of package math may differ in the last bit between processors.
	Derivatives(q Query, grad, hess []float32)
}

// A Query is a query for which a [QueryLoss] computes derivatives. Slices have one element per
// document and are read-only.
type Query struct {
	Index  int // index of the query in the data, counted from 0
	Row    int // index of its first document in the data
	Worker int // number of the goroutine, from 0 to Threads−1; use it to select reusable memory

	Data   *rank.Dataset // the data that Begin received
	Scores []float64     // scores of the trees so far
	Labels []float64

	// Seed is the random seed of the query, for example for rand.NewPCG(q.Seed[0], q.Seed[1]). It
	// depends only on the trainer's Seed, the query and the tree. Therefore random choices depend
	// neither on the number of threads nor on whether training was resumed.
	Seed [2]uint64

	// Context is the context that was passed to training; it may be nil. After it is canceled, the
	// derivatives are ignored, so a slow loss can return early.
	Context context.Context
}

// ended reports whether training was canceled. Training then ignores the results of Derivatives.
func (q *Query) ended() bool { return q.Context != nil && q.Context.Err() != nil }

// Weight returns the factor for the derivatives of document i: the query weight times the row
// weight.
func (q *Query) Weight(i int) float64 {
	if q.Data.Weights == nil {
		return queryWeight(q.Data, q.Index)
	}
	return queryWeight(q.Data, q.Index) * q.Data.Weights[q.Row+i]
}

// A Builtin is a built-in objective.
type Builtin int

const (
	// NDCG is LambdaRank: each pair is weighted by the change of NDCG if its documents are swapped
	// (Burges 2010). LightGBM calls it lambdarank.
	NDCG Builtin = iota
	// MAP weights each pair by the change of average precision if its documents are swapped.
	MAP
	// Pairwise weights all pairs equally, as in RankNet (Burges et al. 2005). If the dataset lists
	// Pairs, it uses exactly these pairs with their weights, and neither labels nor Truncation. The
	// other objectives do not support such datasets.
	Pairwise
	// XENDCG is a listwise cross entropy (Bruch 2021). LightGBM calls it rank_xendcg.
	XENDCG
	// ListNet is the cross entropy between the softmax of the labels and the softmax of the scores
	// (Cao et al. 2007).
	ListNet
	// YetiRank uses pairs of adjacent documents in rankings by randomly perturbed scores (Gulin et
	// al. 2011). CatBoost also calls it YetiRank.
	YetiRank
	// QueryRMSE is the squared error within each query, after subtracting the query's mean
	// residual. CatBoost also calls it QueryRMSE.
	QueryRMSE
	// Binary is the log loss of each row, with labels above 0 as positives. LightGBM calls it
	// binary, and XGBoost calls it binary:logistic.
	Binary
	// Regression is the squared error of each row. LightGBM calls it regression, and XGBoost calls
	// it reg:squarederror.
	Regression
)

var objectiveNames = []string{NDCG: "ndcg", MAP: "map", Pairwise: "pairwise", XENDCG: "xe-ndcg",
	ListNet: "listnet", YetiRank: "yetirank", QueryRMSE: "query-rmse", Binary: "binary", Regression: "regression"}

// String returns the name that [ParseObjective] accepts.
func (b Builtin) String() string { return text.EnumName("Objective", objectiveNames, b) }

// OptionWords returns the words that an option accepts, with the default first. Valid kinds are
// position-bias, for [Trainer], and objective, for [ParseObjective].
func OptionWords(kind string) []string {
	return slices.Clone(map[string][]string{"position-bias": positionBiases, "objective": objectiveNames}[kind])
}

var positionBiases = []string{noBias, additiveBias, pairwiseBias}

// ParseObjective returns the objective with the given name: ndcg, map, pairwise, xe-ndcg, listnet,
// yetirank, query-rmse, binary or regression.
func ParseObjective(name string) (Builtin, error) {
	return text.ParseEnum[Builtin]("lambdamart", "objective", objectiveNames, name)
}

// Begin implements [Objective]. If t.Start is set, the bias is 0, because the initial model has its
// own bias.
func (b Builtin) Begin(t *Trainer, d *rank.Dataset) (loss QueryLoss, bias float64, err error) {
	if loss, err = b.loss(t, d); err != nil || t.Start != nil {
		return loss, 0, err
	}
	var mean num.ExactMean
	if b == Binary || b == Regression {
		boost.AddLabels(&mean, b == Binary, d.Offsets, d.Labels, d.Weights, d.QueryWeights)
	}
	sigmoid, _ := t.sigmoid() // no error is possible, because loss has checked the sigmoid
	return loss, boost.Bias(&mean, b == Binary, sigmoid), nil
}

// loss returns the loss of the built-in objective for the queries of d.
func (b Builtin) loss(t *Trainer, d *rank.Dataset) (QueryLoss, error) {
	if d.Pairs != nil {
		return newListedPairs(b, t, d)
	}
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

// An objective computes the derivatives of a training's loss on its data.
type objective struct {
	d    *rank.Dataset
	loss QueryLoss
	bias float64
	seed uint64
}

// newObjective returns the objective of t on d for the given number of workers.
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
		return nil, errs.Errorf("lambdamart", "objective %v: the initial score is %v; it must be finite", o.Objective,
			bias)
	}
	return &objective{d: d, loss: loss, bias: bias, seed: t.Seed}, nil
}

// derivatives computes the derivatives of query q for the tree with the given index.
func (o *objective) derivatives(ctx context.Context, worker, tree, q int, scores []float64, grad, hess []float32) {
	lo, hi := o.d.Query(q)
	query := Query{Index: q, Row: lo, Worker: worker, Data: o.d, Scores: scores, Labels: o.d.Labels[lo:hi],
		Seed: [2]uint64{o.seed + uint64(tree), uint64(q)}, Context: ctx}
	o.loss.Derivatives(query, grad, hess)
}

// levelOf returns the highest score of a query, or 0 if that score is not finite. If only score
// differences matter, objectives subtract the level before they round scores to float32. Large
// scores then do not lose precision.
func levelOf(scores []float64) float64 {
	if top := slices.Max(scores); finite(top) {
		return top
	}
	return 0
}

// sigmoid returns the slope of the logistic loss, which only some objectives use.
func (t *Trainer) sigmoid() (float64, error) {
	if !(t.Sigmoid > 0 && t.Sigmoid <= math.MaxFloat64) {
		return 0, errs.Errorf("lambdamart", "Sigmoid is %v; it must be positive and finite%s", t.Sigmoid,
			hint(t.Sigmoid == 0))
	}
	return t.Sigmoid, nil
}

// labeled is the part of an objective that stores the gains of the labels.
type labeled struct {
	d    *rank.Dataset
	gain []float32 // gain of each row
}

// maxLabel is the highest label that the gain 2^label−1 supports, so that sums of gains stay far
// within float32.
const maxLabel = 62

// labelError returns an error about the label of row i.
func labelError(d *rank.Dataset, i int, err error) error {
	return errs.Op("lambdamart", d.RowError(i, err))
}

// newLabeled computes the gain that the objective assigns to the label of each row.
func newLabeled(b Builtin, t *Trainer, d *rank.Dataset) (*labeled, error) {
	l := &labeled{d: d, gain: make([]float32, d.Rows())}
	for y, g := range t.Gains {
		if !(math.Abs(g) <= 1<<maxLabel) {
			return nil, errs.Errorf("lambdamart", "the gain of label %[2]d is %[1]v; its absolute value must be at most 2^%[3]d", g, y, maxLabel)
		}
	}
	for i, y := range d.Labels {
		switch {
		case math.IsNaN(y) || math.IsInf(y, 0):
			return nil, labelError(d, i, fmt.Errorf("the label is %v; it must be finite", y))
		case b == Pairwise:
		case b == MAP:
			if y > 0 {
				l.gain[i] = 1
			}
		case t.Gains != nil:
			g := metrics.TableGain(t.Gains, y)
			if g != g {
				return nil, labelError(d, i, fmt.Errorf("label %v has no gain: Gains covers the labels 0 to %d", y,
					len(t.Gains)-1))
			}
			l.gain[i] = float32(g)
		case !(y >= 0 && y <= maxLabel):
			return nil, labelError(d, i, &rank.OptionError{Option: "Gains", Err: fmt.Errorf(
				"label %v: the gain 2^label−1 requires labels from 0 to %d; the objective pairwise supports any label", y, maxLabel)})
		default:
			l.gain[i] = float32(rank.ExpGain(y))
		}
	}
	return l, nil
}

// queryWeight returns the factor of the derivatives of query q.
func queryWeight(d *rank.Dataset, q int) float64 {
	if d.QueryWeights == nil {
		return 1
	}
	return d.QueryWeights[q]
}
