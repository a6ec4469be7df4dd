package trec

import (
	"context"
	"io"
	"iter"
	"slices"

	"github.com/simdrank/simdrank/internal/parallel"
	"github.com/simdrank/simdrank/rank"
)

// An Inspection counts properties of a run that can distort its evaluation: topics that are only in
// the run or only in the judgments, unjudged documents, and tied scores. Create it with
// [NewInspection], and add the run, or each chunk of a streamed run, with [Inspection.Add].
//
// Other readers return an error for a document that a topic lists twice. To count such duplicates
// instead, use [InspectQrels] and [Inspection.ReadRun]. All other fields then count only the first
// line of each document.
type Inspection struct {
	JudgedTopics   int `json:"judged_topics"`
	Unanswered     int `json:"topics_without_results"`            // judged topics that the run does not answer
	NoRelevant     int `json:"topics_without_relevant_documents"` // judged topics without relevant documents
	RunTopics      int `json:"run_topics"`
	UnjudgedTopics int `json:"topics_without_judgments"` // topics of the run that are not judged

	QrelsDuplicates Duplicates `json:"duplicate_judgments"`
	RunDuplicates   Duplicates `json:"duplicate_documents"`

	// The following fields count only topics that are both in the judgments and in the run.

	Judgments int `json:"judgments"` // judged documents
	Documents int `json:"documents"` // retrieved documents
	// Tied is the number of retrieved documents with the same score as another document for the
	// topic.
	Tied    int                `json:"tied_documents"`
	Cutoffs []CutoffInspection `json:"cutoffs"`

	qrels *Qrels
}

// Duplicates counts the lines whose document an earlier line lists for the same topic.
type Duplicates struct {
	Lines  int `json:"lines"`
	Topics int `json:"topics"` // topics with such lines
	// First describes the first such line. It is nil if there is none.
	First *rank.ParseError `json:"-"`
}

// drop counts the duplicates in the topics and removes them.
func (d *Duplicates) drop(f *form, topics []topic, finder *twinFinder) {
	for i := range topics {
		t := &topics[i]
		first, second := finder.find(t)
		if second == 0 {
			continue
		}
		if d.First == nil || t.line(second) < d.First.Line {
			d.First = f.twin(t, "", first, second)
		}
		d.Topics++
		d.Lines += t.dropTwins(&finder.index)
	}
}

// dropTwins removes all documents that an earlier line lists, and returns their number.
func (t *topic) dropTwins(x *docIndex) int {
	x.reset(t, 2*t.docs())
	n, next := 0, 0 // next is the line that would continue the last element of lines
	var lines []lineRun
	for i, d := range t.documents {
		t.documents[n] = d
		if x.put(n) >= 0 {
			continue
		}
		line := t.line(i)
		if n == 0 || line != next {
			lines = append(lines, lineRun{n, line})
		}
		n, next = n+1, line+1
	}
	dropped := t.docs() - n
	t.documents, t.lines = t.documents[:n], lines
	return dropped
}

// A CutoffInspection counts the first K documents of each topic, in the order of [Run.All].
type CutoffInspection struct {
	K          int `json:"k"`
	Documents  int `json:"documents"`        // retrieved documents
	Judged     int `json:"judged_documents"` // retrieved documents with a judgment
	TiedTopics int `json:"tied_topics"`      // topics with equal scores at the ranks K and K+1
}

// NewInspection returns an inspection for these judgments to which no run has been added yet.
// Documents with a negative relevance are unjudged. Cutoffs below 1 are ignored.
func NewInspection(q *Qrels, cutoffs ...int) *Inspection {
	s := &Inspection{JudgedTopics: len(q.topics), Unanswered: len(q.topics), qrels: q}
	for _, k := range cutoffs {
		if k > 0 {
			s.Cutoffs = append(s.Cutoffs, CutoffInspection{K: k})
		}
	}
	for i := range q.topics {
		relevant := func(d document) bool { return d.value > 0 }
		if !slices.ContainsFunc(q.topics[i].documents, relevant) {
			s.NoRelevant++
		}
	}
	return s
}

// InspectQrels is like [NewInspection], but reads the judgments as [ReadQrels] does. It counts
// duplicates instead of returning an error.
func InspectQrels(r io.Reader, cutoffs []int, o ...rank.ReadOptions) (*Inspection, error) {
	var d Duplicates
	q, err := readQrels(r, "", o, &d)
	if err != nil {
		return nil, err
	}
	s := NewInspection(q, cutoffs...)
	s.QrelsDuplicates = d
	return s, nil
}

// ReadRun reads the run as [StreamRuns] does and adds it. It counts duplicates instead of returning
// an error. After an error, the inspection must not be used.
func (s *Inspection) ReadRun(r io.Reader, o ...rank.ReadOptions) error {
	start := *s
	_, err := streamRuns(mostKept, func(runs []iter.Seq2[*Run, error]) (any, error) {
		*s = start
		s.Cutoffs = slices.Clone(start.Cutoffs)
		for run, err := range runs[0] {
			if err != nil {
				return nil, err
			}
			s.Add(run)
		}
		return nil, nil
	}, []io.Reader{r}, o, &s.RunDuplicates)
	return err
}

// Add adds the topics in r. A topic must not be added twice.
func (s *Inspection) Add(r *Run) {
	threads := parallel.Threads(0)
	parts, orders := make([]Inspection, threads), make([]runOrder, threads)
	for i := range parts {
		for _, c := range s.Cutoffs {
			parts[i].Cutoffs = append(parts[i].Cutoffs, CutoffInspection{K: c.K})
		}
	}
	// The error is nil, because this context never ends.
	_ = parallel.For(context.Background(), threads, len(r.topics), func(worker, i int) {
		parts[worker].addTopic(s.qrels, &r.topics[i], &orders[worker])
	})
	for _, part := range parts {
		s.RunTopics += part.RunTopics
		s.UnjudgedTopics += part.UnjudgedTopics
		s.Unanswered -= part.RunTopics - part.UnjudgedTopics
		s.Judgments += part.Judgments
		s.Documents += part.Documents
		s.Tied += part.Tied
		for k, c := range part.Cutoffs {
			s.Cutoffs[k].Documents += c.Documents
			s.Cutoffs[k].Judged += c.Judged
			s.Cutoffs[k].TiedTopics += c.TiedTopics
		}
	}
}

// addTopic adds a topic of the run.
func (s *Inspection) addTopic(q *Qrels, t *topic, order *runOrder) {
	s.RunTopics++
	at, ok := q.byID[t.id]
	if !ok {
		s.UnjudgedTopics++
		return
	}
	index := &q.indices[at]
	for _, d := range index.topic.documents {
		if d.value >= 0 {
			s.Judgments++
		}
	}
	n := t.docs()
	s.Documents += n
	keys := order.of(t)
	document := func(rank int) *document { return &t.documents[ranked(keys, rank)] }
	for lo := 0; keys != nil && lo < n; { // without keys, the scores are distinct
		hi := lo + 1
		for hi < n && document(hi).value == document(lo).value {
			hi++
		}
		if hi > lo+1 {
			s.Tied += hi - lo
		}
		lo = hi
	}
	for i := range s.Cutoffs {
		c := &s.Cutoffs[i]
		first := min(c.K, n)
		c.Documents += first
		for rank := range first {
			d := document(rank)
			if j := index.find(d.hash, t.text, int(d.at)); j >= 0 && index.topic.documents[j].value >= 0 {
				c.Judged++
			}
		}
		if c.K < n && document(c.K-1).value == document(c.K).value {
			c.TiedTopics++
		}
	}
}
