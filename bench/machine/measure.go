package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	rounds   = 7
	duration = "3ms" // minimum time of a benchmark per round; shorter than a time slice on a busy machine
)

// A selection selects benchmarks of one family and their cases. Both are regular expressions: the
// names are without the word Benchmark, and the levels of cases are separated by slashes.
type selection struct{ family, kernels, cases string }

// reading measures the levels of memory, which limit the other benchmarks.
const reading = "Read"

var selections = []selection{
	{"memory", reading, ""},
	{"linear", "DotF64|DotF32|DotF32Wide|AxpyF64|AxpyF32", "n=(136|1024|32768)"},
	{"linear", "DotF64|DotF32Wide|AxpyF64", "n=16777216"},
	{"gemv", "(Add)?GemvT?(F64|F32|F32Wide)", "d=136/L[123]"},
	{"gemv", "(Add)?GemvT?F32Wide", "d=46/L1"},
	{"gemv", "(Add)?GemvT?F32Wide", "d=136/RAM"},
	{"gemv", "(Add)?SpmvT?F32Wide", "d=1000/density=0.1"},
	{"gemv", "NonzerosF32", "density=0.1"},
	{"pair", "PairSquaredHinge|PairHuberHinge", "(5_grades|distinct)/n=(128|1024)"},
	{"pair", "PairWeighted|PairLogistic", "(5_grades|distinct)/n=128"},
	{"pair", "ExpF64", ""},
	{"order", "CountTau", "random/(1000|100000)"},
	{"order", "ScanF64|LinearKeysF64|FloatKeysF64|FloatKeysF32|PackKeys|SplitKeys|FilterI32", ""},
	{"order", "PartitionI64|PartitionCountI32", "4096"},
	{"order", "SpreadI64", "32768"},
	{"order", "SortI64|InversionsI32", "64"},
	{"order", "CountPairsF64", "30"},
	{"top-k", "NDCG", "(ndcg|ndcg@10)/10000x120"},
	{"top-k", "RankKeysF32|RankGradesF32|GainsOfKeysF64", ""},
	{"top-k", "ThresholdF32|BestGainsF32|RankGainsF32|SelectKeysF32|CountLevelsU8|SortKeys", "120"},
	{"vector", "(L2|Cosine)(F64|F32Wide)|(Dot|L2|Cosine)(I8|U8|F16|BF16|F32F16|F32BF16|F32I8|F32U8)", "n=768"},
	{"vector", "(L2|Cosine)F32|(Dot|L2)I4|ScaleI8|QuantizeI8|DequantizeI8|SignBits", "n=768"},
	{"vector", "F16FromF32|F32FromF16|BF16FromF32|F32FromBF16", "n=768"},
	{"vector", "HammingBits|JaccardBits", "n=16"},
	{"many vectors", "(Dot|L2|Cosine)Many|DotManyF16|DotManyBF16", "n=128/rows=100"},
	{"many vectors", "BlockI8|BlockU8", "n=768"},
	{"many vectors", "MaxSim(F32|F16|I8)", "n=128"},
	{"many vectors", "BlockBits", "n=16"},
	{"trees", "Lambda(Unbiased)?F32", "n=120"},
	{"trees", "HistogramU8", "20000"},
	{"trees", "SubI64|InterleaveU8|ForestSelect|ForestTranspose", ""},
	{"trees", "BestSplitI64", "255"},
	{"trees", "PartitionRows", "100000of100000/stride1"},
	{"trees", "BinF32", "255bins/stride136"},
	{"trees", "ForestColumnsF32", "136"},
	{"trees", "ForestTestsF32", "20"},
	{"trees", "ForestAddF64", "32"},
	{"trees", "Forest", "100x31"},
}

// pattern returns the argument of go test -bench.
func (s selection) pattern() string {
	levels := []string{"^Benchmark(" + s.kernels + ")$"}
	for level := range strings.SplitSeq(s.cases, "/") {
		if level != "" {
			levels = append(levels, "^("+level+")$")
		}
	}
	return strings.Join(levels, "/")
}

// A result contains the measurements of one run on one machine.
type result struct {
	Machine machine
	Memory  []memory
	Kernels []*kernel
}

// A memory is a level of memory, with the read speed of the fastest tier in the fastest round.
type memory struct {
	Level string
	Bytes float64 // size of the buffer
	GBps  float64
}

// A kernel is one case of a kernel. Times and ratios are medians over the rounds.
type kernel struct {
	Family  string
	Name    string
	Case    string
	Times   map[string]float64 // time of a call by tier, and of gonum
	Generic map[string]float64 // plain Go's time divided by the time of each tier
	Gonum   float64            // gonum's time divided by the time of the default tier; 0 without gonum
	GBps    float64            // throughput of the default tier; 0 if it is not reported
	Memory  string             // the level with the size closest to the bytes of a call
	Share   float64            // GBps divided by the read speed of that level
	rounds  map[string][]timed
}

// A timed is a benchmark result of one round.
type timed struct{ ns, gbps float64 }

