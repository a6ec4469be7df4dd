package trec

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/simdrank/simdrank/internal/testkit"
	"github.com/simdrank/simdrank/rank"
)

// Two topics whose measures are computed by hand below.
const (
	handQrels = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq1 0 d 1\nq1 0 e -1\nq1 0 f 0\n" +
		"q2 0 x 0\r\nq2 0 y 0\r\n\n" +
		"q3 0 m 1"
	handRun = "q1 Q0 b 1 3.5 sys\nq1 Q0 a 2 2e0 sys\nq1 Q0 u 3 1 sys\nq1 Q0 c 9 2.0 sys\nq1 Q0 e 5 -.25 sys\n" +
		"q2 Q0 y 1 1 sys\n" +
		"q9 Q0 y 1 1 sys\n"
)

// must reads a text.
func must[T any](t *testing.T, read func(io.Reader, ...rank.ReadOptions) (T, error), text string) T {
	t.Helper()
	v, err := read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// mustRead reads judgments and a run.
func mustRead(t *testing.T, qrels, run string) (*Qrels, *Run) {
	t.Helper()
	return must(t, ReadQrels, qrels), must(t, ReadRun, run)
}

// In q1 the order is b (3.5), c and a (tied at 2, descending IDs), u, e. Their labels are 0, 1, 2,
// unjudged, unjudged. There are 3 relevant documents, of which d is missed.
func TestTRECByHand(t *testing.T) {
	q, r := mustRead(t, handQrels, handRun)
	if r.Name != "sys" || !slices.Equal(r.Topics(), []string{"q1", "q2", "q9"}) ||
		!slices.Equal(q.Topics(), []string{"q1", "q2", "q3"}) {
		t.Errorf("run %s of topics %v, judgments of %v", r.Name, r.Topics(), q.Topics())
	}
	lists := q.Lists(r)
	if len(lists) != 3 || !slices.Equal(lists[0].Labels, []float64{0, 1, 2, -1, -1}) ||
		!slices.Equal(lists[0].Unretrieved, []float64{1, 0}) {
		t.Fatalf("lists %+v", lists)
	}
	e := testkit.Must(rank.NewEvaluator(
		"ndcg,ndcg@2,map,mrr,precision@5,recall@2,success@1,success@2,r-precision,bpref,rbp(0.5)",
		rank.Options{Preset: "trec_eval"}))
	got, err := e.AppendValues(nil, &lists[0])
	if err != nil {
		t.Fatal(err)
	}
	log3 := math.Log2(3)
	for i, want := range []float64{
		(1/log3 + 2./2) / (2 + 1/log3 + 1./2), // ndcg
		(1 / log3) / (2 + 1/log3),             // ndcg@2
		(1./2 + 2./3) / 3,                     // map
		1. / 2,                                // mrr
		2. / 5, 1. / 3, 0, 1,
		2. / 3,                        // two relevant among the first R = 3
		((1 - 1./2) + (1 - 1./2)) / 3, // one of N = 2 others above both
		.5 * (.5 + .25),
	} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("%s = %v, want %v", e.Metrics()[i], got[i], want)
		}
	}
	// q2 has no relevant document: its value is 0, and it is counted. q3 is not answered.
	for _, c := range []struct {
		complete bool
		mean     float64
	}{{false, 1. / 4}, {true, 1. / 6}} {
		t.Run(fmt.Sprint("complete ", c.complete), func(t *testing.T) {
			e := testkit.Must(rank.NewEvaluator("mrr", rank.Options{Preset: "trec_eval"}))
			q.SkipUnanswered = !c.complete
			res, err := e.EvalAll(context.Background(), q.Lists(r))
			if err != nil || math.Abs(res.Metrics[0].Mean-c.mean) > 1e-15 {
				t.Errorf("complete %t: %v, %v, want mean %v", c.complete, res, err, c.mean)
			}
		})
	}
	// Condensed list: u and e are removed, and the other bits do not change.
	e = testkit.Must(rank.NewEvaluator("precision@5", rank.Options{Preset: "trec_eval", JudgedOnly: true}))
	condensed, err := e.AppendValues(nil, &lists[0])
	if err != nil || condensed[0] != 2./5 {
		t.Errorf("judged only: %v, %v", condensed, err)
	}
	e = testkit.Must(rank.NewEvaluator("recall@5", rank.Options{Preset: "trec_eval", RetrievedOnly: true}))
	retrieved, err := e.AppendValues(nil, &lists[0])
	if err != nil || retrieved[0] != 1 {
		t.Errorf("retrieved only: %v, %v", retrieved, err)
	}
	if got := docsOf(r, "q1"); !slices.Equal(got, []string{"b", "c", "a", "u", "e"}) || docsOf(r, "q7") != nil {
		t.Errorf("ranking of q1: %v", got)
	}
}

