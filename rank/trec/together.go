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

// errOrder is what an error of [Together] wraps when runs have topics in different orders.
var errOrder = errors.New("the runs have topics in different orders, and are read topic by topic")

// Together goes through several runs at once that come in pieces of whole topics, as [StreamRuns]
// has them. It yields a piece of each, which have the same topics but for those that a run
// lacks: first the topics of the first run in its order, then those of the second that the first
// one lacks, and so on. Pieces are overwritten by the next ones. The first error ends it.
//
// It is for runs that are larger than the memory and have the topics that they share in the same
// order, whatever that is. What one has before its turn is kept. It is an error when a topic
// turns up in a run after its turn, from which [StreamRuns] recovers.
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

// lead goes through the topics of the first run that are left, with the other ones.
func lead(steps []step, yield func() bool) error {
	first, others := &steps[0], steps[1:]
	// The topics that it has ahead, and how many of them were yielded.
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
		// The first run goes on where it must: it may be the one that lacks topics.
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

// A step is one of the runs that are read together.
type step struct {
	number int // from 1
	next   func() (*Run, error, bool)
	stop   func()
	ended  bool

	ahead  map[string]*aheadTopic // topics that were read, and not taken yet
	fresh  []*aheadTopic          // those in the memory of the run's last piece
	read   int                    // topics so far
	lacked map[uint64]struct{}    // hashes of topics whose turn was while the run had not ended
	// decided is how many topics of the first run this one has or lacks: it has one that is behind
	// them there.
	decided int
	piece   Run // what is yielded
}

// An aheadTopic is a topic that was read.
type aheadTopic struct {
	topic
	place int // in its run
	taken bool
}

// pull reads a piece, and returns its topics.
func (s *step) pull() ([]*aheadTopic, error) {
	for _, t := range s.fresh {
		if !t.taken { // the piece is overwritten
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
			if line := t.line(0); line > 0 { // of a run that was read
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

// meet notes which topics of the first run this one has, among topics of either that were read.
func (s *step) meet(first *step, topics iter.Seq[*aheadTopic]) {
	for t := range topics {
		if mine, theirs := s.ahead[t.id], first.ahead[t.id]; mine != nil && theirs != nil {
			s.decided = max(s.decided, theirs.place+1)
		}
	}
}

// take adds a topic to the piece, if the run has it.
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

// clear empties a piece.
func (r *Run) clear() {
	r.topics = r.topics[:0]
	clear(r.byID)
}
