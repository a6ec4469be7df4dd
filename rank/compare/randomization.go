package compare

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/simdrank/simdrank/internal/num"
	"github.com/simdrank/simdrank/internal/parallel"
)

// defaultRounds is the default number of rounds of the randomization tests and of the bootstrap.
const defaultRounds = 100_000

// maxRounds is the maximum number of rounds. The bootstrap stores 8 bytes per round.
const maxRounds = 1 << 30

// exactPairs is the maximum number of pairs for which the test enumerates all combinations of
// signs, which takes a few milliseconds.
const exactPairs = 20

// randomize runs the randomization test on the differences d. It reports its rounds to progress.
func randomize(ctx context.Context, d []float64, rounds int, seed uint64, threads int,
	progress *parallel.Progress) (testResult, error) {
	r := testResult{n: len(d), statistic: mean(d)}
	// Remove zeros, which have no effect whatever their signs are.
	q := fixedPoint(slices.DeleteFunc(slices.Clone(d), func(x float64) bool { return x == 0 }))
	var sum, sizes int64
	for _, x := range q {
		sum += x
		sizes += max(x, -x)
	}
	least := max(sum, -sum) - rounding(sizes, len(q))
	r.exact = rounds == 0 && len(q) <= exactPairs
	rounds = cmp.Or(rounds, defaultRounds)
	signs := uint64(rounds)
	if r.exact {
		signs = 1 << len(q)
	}
	stream := num.NewPCG(seed, 0x9e3779b97f4a7c15)
	perRound := uint64(len(q)+63) / 64
	var count atomic.Int64
	err := parallel.For(ctx, threads, int((signs+tickRounds-1)/tickRounds), func(_, block int) {
		first := uint64(block) * tickRounds
		sums := make([]int64, min(tickRounds, signs-first))
		addSigned(ctx, sums, q, func(group uint64) func(words []uint64) {
			if r.exact {
				next := first
				return func(words []uint64) {
					for i := range words {
						words[i] = next
						next++
					}
				}
			}
			numbers := stream.Every(first*perRound+group, perRound)
			return numbers.Fill
		})
		far := 0
		for _, s := range sums {
			if max(s, -s) >= least {
				far++
			}
		}
		count.Add(int64(far))
		if !r.exact {
			progress.Add(int64(len(sums)))
		}
	})
	if err != nil {
		return testResult{}, err
	}
	if r.exact {
		progress.Add(int64(rounds))
		r.p = float64(count.Load()) / float64(signs)
	} else {
		r.p = float64(count.Load()+1) / float64(rounds+1)
	}
	return r, nil
}

// fixedPoint rounds values to multiples of a power of two, and returns the multiples. The sum of
// the absolute multiples is at most 2⁶¹, so integer sums of them are exact in any order.
func fixedPoint(values []float64) []int64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	shift := 61 - bits.Len(uint(len(values))) - exponent
	q := make([]int64, len(values))
	for i, v := range values {
		q[i] = int64(math.RoundToEven(math.Ldexp(v, shift)))
	}
	return q
}

// rounding returns the maximum difference between two sums of n values, if these sums would be
// equal without rounding errors. The rounding errors include those of metrics. sizes is the sum of
// the absolute values.
func rounding(sizes int64, n int) int64 { return int64(float64(sizes)*roundingShare) + int64(n) }

// addSigned adds the values, with signs, to each element of sums. source(group) returns a function
// that provides the signs of values 64·group to 64·group+63. The function sets each word to the
// signs for the next element of sums. A bit of 1 negates the value.
//
// To add a word of signs with eight additions, addSigned splits the values into groups of eight. A
// table of 256 elements contains the sums of a group for all combinations of signs. addSigned
// returns early if ctx ends.
func addSigned(ctx context.Context, sums, values []int64, source func(group uint64) func(words []uint64)) {
	var tables [8][256]int64
	var words [256]uint64
	for group := range (len(values) + 63) / 64 {
		if group%64 == 63 && ctx.Err() != nil {
			return
		}
		of := values[64*group : min(64*group+64, len(values))]
		for k := range tables {
			signedSums(&tables[k], of[min(8*k, len(of)):min(8*k+8, len(of))])
		}
		next := source(uint64(group))
		for rest := sums; len(rest) > 0; {
			part := rest[:min(len(words), len(rest))]
			rest = rest[len(part):]
			next(words[:len(part)])
			for i, w := range words[:len(part)] {
				part[i] += tables[0][byte(w)] + tables[1][byte(w>>8)] + tables[2][byte(w>>16)] +
					tables[3][byte(w>>24)] + tables[4][byte(w>>32)] + tables[5][byte(w>>40)] +
					tables[6][byte(w>>48)] + tables[7][byte(w>>56)]
			}
		}
	}
}