// trec_eval 10 sorts documents by scores in double precision, and 9.0.8 by scores rounded to single
// precision. The values are those of trec_eval, for the measures in this order.
func TestTRECPrecision(t *testing.T) {
	const qrels = "10 0 a 1\n10 0 c 2\n10 0 e 0\n9 0 x 1\n9 0 y 0\n"
	const run = `10 Q0 c 1 100.00000003 r
10 Q0 a 2 100.00000004 r
10 Q0 e 3 100.00000002 r
10 Q0 d 4 1e-46 r
10 Q0 b 5 2e-46 r
9 Q0 x 1 2e39 r
9 Q0 y 2 1e39 r
9 Q0 z 3 inf r
`
	q, r := mustRead(t, qrels, run)
	lists := q.Lists(r)
	if lists[0].ID != "10" || lists[1].ID != "9" {
		t.Errorf("topics %s and %s", lists[0].ID, lists[1].ID)
	}
	if a, b := docsOf(r, "10"), docsOf(r, "9"); !slices.Equal(a, []string{"a", "c", "e", "b", "d"}) ||
		!slices.Equal(b, []string{"z", "x", "y"}) {
		t.Errorf("rankings %v, %v", a, b)
	}
	for preset, want := range map[string][]string{
		"trec_eval":  {"1.0000", "0.8597", "1.0000", "0.5000", "0.6309", "0.5000"},
		"trec_eval9": {"0.5833", "0.6697", "0.5000", "0.3333", "0.5000", "0.3333"},
	} {
		t.Run(fmt.Sprint(preset), func(t *testing.T) {
			e := testkit.Must(rank.NewEvaluator("map,ndcg,recip_rank", rank.Options{Preset: preset}))
			for i := range lists {
				values, err := e.AppendValues(nil, &lists[i])
				if err != nil {
					t.Fatal(err)
				}
				for m, v := range values {
					if got := strconv.FormatFloat(v, 'f', 4, 64); got != want[3*i+m] {
						t.Errorf("preset %s, topic %s: %v is %s, want %s", preset, lists[i].ID, e.Metrics()[m], got,
							want[3*i+m])
					}
				}
			}
		})
	}
}

// Every preset accepts runs with unjudged documents.
func TestPresetsOfRuns(t *testing.T) {
	q, r := mustRead(t, handQrels, handRun)
	lists := q.Lists(r)
	for _, p := range rank.OptionWords("preset") {
		t.Run(p, func(t *testing.T) {
			e := testkit.Must(rank.NewEvaluator("ndcg,ndcg@10,map,auc,pair-accuracy,tau-b",
				rank.Options{Preset: p, NegativeUnjudged: true}))
			if _, err := e.EvalAll(t.Context(), lists); err != nil {
				t.Errorf("%v: %v", p, err)
			}
		})
	}
}

