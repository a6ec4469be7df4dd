package rankbeam

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/simdrank/simdrank/internal/cli"
	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/rank"
)

// Predict writes the scores of a model, one per line, with as many digits as it takes to read the
// same bits back. Each file of the data has a file of scores, of its rows in their order:
// out-00003-of-00012 for file 3 of 12, counted from 0. These files appear when all are written, or
// none does. Files of that name of an earlier run are replaced when their number is the same; of
// another number they are an error, for what is then read as one result would be of two. So is a
// name of a file of the data.
//
// Rows need neither labels nor queries.
func (j *Job) Predict(ctx context.Context, s System, out string) (*Pass, error) {
	if out == "" {
		return nil, errors.New("the files of scores need a name")
	}
	p := &plan{Task: predict, Output: out}
	return j.pass(ctx, p, []System{s}, func(parts []part) error { return publish(ctx, parts, out) })
}

// checkOutput refuses a name under which another number of files exists than there are inputs, and
// one of which an output would replace an input.
func checkOutput(ctx context.Context, out string, inputs []string) error {
	n, input := len(inputs), map[string]bool{}
	for _, name := range inputs {
		input[filepath.Clean(name)] = true
	}
	for i := range n {
		if name := shardName(out, i, n); input[filepath.Clean(name)] {
			return fmt.Errorf("the output %s would replace an input", name)
		} else if !strings.Contains(name, "://") && files.Special(name) {
			return fmt.Errorf("%s: is not a regular file, and would be replaced by one", name)
		}
	}
	system, err := filesystem.New(ctx, out)
	if err != nil {
		return err
	}
	defer system.Close()
	names, err := system.List(ctx, quote(out)+"-*-of-*")
	if err != nil {
		return cli.FileError(out, err)
	}
	base := out[strings.LastIndexAny(out, `/\`)+1:]
	for _, name := range names {
		numbers := shardNumbers.FindStringSubmatch(name)
		if numbers == nil || !strings.HasSuffix(name, base+numbers[0]) {
			continue
		}
		if of, err := strconv.Atoi(numbers[1]); err != nil || of != n {
			return fmt.Errorf("%s: exists, of another run, and this run would write %d files: "+
				"remove those of the other, or take another name", name, n)
		}
	}
	return nil
}

// shardNumbers is what shardName puts behind a name.
var shardNumbers = regexp.MustCompile(`-\d{5,}-of-(\d{5,})$`)

// publish gives the files that workers wrote their names.
func publish(ctx context.Context, parts []part, out string) error {
	system, err := filesystem.New(ctx, out)
	if err != nil {
		return err
	}
	defer system.Close()
	for i := range parts {
		name := shardName(out, i, len(parts))
		if err := filesystem.Rename(ctx, system, parts[i].Output, name); err != nil {
			if remover, ok := system.(filesystem.Remover); ok {
				for i := range i {
					remover.Remove(ctx, shardName(out, i, len(parts))) // the error is that of the renaming
				}
			}
			return cli.FileError(name, err)
		}
	}
	return nil
}

func shardName(out string, i, n int) string { return fmt.Sprintf("%s-%05d-of-%05d", out, i, n) }

// A prediction writes scores.
type prediction work

func (w *prediction) piece(ctx context.Context, d *rank.Dataset) error {
	scores, err := (*work)(w).scores(ctx, w.systems[0], d)
	if err != nil {
		return err
	}
	var line []byte
	for _, s := range scores {
		line = append(strconv.AppendFloat(line[:0], s, 'g', -1, 64), '\n')
		w.out.Write(line) // an error comes again at the end
	}
	return nil
}
