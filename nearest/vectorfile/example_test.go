package vectorfile_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/simdrank/simdrank/nearest"
	"github.com/simdrank/simdrank/nearest/vectorfile"
)

// This example reads two vectors of two float32 in the .fvecs format, in which each vector is
// preceded by its number of elements. Use Open for files on disk, which it memory-maps.
func ExampleRead() {
	text := bytes.NewReader([]byte{
		2, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0, // 1, 0
		2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, // 0, 2
	})
	f, err := vectorfile.Read(text, "base.fvecs")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Rows, "vectors of", f.Cols, f.Type())

	vectors, ok := f.Data.([]float32)
	if !ok {
		log.Fatal("the elements are not float32")
	}
	index, err := nearest.New[float32](vectors, f.Rows, f.Cols, f.Stride, "l2")
	if err != nil {
		log.Fatal(err)
	}
	best, err := index.AppendNearest(nil, []float32{0, 1}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("row", best[0].ID, "at the squared distance", best[0].Score)
	// Output:
	// 2 vectors of 2 float32
	// row 1 at the squared distance 1
}