// Lines that start with '#', and everything after the sixth field of a run, are skipped.
func TestTRECComments(t *testing.T) {
	q, r := mustRead(t, "# a\n #1 0 a 9\r\n1 0 a 2\n# b\n\n#\n1 0 #b 1\n#",
		"#\n1 Q0 a 1 2 first\n\t# 1 Q0 c 1 2 c\n1 Q0 #b 2 1 last and more # text\n# end")
	lists := q.Lists(r)
	if len(lists) != 1 || !slices.Equal(lists[0].Labels, []float64{2, 1}) || lists[0].Unretrieved != nil ||
		r.Name != "last" {
		t.Errorf("%+v of %s", lists, r.Name)
	}
	// An error about a label contains its line, counting comments.
	e := testkit.Must(rank.NewEvaluator("err", rank.Options{Preset: "trec_eval", MaxLabel: 1}))
	_, err := e.EvalAll(t.Context(), lists)
	if want := "rank: query 1: line 3: label 2 exceeds 1, the highest label that err supports " +
		"(change the option MaxLabel)"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A refused text is read with an error that contains want.
type refused struct {
	read     func(string) error
	in, want string
}

// errorOf reads a text and returns only the error.
func errorOf[T any](read func(io.Reader, ...rank.ReadOptions) (T, error)) func(string) error {
	return func(s string) error { _, err := read(strings.NewReader(s)); return err }
}

func checkRefused(t *testing.T, cases []refused) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.want, func(t *testing.T) {
			err := c.read(c.in)
			if !errors.As(err, new(*rank.ParseError)) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%.60q: error %v, want %q", c.in, err, c.want)
			}
		})
	}
}

func TestTRECErrors(t *testing.T) {
	qrels, run := errorOf(ReadQrels), errorOf(ReadRun)
	checkRefused(t, []refused{
		{qrels, "", "line 1: the qrels contain no judgments"},
		{qrels, "\n \n", "the qrels contain no judgments"},
		{qrels, "1 0 a 1\n1 0 b\n", `line 2: found 3 fields; there must be 4, as in the first line: "1 0 b"`},
		{qrels, "1 0 a 1 1\n", "line 1: found 5 fields"},
		{qrels, "1 0 a 1\n1 0 b 1x\n", `line 2, column 7: the relevance is not an integer: "1x"`},
		{qrels, "1 0 a 1\n1 0 b\n2 0 a 1\n", "line 2: found 3 fields"},
		{qrels, "1 0 a 1\n1 0 b 9999999999999999999\n", "line 2, column 7: the relevance is not an integer"},
		{run, "1 Q0 a 1 2 s\n1 Q0 b 1.5 s\n", "line 2: found 5 fields; there must be 6"},
		{run, "1 Q0 a 1 2 s\n1 Q0  1 2 s\n", "line 2: found 5 fields; there must be 6"},
		{run, "1 Q0 a 1 2 s\n1 Q0 b\n", "line 2: found 3 fields; there must be 6"},
		{run, "1 Q0 a 1 2 s\n1 Q0 b 2 1.x s\n", `line 2, column 10: the score is not a number: "1.x"`},
		{qrels, "1 0 a 1.5\n", `line 1, column 7: the relevance is not an integer: "1.5"`},
		{qrels, "1 0 a 1\n2 0 a 1\n1 0 a 0\n", `line 3: topic 1: the document is judged twice, first in ` +
			`line 1 (subtopic judgments are for metrics such as alpha-ndcg@20): "a"`},
		{run, "", "line 1: the run contains no documents"},
		{run, "1 Q0 a 1 x sys\n", `line 1, column 10: the score is not a number: "x"`},
		{run, "1 Q0 a 1 nan sys\n", "the score is not a number"},
		{run, "1 Q0 a 1 0x1p3 sys\n", "the score is not a number"},
		{run, "1 Q0 a 1 1.5.2 sys\n", "the score is not a number"},
		{run, "1 Q0 a 1 - sys\n", "the score is not a number"},
		{run, "1 Q0 a 1 2\n", "line 1: found 5 fields; there must be 6"},
		{run, "1 0 a 1\n", `line 1: found 4 fields; there must be 6 or 3 (judgments have 4): "1 0 a 1"`},
		{qrels, "1 Q0 a 1 2 s\n", `line 1: found 6 fields; there must be 4 or 3 (runs have 6): "1 Q0 a 1 2 s"`},
		{run, "# comment\n", "the run contains no documents"},
		{qrels, "# comment\n1 0 a\n", "line 2: three fields must be a topic, a document and its relevance, or the header"},
		{run, "1 Q0 a 1 2 s\n\n1 Q0 b 2 1 s\n1 Q0 a 3 0 s",
			`line 4: topic 1: the document is retrieved twice, first in line 1: "a"`},
		{run, strings.Repeat("x", 1<<20), "line 1: found 1 field; there must be 6"},
		{run, "\x1f\x8b\x08", "line 1: "},
	})
	if _, err := LoadRun("no such file"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	broken := errors.New("broken")
	_, err := ReadRun(io.MultiReader(strings.NewReader("1 Q0 a 1 2 s\n1 Q0 b 2"), iotest.ErrReader(broken)))
	var perr *rank.ParseError
	if !errors.As(err, &perr) || perr.Line != 2 || !errors.Is(err, broken) {
		t.Errorf("a reader that fails in line 2: %v", err)
	}
}

// A text that is larger than the reader's buffer is read alike, plain and compressed.
func TestTRECLongText(t *testing.T) {
	var text bytes.Buffer
	n := 0
	for ; text.Len() < 1<<20; n++ {
		fmt.Fprintf(&text, "%d Q0 %s%d %d %v s\n", n/1000, strings.Repeat("d", n%37), n, n, 1e6/float64(n+1))
	}
	zipped := bytes.NewBufferString(testkit.Gzip(text.String()))
	for _, in := range []*bytes.Buffer{&text, zipped} {
		t.Run(fmt.Sprint(in.Len(), " bytes"), func(t *testing.T) {
			r, err := ReadRun(in)
			if err != nil {
				t.Fatal(err)
			}
			i := 0
			for _, topic := range r.topics {
				for d := range topic.docs() {
					doc := string(topic.doc(d))
					if doc != fmt.Sprintf("%s%d", strings.Repeat("d", i%37), i) ||
						topic.documents[d].value != 1e6/float64(i+1) {
						t.Fatalf("document %d: %s, %v", i, doc, topic.documents[d].value)
					}
					i++
				}
			}
			if i != n {
				t.Errorf("%d documents of %d", i, n)
			}
		})
	}
}

// A repeated document is found anywhere, whatever the hashes.
func TestTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var finder twinFinder
	for n := 1; n < 500; n += 1 + n/2 {
		for _, hashes := range []uint32{1, 50, 1 << 31} {
			r := table{byID: map[string]int{}}
			for d := range n {
				if err := r.put("1", fmt.Sprint("document-", d), 0); err != nil {
					t.Fatal(err)
				}
			}
			of := &r.topics[0]
			for d := range of.documents {
				of.documents[d].hash %= hashes
			}
			if a, b := finder.find(of); a != 0 || b != 0 {
				t.Fatalf("%d documents, %d hashes: %d and %d", n, hashes, a, b)
			}
			first, second := rng.IntN(n), rng.IntN(n)
			if first >= second {
				continue
			}
			of.documents[second] = of.documents[first]
			var index docIndex
			for _, find := range []func(*topic) (int, int){finder.find, index.build} {
				if a, b := find(of); a != first || b != second {
					t.Fatalf("%d documents, %d hashes: %d and %d, want %d and %d", n, hashes, a, b, first, second)
				}
			}
		}
	}
}