// signedSums sets table[b] to the sum of at most eight values. The sum negates value i if bit i of
// b is 1.
func signedSums(table *[256]int64, values []int64) {
	table[0] = 0
	for _, x := range values {
		table[0] += x
	}
	for n, k := 1, 0; n < len(table); n, k = 2*n, k+1 {
		twice := int64(0)
		if k < len(values) {
			twice = 2 * values[k]
		}
		from, to := table[:n], table[n:][:n]
		for i, x := range from {
			to[i] = x - twice
		}
	}
}

// tukeyHSD returns the corrected p-values: p[s][t] = p[t][s] for systems s and t. Pairs of systems
// with equal differences of means get the same p-value. values[s][q] is the value of system s on
// query q.
func tukeyHSD(ctx context.Context, values [][]float64, rounds int, seed uint64, threads int,
	progress *parallel.Progress) ([][]float64, error) {
	rounds = cmp.Or(rounds, defaultRounds)
	systems, n := len(values), len(values[0])
	flat := make([]float64, 0, systems*n) // all values, query by query
	for q := range n {
		for _, v := range values {
			flat = append(flat, v[q])
		}
	}
	rows := fixedPoint(flat)
	sums, sizes := make([]int64, systems), int64(0)
	for row := range slices.Chunk(rows, systems) {
		for s, x := range row {
			sums[s] += x
		}
		sizes += slices.Max(row) - slices.Min(row)
	}
	// apart and counts contain an element for each pair of a system and an earlier system.
	var apart, counts []int64
	for s, x := range sums {
		for _, y := range sums[:s] {
			apart = append(apart, max(x-y, y-x)-rounding(sizes, n))
		}
	}
	counts = make([]int64, len(apart))
	var orders *orderTable
	if systems <= tabledSystems {
		orders = newOrderTable(systems)
	}
	var lock sync.Mutex
	err := parallel.For(ctx, threads, (rounds+tickRounds-1)/tickRounds, func(_, block int) {
		rng := num.SplitMix(num.Mix(num.Mix(seed) + uint64(block)))
		spreads, far := make([]int64, min(tickRounds, rounds-block*tickRounds)), make([]int64, len(apart))
		if orders != nil {
			orders.spreads(ctx, spreads, rows, rng)
		} else {
			dealAll(ctx, spreads, rows, systems, rng)
		}
		for _, spread := range spreads {
			for k, d := range apart {
				if spread >= d {
					far[k]++
				}
			}
		}
		lock.Lock()
		for k, c := range far {
			counts[k] += c
		}
		lock.Unlock()
		progress.Add(int64(len(spreads)))
	})
	if err != nil {
		return nil, err
	}
	p := make([][]float64, systems)
	for s := range p {
		p[s] = make([]float64, systems)
		p[s][s] = 1
		for t := range s {
			p[s][t] = float64(counts[0]+1) / float64(rounds+1)
			p[t][s] = p[s][t]
			counts = counts[1:]
		}
	}
	return p, nil
}

// dealAll sets each element of spreads to the result of one round. In a round, the values of every
// query are permuted randomly among the systems. The result is the difference between the largest
// and the smallest sum of a system. dealAll returns early if ctx ends.
func dealAll(ctx context.Context, spreads, rows []int64, systems int, rng num.SplitMix) {
	dealt, sums := slices.Clone(rows), make([]int64, systems)
	for i := range spreads {
		if ctx.Err() != nil {
			return
		}
		clear(sums)
		for row := range slices.Chunk(dealt, systems) {
			deal(sums, row, &rng)
		}
		spreads[i] = slices.Max(sums) - slices.Min(sums)
	}
}

