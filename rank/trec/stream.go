package trec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/simdrank/simdrank/rank"
)

// StreamRuns calls use with runs that come some whole topics at a time, for those that are larger
// than the memory: each as [ReadRun] reads it, in pieces that are overwritten by the next ones, and
// of which the first error is the last one. With a GOMAXPROCS above 1, other goroutines read ahead
// of the pieces until they end. If the runs cannot be read so, because the lines of a topic do not
// stand together or the runs have topics in different orders, the error says so, and when use
// returns it, StreamRuns calls it again, with each run in one piece.
//
// Readers that can seek, such as files, are then read again. If the only reader cannot, what was
// read is kept for that, up to 64 MiB: beyond, the error stays. If one of several cannot, all are
// read whole at once.
func StreamRuns[T any](use func(runs []iter.Seq2[*Run, error]) (T, error), readers []io.Reader,
	o ...rank.ReadOptions) (T, error) {
	return streamRuns(mostKept, use, readers, o)
}

// mostKept is how many bytes of a reader that cannot seek are kept.
const mostKept = 64 << 20

func streamRuns[T any](most int, use func(runs []iter.Seq2[*Run, error]) (T, error), readers []io.Reader,
	o []rank.ReadOptions) (result T, err error) {
	starts := make([]int64, len(readers))
	var kept *keeper
	for i, r := range readers {
		s, seeks := r.(io.Seeker)
		if seeks {
			starts[i], err = s.Seek(0, io.SeekCurrent)
		}
		switch {
		case seeks && err == nil:
		case len(readers) > 1:
			return use(whole(readers, o))
		default:
			kept = &keeper{Reader: r, most: most}
			readers = []io.Reader{kept}
		}
	}
	pieces := make([]iter.Seq2[*Run, error], len(readers))
	for i, r := range readers {
		pieces[i] = runPieces(r, pieceSize, o...)
	}
	result, err = use(pieces)
	if !errors.Is(err, errScattered) && !errors.Is(err, errOrder) {
		return result, err
	}
	if kept != nil {
		if kept.lost {
			if parse := (*rank.ParseError)(nil); errors.As(err, &parse) {
				parse.Err = fmt.Errorf("%w; sort a long pipe by topic, or name a file", parse.Err)
			}
			return result, err
		}
		return use(whole([]io.Reader{io.MultiReader(append(kept.read, kept.Reader)...)}, o))
	}
	for i, r := range readers {
		if _, err := r.(io.Seeker).Seek(starts[i], io.SeekStart); err != nil {
			return result, err
		}
	}
	return use(whole(readers, o))
}

// whole returns runs in one piece each.
func whole(readers []io.Reader, o []rank.ReadOptions) []iter.Seq2[*Run, error] {
	runs := make([]iter.Seq2[*Run, error], len(readers))
	for i, r := range readers {
		runs[i] = func(yield func(*Run, error) bool) { yield(ReadRun(r, o...)) }
	}
	return runs
}

// A keeper keeps what is read, to be read again, until it is too much.
type keeper struct {
	io.Reader
	read []io.Reader // what was, in parts
	size int
	most int
	lost bool
}

func (k *keeper) Read(b []byte) (int, error) {
	n, err := k.Reader.Read(b)
	k.size += n
	if k.lost = k.lost || k.size > k.most; k.lost {
		k.read = nil
	} else {
		k.read = append(k.read, bytes.NewReader(bytes.Clone(b[:n])))
	}
	return n, err
}
