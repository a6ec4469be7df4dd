//go:build race

package kernels

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"github.com/simdrank/simdrank/internal/cpu"
)

// The race detector sees what assembly reads and writes. The racy calls run in a child, for
// the detector makes the process that races fail.
func TestRaceIsSeen(t *testing.T) {
	racy := map[string]func(shared []float64){
		"DotF64":   func(s []float64) { DotF64(s, make([]float64, len(s))) },
		"AxpyF64":  func(s []float64) { AxpyF64(1, s, make([]float64, len(s))) },
		"GemvF64":  func(s []float64) { GemvF64(make([]float64, 8), s, 8, 8, 8, make([]float64, 8)) },
		"GemvTF64": func(s []float64) { GemvTF64(make([]float64, 8), s, 8, 8, 8, make([]float64, 8)) },
		"DotBlock, read": func(s []float64) {
			a := unsafe.Slice((*int8)(unsafe.Pointer(&s[0])), 16*32)
			DotBlock(make([]float32, 32*16), make([]int8, 32*32), 32, 32, a, 16, 32, 32)
		},
		"DotBlock, write": func(s []float64) {
			dst := unsafe.Slice((*float32)(unsafe.Pointer(&s[0])), 32*16)
			DotBlock(dst, make([]int8, 32*32), 32, 32, make([]int8, 16*32), 16, 32, 32)
		},
	}
	if name := os.Getenv("SIMDRANK_RACE"); name != "" {
		shared, done := make([]float64, 256), make(chan bool)
		go func() {
			AxpyF64(1, make([]float64, len(shared)), shared)
			close(done)
		}()
		racy[name](shared)
		<-done
		return
	}
	for name := range racy {
		for _, tier := range cpu.Available() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestRaceIsSeen$")
			cmd.Env = append(os.Environ(), "SIMDRANK_RACE="+name, cpu.EnvVar+"="+tier.String())
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "DATA RACE") {
				t.Errorf("%s, %v: no race was seen: %v\n%s", name, tier, err, out)
			}
		}
	}
}