// Documents are joined by their IDs even if all hashes are equal.
func TestOneHash(t *testing.T) {
	docs := []string{"d", "e", "d-longer", "d-longer-1", "d-longer-2", "e-longer-1", "f"}
	join := func(t *testing.T) string {
		var qrels, groups, run, other strings.Builder
		for i, doc := range docs {
			fmt.Fprintf(&qrels, "1 0 %s %d\n", docs[len(docs)-1-i], i)
			fmt.Fprintf(&groups, "1 %d %s %d\n1 3 %s 1\n", i%2, doc, i, doc)
			fmt.Fprintf(&run, "1 Q0 %s 0 %d a\n1 Q0 unjudged-%d 0 %d a\n", doc, i%3, i, i)
			fmt.Fprintf(&other, "1 Q0 %s 0 %d b\n", doc, i*i%7)
		}
		r, reference := must(t, ReadRun, run.String()), must(t, ReadRun, other.String())
		var joined []any
		for _, q := range []*Qrels{must(t, ReadQrels, qrels.String()), must(t, ReadSubtopics, groups.String())} {
			lists := q.Lists(r)
			setReference(lists, r, reference)
			for _, l := range lists {
				joined = append(joined, l.Labels, l.Scores, l.Unretrieved, l.Subtopics, l.Reference)
			}
			joined = append(joined, slices.Collect(q.All()))
		}
		return fmt.Sprint(joined)
	}
	want := join(t)
	before := hashFactor
	t.Cleanup(func() { hashFactor = before })
	hashFactor = 0 // so that every hash is 0
	if got := join(t); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{"same", "1 Q0 d-longer-1 0 3 a\n1 Q0 d-longer-2 0 2 a\n1 Q0 d-longer-1 0 1 a\n", true},
		{"distinct", "1 Q0 d-longer-1 0 3 a\n1 Q0 d-longer-2 0 2 a\n1 Q0 d-longer-3 0 1 a\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := ReadRun(strings.NewReader(c.text)); (err != nil) != c.refused {
				t.Errorf("error %v, want one: %v", err, c.refused)
			}
		})
	}
}

