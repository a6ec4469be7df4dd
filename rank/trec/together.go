package trec

import (
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"github.com/simdrank/simdrank/internal/errs"
)

// errOrder means that the topics of two runs are in different orders. Errors of [Together] wrap it.
var errOrder = errors.New("the topics are in different orders: streaming several runs requires the same order")

// Together iterates over several runs at once. The runs are streamed in pieces of whole topics, for
// example by [StreamRuns]. Each iteration yields one piece of each run. The pieces contain the same
// topics, except that a run may lack some of them. The topics of the first run come first, in its
// order. Topics of the second run that the first does not contain follow, and so on. The next
// iteration overwrites the pieces. The first error ends the iteration.
//
// Use Together for runs that are larger than RAM. Common topics must be in the same order in all
// runs; any order is accepted. Topics that are read before their turn are kept in memory. If a
// topic appears in a run after its turn, Together yields an error, from which [StreamRuns]
// recovers.
func Together(runs ...iter.Seq2[*Run, error]) iter.Seq2[[]*Run, error] {
	return func(yield func([]*Run, error) bool) {
		steps := make([]step, len(runs))
		pieces := make([]*Run, len(runs))
		for i, run := range runs {
			s := &steps[i]
			s.number, s.ahead, s.lacked = i+1, map[string]*aheadTopic{}, map[uint64]struct{}{}
			s.next, s.stop = iter.Pull2(run)
			defer s.stop()
			s.piece.table = newTable()
			pieces[i] = &s.piece
		}
		for i := range steps {
			if err := lead(steps[i:], func() bool { return yield(pieces, nil) }); err != nil {
				if err != errStopped {
					yield(nil, err)
				}
				return
			}
			steps[i].piece.clear()
		}
	}
}

// lead yields the remaining topics of the first run, together with the same topics of the other
// runs.
func lead(steps []step, yield func() bool) error {
	first, others := &steps[0], steps[1:]
	// queue contains the first run's topics that were read but not yielded. done is the number of
	// topics that were yielded.
	queue := slices.SortedFunc(maps.Values(first.ahead), func(a, b *aheadTopic) int { return a.place - b.place })
	done := 0
	first.read = len(queue)
	for i, t := range queue {
		t.place = i
	}
	for i := range others {
		others[i].decided = 0
		others[i].meet(first, slices.Values(queue))
	}
	for wait := false; ; {
		known := first.read
		for i := range others {
			if !others[i].ended {
				known = min(known, others[i].decided)
			}
		}
		if n := known - done; n > 0 {
			for i := range steps {
				steps[i].piece.clear()
			}
			for _, t := range queue[:n] {
				for i := range steps {
					steps[i].take(t.id)
				}
			}
			queue, done = slices.Delete(queue, 0, n), known
			if !yield() {
				return errStopped
			}
			wait = false
		}
		if first.ended && len(queue) == 0 {
			return nil
		}
		// Read more of the first run only if necessary. If it lacks topics, the other runs must
		// read past these topics first.
		if (len(queue) == 0 || wait) && !first.ended {
			more, err := first.pull()
			if err != nil {
				return err
			}
			queue = append(queue, more...)
			for i := range others {
				others[i].meet(first, slices.Values(more))
			}
		}
		for i := range others {
			if s := &others[i]; !s.ended && s.decided < first.read {
				more, err := s.pull()
				if err != nil {
					return err
				}
				s.meet(first, slices.Values(more))
			}
		}
		wait = true
	}
}

// A step is the state of one of the runs.
type step struct {
	number int // number of the run, counted from 1
	next   func() (*Run, error, bool)
	stop   func()
	ended  bool

	ahead  map[string]*aheadTopic // topics that were read but not yielded
	fresh  []*aheadTopic          // topics whose memory the next piece overwrites
	read   int                    // number of topics that were read
	lacked map[uint64]struct{}    // hashes of topics that were yielded without this run before it ended
	// decided counts the topics at the start of the first run for which it is known whether this
	// run contains them. This is known if this run has reached the topic or a later one.
	decided int
	piece   Run // piece that is yielded
}

// An aheadTopic is a topic that was read but not yet yielded.
type aheadTopic struct {
	topic
	place int // index in its run
	taken bool
}

// pull reads the next piece and returns its topics.
func (s *step) pull() ([]*aheadTopic, error) {
	for _, t := range s.fresh {
		if !t.taken { // the next piece overwrites the memory
			t.text, t.documents, t.lines = slices.Clone(t.text), slices.Clone(t.documents), slices.Clone(t.lines)
		}
	}
	s.fresh = s.fresh[:0]
	run, err, ok := s.next()
	if !ok {
		s.ended = true
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.piece.Name = run.Name
	for i := range run.topics {
		t := &aheadTopic{topic: run.topics[i], place: s.read}
		if _, ok := s.lacked[maphash.String(seed, t.id)]; ok {
			place := fmt.Sprintf("run %d", s.number)
			if line := t.line(0); line > 0 { // 0 if the run was not read from a file
				place += fmt.Sprintf(", line %d", line)
			}
			return nil, errs.Errorf("trec", "%s: topic %s: %w", place, t.id, errOrder)
		}
		s.read++
		s.ahead[t.id] = t
		s.fresh = append(s.fresh, t)
	}
	return s.fresh, nil
}

// meet updates decided. topics are topics of this run or of the first run that were just read.
func (s *step) meet(first *step, topics iter.Seq[*aheadTopic]) {
	for t := range topics {
		if mine, theirs := s.ahead[t.id], first.ahead[t.id]; mine != nil && theirs != nil {
			s.decided = max(s.decided, theirs.place+1)
		}
	}
}

// take moves a topic to the piece if the run contains it.
func (s *step) take(id string) {
	t, ok := s.ahead[id]
	if !ok {
		if !s.ended {
			s.lacked[maphash.String(seed, id)] = struct{}{}
		}
		return
	}
	t.taken = true
	delete(s.ahead, id)
	s.piece.byID[id] = len(s.piece.topics)
	s.piece.topics = append(s.piece.topics, t.topic)
}

// clear removes all topics from r.
func (r *Run) clear() {
	r.topics = r.topics[:0]
	clear(r.byID)
}
