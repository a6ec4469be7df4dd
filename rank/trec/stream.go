package trec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/simdrank/simdrank/rank"
)

// StreamRuns calls the function use with runs that are streamed in pieces of whole topics. Use it
// for runs that are larger than RAM. StreamRuns reads each run as [ReadRun] does. The next piece
// overwrites the previous one, and an error ends the stream. If GOMAXPROCS is greater than 1, other
// goroutines read ahead until the streams end.
//
// A run cannot be streamed if the lines of a topic are not adjacent. Several runs cannot be
// streamed if their topics are in different orders. The stream then ends with an error. When use
// returns that error, StreamRuns calls use again, with each run in one piece.
//
// To do so, it rewinds readers that can seek, such as files. If the only reader cannot seek,
// StreamRuns keeps up to 64 MiB of the text for that purpose; for longer text it returns the error.
// If one of several readers cannot seek, all runs are read into memory at once.
func StreamRuns[T any](use func(runs []iter.Seq2[*Run, error]) (T, error), readers []io.Reader,
	o ...rank.ReadOptions) (T, error) {
	return streamRuns(mostKept, use, readers, o, nil)
}

// mostKept is the maximum number of bytes that are kept of a reader that cannot seek.
const mostKept = 64 << 20

// streamRuns is like StreamRuns. d is as for readRuns, and use must reset it.
func streamRuns[T any](most int, use func(runs []iter.Seq2[*Run, error]) (T, error), readers []io.Reader,
	o []rank.ReadOptions, d *Duplicates) (result T, err error) {
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
			return use(whole(readers, o, d))
		default:
			kept = &keeper{Reader: r, most: most}
			readers = []io.Reader{kept}
		}
	}
	pieces := make([]iter.Seq2[*Run, error], len(readers))
	for i, r := range readers {
		pieces[i] = runPieces(r, pieceSize, o, d)
	}
	result, err = use(pieces)
	if !errors.Is(err, errScattered) && !errors.Is(err, errOrder) {
		return result, err
	}
	if kept != nil {
		if kept.lost {
			if parse := (*rank.ParseError)(nil); errors.As(err, &parse) {
				parse.Err = fmt.Errorf("%w (sort the input by topic, or read a file: only the start of a pipe can be read again)", parse.Err)
			}
			return result, err
		}
		return use(whole([]io.Reader{io.MultiReader(append(kept.read, kept.Reader)...)}, o, d))
	}
	for i, r := range readers {
		if _, err := r.(io.Seeker).Seek(starts[i], io.SeekStart); err != nil {
			return result, err
		}
	}
	return use(whole(readers, o, d))
}

// whole returns the runs, each in a single piece.
func whole(readers []io.Reader, o []rank.ReadOptions, d *Duplicates) []iter.Seq2[*Run, error] {
	runs := make([]iter.Seq2[*Run, error], len(readers))
	for i, r := range readers {
		runs[i] = func(yield func(*Run, error) bool) { yield(readRun(r, "", o, d)) }
	}
	return runs
}

// A keeper keeps the text that was read, up to a limit, so that the text can be read again.
type keeper struct {
	io.Reader
	read []io.Reader // the text that was read
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