// Lines are read alike whether or not they resemble the previous one.
func TestTRECLikeLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	for range 300 {
		var text strings.Builder
		want, name, topic, blank, tail := map[string]string{}, "", "1", " ", "\n"
		lines := 1 + rng.IntN(30)
		for n, line := 0, 1; n < lines; line++ {
			if rng.IntN(8) == 0 {
				text.WriteString(pick("\n", " \n", "# 1 Q0 a 1 2 r\n", "\t#\r\n"))
				continue
			}
			if rng.IntN(6) == 0 {
				topic = pick("1", "12", "a-topic-with-a-name-of-many-bytes", "2")
			}
			if rng.IntN(6) == 0 {
				blank = pick(" ", "\t", "  ", "   ")
			}
			if rng.IntN(6) == 0 {
				tail = pick(" ", "  ", "\t\t") + pick("r", "s", "a-run-with-a-long-name", "a-run-with-a-long-namf") +
					pick("", " and more") + pick("\n", "\r\n", " \n")
			} else if n == 0 {
				tail = " r\n"
			}
			doc := fmt.Sprint(strings.Repeat("d", rng.IntN(20)), n)
			score := pick("1", "-2.5", "1e3", "+7", ".5", "123456789.123456789123", "inf", "0")
			text.WriteString(pick("", "", "", " ") + topic + blank + "Q0" + pick(" ", " ", "\t ") + doc +
				pick(" ", "  ") + pick("1", "20", "rank") + pick(" ", " ", "\t") + score + tail)
			value, err := strconv.ParseFloat(score, 64)
			if err != nil {
				t.Fatal(err)
			}
			want[topic] += fmt.Sprintf("%s %v in %d;", doc, value, line)
			name = strings.Fields(tail)[0]
			n++
		}
		r, err := ReadRun(strings.NewReader(text.String()))
		if err != nil {
			t.Fatalf("%v of\n%s", err, &text)
		}
		got := map[string]string{}
		for i := range r.topics {
			of := &r.topics[i]
			for d := range of.documents {
				got[of.id] += fmt.Sprintf("%s %v in %d;", of.doc(d), of.documents[d].value, of.line(d))
			}
		}
		if !maps.Equal(got, want) || r.Name != name {
			t.Fatalf("%s: %v, want %s: %v of\n%s", r.Name, got, name, want, &text)
		}
	}
}