// measure runs the benchmarks.
func measure(ctx context.Context, selections []selection, rounds int, duration string) (*result, error) {
	r := &result{Machine: describe(ctx)}
	var patterns []string
	for _, s := range selections {
		patterns = append(patterns, s.pattern())
	}
	for i := range rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", i+1, rounds)
		run := exec.CommandContext(ctx, "go", "test", "-run=^$", "-bench="+strings.Join(patterns, "|"),
			"-benchtime="+duration, "github.com/simdrank/simdrank/bench")
		var stderr bytes.Buffer
		run.Stderr = &stderr
		out, err := run.Output()
		if err != nil {
			return nil, fmt.Errorf("go test -bench: %w\n%s%s", err, out, stderr.Bytes())
		}
		if err := r.parse(string(out), selections); err != nil {
			return nil, err
		}
	}
	r.Machine.Load = strings.TrimSpace(r.Machine.Load + " → " + load1())
	return r, r.evaluate(selections, rounds)
}

var processors = regexp.MustCompile(`-\d+$`) // the suffix that go test appends to a name

// has reports whether the selection contains a benchmark.
func (s selection) has(name string) bool {
	return regexp.MustCompile("^(" + s.kernels + ")$").MatchString(name)
}

// parse parses the output of a round and adds it to the result.
func (r *result) parse(output string, selections []selection) error {
	lines := bufio.NewScanner(strings.NewReader(output))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name, tier, ok := strings.Cut(processors.ReplaceAllString(fields[0], ""), "/tier=")
		if !ok {
			continue
		}
		name, of, _ := strings.Cut(strings.TrimPrefix(name, "Benchmark"), "/")
		var t timed
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return fmt.Errorf("go test -bench: %q: %w", lines.Text(), err)
			}
			switch fields[i+1] {
			case "ns/op":
				t.ns = v
			case "MB/s":
				t.gbps = v / 1000
			}
		}
		k := r.kernel(name, of, selections)
		k.rounds[tier] = append(k.rounds[tier], t)
		if tier != gonum && !slices.Contains(r.Machine.Tiers, tier) {
			r.Machine.Tiers = append(r.Machine.Tiers, tier)
		}
	}
	return lines.Err()
}

const (
	generic = "generic"
	gonum   = "gonum"
)

// kernel returns the kernel with the name. If there is none, it adds one.
func (r *result) kernel(name, of string, selections []selection) *kernel {
	for _, k := range r.Kernels {
		if k.Name == name && k.Case == of {
			return k
		}
	}
	k := &kernel{Name: name, Case: of, Times: map[string]float64{}, Generic: map[string]float64{},
		rounds: map[string][]timed{}}
	if i := slices.IndexFunc(selections, func(s selection) bool { return s.has(name) }); i >= 0 {
		k.Family = selections[i].family
	}
	r.Kernels = append(r.Kernels, k)
	return k
}

// chosen returns the default tier.
func (m *machine) chosen() string { return m.Tiers[len(m.Tiers)-1] }

// evaluate computes the medians over the rounds.
func (r *result) evaluate(selections []selection, rounds int) error {
	if len(r.Machine.Tiers) == 0 {
		return fmt.Errorf("go test -bench found none of the benchmarks")
	}
	chosen := r.Machine.chosen()
	for _, k := range r.Kernels {
		for tier, t := range k.rounds {
			if len(t) != rounds || len(k.rounds[generic]) != rounds || len(k.rounds[chosen]) != rounds {
				return fmt.Errorf("%s/%s, %s: a round has no time", k.Name, k.Case, tier)
			}
			k.Times[tier] = median(rounds, func(i int) float64 { return t[i].ns })
			switch tier {
			case gonum:
				k.Gonum = median(rounds, func(i int) float64 { return t[i].ns / k.rounds[chosen][i].ns })
			case generic:
			default:
				k.Generic[tier] = median(rounds, func(i int) float64 { return k.rounds[generic][i].ns / t[i].ns })
			}
		}
	}
	r.Kernels = slices.DeleteFunc(r.Kernels, func(k *kernel) bool {
		if k.Name != reading {
			return false
		}
		first := k.rounds[generic][0]
		m := memory{Level: k.Case, Bytes: math.Round(first.gbps * first.ns)}
		for _, t := range k.rounds {
			for i := range t {
				m.GBps = max(m.GBps, digits(t[i].gbps))
			}
		}
		r.Memory = append(r.Memory, m)
		return true
	})
	for _, k := range r.Kernels {
		t := k.rounds[chosen]
		if k.GBps = median(rounds, func(i int) float64 { return t[i].gbps }); k.GBps == 0 || len(r.Memory) == 0 {
			continue
		}
		far := func(m memory) float64 { return math.Abs(math.Log(m.Bytes / (t[0].gbps * t[0].ns))) }
		near := slices.MinFunc(r.Memory, func(a, b memory) int { return cmp.Compare(far(a), far(b)) })
		k.Memory, k.Share = near.Level, digits(k.GBps/near.GBps)
	}
	order := func(k *kernel) int {
		return slices.IndexFunc(selections, func(s selection) bool { return s.family == k.Family })
	}
	slices.SortStableFunc(r.Kernels, func(a, b *kernel) int { return order(a) - order(b) })
	return nil
}

// median returns the median of n values, rounded to four digits.
func median(n int, value func(i int) float64) float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = value(i)
	}
	slices.Sort(v)
	return digits((v[(n-1)/2] + v[n/2]) / 2)
}

func digits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	return v
}
