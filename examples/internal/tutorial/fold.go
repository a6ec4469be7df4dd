package tutorial

import (
	"cmp"
	"os"
	"path/filepath"

	"github.com/simdrank/simdrank/rank"
	"github.com/simdrank/simdrank/rank/data"
)

// MQ2008 returns the default folder of Fold1 of MQ2008 (LETOR 4.0).
func MQ2008() string {
	return filepath.Join(cmp.Or(os.Getenv("SIMDRANK_DATA"), "../shared/data"), "mq2008-fold1")
}

// LoadFold reads a folder in the layout that LETOR publishes: train.txt, vali.txt and test.txt,
// which may be gzipped.
func LoadFold(folder string) (train, vali, test *rank.Dataset, err error) {
	var parts [3]*rank.Dataset
	for i, name := range []string{"train.txt", "vali.txt", "test.txt"} {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path + ".gz"); err == nil {
			path += ".gz"
		}
		if parts[i], err = data.Load(path, data.Options{}); err != nil {
			return nil, nil, nil, err
		}
	}
	return parts[0], parts[1], parts[2], nil
}