// A run, and its errors, are read alike with any number of threads.
func TestTRECThreads(t *testing.T) {
	var lines []string
	size := 0
	for n := 0; size < 1<<20; n++ {
		topic, doc, score := n/3000, n, float64(-n) // scores descend in a topic, but for one between pieces
		switch {
		case n/3000 == 4:
			topic = 1 // again
		case n%1000 == 7:
			score = 5
		}
		lines = append(lines, fmt.Sprintf("%d Q0 %s%d %d %v s%d\n", topic, strings.Repeat("d", n%40), doc, n, score, n))
		size += len(lines[n])
	}
	last := len(lines) - 1
	read := func(threads int, at int, line string) (*Run, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		all := slices.Clone(lines)
		all[at] = line
		return ReadRun(strings.NewReader(strings.Join(all, "")))
	}
	one, err := read(1, 0, lines[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 3, 4} {
		t.Run(fmt.Sprint(threads, " threads"), func(t *testing.T) {
			r, err := read(threads, 0, lines[0])
			if err != nil {
				t.Fatal(err)
			}
			if r.Name != one.Name || !slices.Equal(r.Topics(), one.Topics()) {
				t.Fatalf("%d threads: %s, %v", threads, r.Name, r.Topics())
			}
			for i, id := range r.Topics() {
				if !slices.Equal(docsOf(r, id), docsOf(one, id)) || r.topics[i].sorted != one.topics[i].sorted {
					t.Errorf("%d threads: topic %s differs", threads, id)
				}
			}
			for _, c := range []struct {
				at   int
				line string
				want string
			}{
				{last, "1 Q0 a 1\n", fmt.Sprintf("line %d: found 4 fields; there must be 6", last+1)},
				{last / 2, "# a comment\n\n1 Q0 a 1 x s\n",
					fmt.Sprintf("line %d, column 10: the score is not a number", last/2+3)},
				{last, lines[0], fmt.Sprintf("line %d: topic 0: the document is retrieved twice, first in line 1", last+1)},
				{last, "", ""},
			} {
				t.Run(fmt.Sprintf("%q", c.want), func(t *testing.T) {
					_, err := read(threads, c.at, c.line)
					if _, want := read(1, c.at, c.line); fmt.Sprint(err) != fmt.Sprint(want) ||
						err != nil && !strings.Contains(err.Error(), c.want) {
						t.Errorf("%d threads: %v, want %v with %s", threads, err, want, c.want)
					}
				})
			}
		})
	}
}

// For each judged topic, sorted by ID: the relevance of the ranked documents, and of the others.
func TestJudge(t *testing.T) {
	q, r := mustRead(t, handQrels, handRun)
	var got [3]string
	err := q.Judge(t.Context(), r, "trec_eval", 2, func(_, topic int, l *rank.List) {
		got[topic] = fmt.Sprintln(l.ID, l.Labels, l.Unretrieved)
	})
	want := [...]string{"q1 [0 1 2 NaN -1] [1 0]\n", "q2 [0] [0]\n", "q3 [] [1]\n"}
	if err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	docs := ""
	for d := range r.All() {
		docs += fmt.Sprint(d.Topic, d.Doc, d.Score, ";")
		if d.Doc == "a" {
			break
		}
	}
	if want := "q1b3.5;q1c2;q1a2;"; docs != want || !r.answers("q9") || r.answers("q3") {
		t.Errorf("%s, want %s", docs, want)
	}
}

// docsOf returns the IDs of a topic's documents, the best first.
func docsOf(r *Run, topic string) (docs []string) {
	for d := range r.All() {
		if d.Topic == topic {
			docs = append(docs, d.Doc)
		}
	}
	return docs
}

// trec_eval's own outputs for its own files (its test directory; shared/data/trec).
func TestTrecEvalFiles(t *testing.T) {
	q, err := LoadQrels(testkit.DataPath(t, "trec/qrels.test.gz"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := LoadRun(testkit.DataPath(t, "trec/results.test.gz"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(testkit.DataPath(t, "trec/out.test.aq"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()

	type line struct{ query, want string }
	var metrics []string
	wants := map[rank.Metric][]line{}
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if fields[0] == "success_1" || fields[0] == "set_recall" {
			continue
		}
		m, err := rank.ParseMetric(fields[0])
		if err != nil {
			continue
		}
		if len(wants[m]) == 0 {
			metrics = append(metrics, m.String())
		}
		wants[m] = append(wants[m], line{fields[1], fields[2]})
	}
	if len(metrics) < 40 {
		t.Fatalf("only %d of trec_eval's measures are ours: %v", len(metrics), metrics)
	}
	e, err := rank.NewEvaluator(strings.Join(metrics, ","), rank.Options{Preset: "trec_eval"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := e.EvalAll(context.Background(), q.Lists(r))
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range metrics {
		for _, w := range wants[e.Metrics()[i]] {
			got := res.Metrics[i].Mean
			if w.query != "all" {
				got = res.Metrics[i].Values[slices.Index(res.QueryIDs, w.query)]
			}
			if s := strconv.FormatFloat(got, 'f', 4, 64); s != w.want {
				t.Errorf("%v of topic %s: %s, trec_eval %s", m, w.query, s, w.want)
			}
		}
	}
}