// deal shuffles row (Fisher and Yates) and adds the result to sums. The relative difference between
// the probabilities of two orders is less than 2⁻²⁴.
func deal(sums, row []int64, rng *num.SplitMix) {
	fraction, orders := rng.Next(), uint64(1) // orders is the product of the bases used so far
	for i := len(row) - 1; i > 0; i-- {
		if orders > 1<<32 {
			fraction, orders = rng.Next(), 1
		}
		var j uint64
		j, fraction = bits.Mul64(fraction, uint64(i+1))
		orders *= uint64(i + 1)
		row[i], row[j] = row[j], row[i]
		sums[i] += row[i]
	}
	sums[0] += row[0]
}

// tabledSystems is the maximum number of systems for which orders are stored in tables. Five
// systems have 120 orders, so an order fits in orderBits.
const (
	tabledSystems = 5
	orderBits     = 7
)

// An orderTable contains all orders of n values, where n is at most tabledSystems. The last order
// is the identity.
type orderTable struct {
	places [][]int // indices of the values in each order
	// next[i] is the order after another deal. The upper bits of i are the current order, and the
	// lower bits are a random number that selects the deal.
	next [1 << (2 * orderBits)]uint8
}

func newOrderTable(n int) *orderTable {
	t := &orderTable{}
	factorials := []int{1}
	for i := 1; i <= n; i++ {
		factorials = append(factorials, i*factorials[i-1])
	}
	index := map[[tabledSystems]int]uint8{}
	for drawn := range factorials[n] {
		var place [tabledSystems]int
		for i := range n {
			place[i] = i
		}
		// Like deal, interpret the number as digits in the bases n, n−1, ….
		for i, rest := n-1, drawn; i > 0; i-- {
			j := rest / factorials[i]
			rest %= factorials[i]
			place[i], place[j] = place[j], place[i]
		}
		t.places, index[place] = append(t.places, place[:n]), uint8(drawn)
	}
	for k, before := range t.places {
		for drawn, places := range t.places {
			var place [tabledSystems]int
			for i, j := range places {
				place[i] = before[j]
			}
			t.next[k<<orderBits|drawn] = index[place]
		}
	}
	return t
}

// A dealtQuery contains a query whose values are permuted in every round.
type dealtQuery struct {
	state  uint64 // state of the generator before the next permutation, which uses one random number
	order  uint8
	values [1 << orderBits][tabledSystems - 1]int64 // for each order, the values of all systems except the first
}

// set initializes q with the values of a query and the state of its generator.
func (t *orderTable) set(q *dealtQuery, row []int64, state uint64) {
	q.state, q.order = state, uint8(len(t.places)-1)
	for k, place := range t.places {
		for i, j := range place[1:] {
			q.values[k][i] = row[j]
		}
	}
}

// spreads is like dealAll, but processes two queries at a time. The results are the same, because
// the random numbers of a query depend only on its position in the stream.
func (t *orderTable) spreads(ctx context.Context, spreads, rows []int64, rng num.SplitMix) {
	systems := len(t.places[0])
	orders, step := uint64(len(t.places)), num.Golden*uint64(len(rows)/systems)
	sums := make([][tabledSystems - 1]int64, len(spreads)) // the sum of the first system follows from the others
	var a, b dealtQuery
	total := int64(0)
	for _, x := range rows {
		total += x
	}
	for ; len(rows) > 0 && ctx.Err() == nil; rows = rows[min(2*systems, len(rows)):] {
		rng += num.Golden
		t.set(&a, rows, uint64(rng))
		if b = (dealtQuery{}); len(rows) > systems {
			rng += num.Golden
			t.set(&b, rows[systems:], uint64(rng))
		}
		for k := range sums {
			x, _ := bits.Mul64(num.Mix(a.state), orders)
			y, _ := bits.Mul64(num.Mix(b.state), orders)
			a.state, b.state = a.state+step, b.state+step
			a.order = t.next[(uint64(a.order)<<orderBits|x)%uint64(len(t.next))]
			b.order = t.next[(uint64(b.order)<<orderBits|y)%uint64(len(t.next))]
			to, u, v := &sums[k], &a.values[a.order%(1<<orderBits)], &b.values[b.order%(1<<orderBits)]
			to[0] += u[0] + v[0]
			to[1] += u[1] + v[1]
			to[2] += u[2] + v[2]
			to[3] += u[3] + v[3]
		}
	}
	for k, of := range sums {
		rest := total
		for _, x := range of[:systems-1] {
			rest -= x
		}
		spreads[k] = max(slices.Max(of[:systems-1]), rest) - min(slices.Min(of[:systems-1]), rest)
	}
}
