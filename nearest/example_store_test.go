package nearest_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/nearest"
)

// This example replaces and deletes vectors, and restricts a search to some IDs.
func ExampleStore() {
	store, err := nearest.NewStore[string, float32, float32](2, "dot")
	if err != nil {
		log.Fatal(err)
	}
	put := func(id string, vector ...float32) {
		if err := store.Put(id, vector); err != nil {
			log.Fatal(err)
		}
	}
	put("red shoe", 1, 0)
	put("blue shoe", 2, 1)
	put("red hat", 0, 1)
	put("red shoe", 3, 0) // replaces the first vector
	store.Delete("blue shoe")

	found, err := store.AppendNearest(nil, []float32{1, 1}, 2, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found)

	hats := map[string]bool{"red hat": true, "blue hat": true}
	found, err = store.AppendNearest(nil, []float32{1, 1}, 2, func(id string) bool { return hats[id] })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found)
	// Output:
	// [{red shoe 3} {red hat 1}]
	// [{red hat 1}]
}

// This example writes a snapshot and reads it.
func ExampleLoadStore() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "vectors.store")

	store, err := nearest.NewStore[int64, float32, int8](3, "l2")
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Put(-5, []int8{1, 2, 3}); err != nil {
		log.Fatal(err)
	}
	if err := store.Save(path); err != nil {
		log.Fatal(err)
	}
	loaded, err := nearest.LoadStore[int64, float32, int8](path)
	if err != nil {
		log.Fatal(err)
	}
	found, err := loaded.AppendWithin(nil, []float32{1, 2, 5}, 4, 10, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.Len(), found)
	// Output: 1 [{-5 4}]
}
