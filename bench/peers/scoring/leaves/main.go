// Command leaves scores documents with github.com/dmitryikh/leaves. It answers the requests of
// ../peer.py. Its argument is the number of threads. It is a module of its own, so that simdrank
// does not depend on leaves.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/dmitryikh/leaves"
)

func main() {
	threads, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &server{threads: threads}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if answer, err := s.answer(in.Text()); err != nil {
			fmt.Println("error:", err)
		} else {
			fmt.Println(answer)
		}
	}
}

type server struct {
	model               *leaves.Ensemble
	x, scores           []float64
	rows, cols, threads int
}

func (s *server) answer(line string) (any, error) {
	var what string
	if _, err := fmt.Sscan(line, &what); err != nil {
		return nil, err
	}
	switch what {
	case "about":
		info, _ := debug.ReadBuildInfo()
		return info.Deps[0].Version + " none", nil
	case "load":
		var model, path string
		if _, err := fmt.Sscan(line, &what, &model, &path, &s.rows, &s.cols); err != nil {
			return nil, err
		}
		return 0, s.load(model, path)
	case "time":
		var rows int
		var least float64
		if _, err := fmt.Sscan(line, &what, &rows, &least); err != nil {
			return nil, err
		}
		return s.time(rows, least)
	case "scores":
		var path string
		if _, err := fmt.Sscan(line, &what, &path); err != nil {
			return nil, err
		}
		if err := s.score(0, s.rows); err != nil {
			return nil, err
		}
		bytes, err := binary.Append(nil, binary.LittleEndian, s.scores)
		if err != nil {
			return nil, err
		}
		return 0, os.WriteFile(path, bytes, 0o600)
	}
	return nil, fmt.Errorf("%s: no such request", what)
}

func (s *server) load(model, path string) (err error) {
	if s.model, err = leaves.LGEnsembleFromFile(model, false); err != nil {
		return err
	}
	bytes, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.x, s.scores = make([]float64, s.rows*s.cols), make([]float64, s.rows)
	for i := range s.x {
		s.x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:])))
	}
	return nil
}

// score scores the rows from i to j.
func (s *server) score(i, j int) error {
	if j == i+1 {
		s.scores[i] = s.model.PredictSingle(s.x[i*s.cols:j*s.cols], 0)
		return nil
	}
	return s.model.PredictDense(s.x[i*s.cols:j*s.cols], j-i, s.cols, s.scores[i:j], 0, s.threads)
}

// time returns the seconds of scoring the given number of rows in a call.
func (s *server) time(rows int, least float64) (float64, error) {
	next := 0
	for n := 1; ; n *= 2 {
		start := time.Now()
		for range n {
			if next+rows > min(s.rows, 2000*rows) {
				next = 0
			}
			if err := s.score(next, next+rows); err != nil {
				return 0, err
			}
			next += rows
		}
		if took := time.Since(start).Seconds(); took >= least {
			return took / float64(n), nil
		}
	}
}
