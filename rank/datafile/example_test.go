package datafile_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/simdrank/simdrank/rank/data"
	"github.com/simdrank/simdrank/rank/datafile"
)

// Text is read once and saved; from then on the file is mapped, without parsing.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "datafile")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	d, err := data.Read(strings.NewReader("2 qid:a 1:0.5 2:1\n0 qid:a 1:0.25\n1 qid:b 2:3\n"), data.Options{})
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "train.simdrank")
	if err := datafile.Save(path, d); err != nil {
		log.Fatal(err)
	}

	f, err := datafile.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close() // f.Dataset must not be used after that
	fmt.Println(f.Queries(), "queries", f.Rows(), "documents", f.Cols, "features")
	fmt.Println(f.Labels, f.Row(0))
	// Output:
	// 2 queries 3 documents 2 features
	// [2 0 1] [0.5 1]
}
