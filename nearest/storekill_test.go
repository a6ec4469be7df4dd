package nearest

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/simdrank/simdrank/internal/testkit"
)

// A program that is killed while it writes snapshots leaves a complete one. Set
// SIMDRANK_STORE_KILLS=200 for a long run.
func TestStoreKilled(t *testing.T) {
	const inChild = "SIMDRANK_STORE_CHILD"
	if path := os.Getenv(inChild); path != "" {
		saveForever(path)
	}
	if testing.Short() {
		t.Skip("starts processes: not run in short mode")
	}
	kills, err := strconv.Atoi(cmp.Or(os.Getenv("SIMDRANK_STORE_KILLS"), "5"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "store")
	r := rand.New(rand.NewPCG(25, 26))
	last := 0.0
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestStoreKilled$")
		cmd.Env = append(os.Environ(), inChild+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadByte(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Duration(r.IntN(int(20 * time.Millisecond))))
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // reports that the program was killed
		last = checkSnapshot(t, path, last)
	}
	t.Logf("%d kills, version %v", kills, last)
}

const killedIDs, killedCols = 200, 64

// saveForever replaces all vectors by a new version and saves a snapshot, again and again. It
// starts with the version of the file.
func saveForever(path string) {
	version := float32(0)
	store, err := LoadStore[int64, float32, float32](path)
	if errors.Is(err, fs.ErrNotExist) {
		store, err = NewStore[int64, float32, float32](killedCols, "dot")
	} else if err == nil {
		query := make([]float32, killedCols)
		query[0] = 1
		found := testkit.Must(store.AppendNearest(nil, query, 1, nil))
		version = float32(found[0].Score)
	}
	for started := false; err == nil; started = true {
		version++
		vector := make([]float32, killedCols)
		for i := range vector {
			vector[i] = version
		}
		for id := range int64(killedIDs) {
			err = errors.Join(err, store.Put(id, vector))
		}
		if !started {
			os.Stdout.WriteString("+")
		}
		err = errors.Join(err, store.Save(path))
	}
	panic(err)
}

// checkSnapshot checks that all vectors in a snapshot have the same version, which it returns.
func checkSnapshot(t *testing.T, path string, last float64) float64 {
	store, err := LoadStore[int64, float32, float32](path)
	if errors.Is(err, fs.ErrNotExist) && last == 0 {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	query := make([]float32, killedCols)
	query[killedCols-1] = 1
	found, err := store.AppendNearest(nil, query, 2*killedIDs, nil)
	if err != nil || len(found) != killedIDs {
		t.Fatalf("%d vectors, %v", len(found), err)
	}
	for _, m := range found {
		if m.Score != found[0].Score || m.Score < last {
			t.Fatalf("%v, but the version is %v after %v", m, found[0].Score, last)
		}
	}
	return found[0].Score
}
