package testkit

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
	"unsafe"
)

func TestCopyAndCanaries(t *testing.T) {
	b := NewBuffer(t, 100*8)
	src := []float64{1, 2, 3}
	for _, p := range Places(8) {
		s := Copy(b, src, p)
		if len(s) != 3 || s[0] != 1 || s[2] != 3 {
			t.Fatalf("%v: copy holds %v", p, s)
		}
		s[0], s[2] = 7, 8
		if err := b.Check(); err != nil {
			t.Errorf("%v: writing the slice itself: %v", p, err)
		}
		if wide := unsafe.Slice(&s[0], 4); p.Offset >= 8 || !p.End {
			wide[3] = 9
			if b.Check() == nil {
				t.Errorf("%v: a write after the slice went unnoticed", p)
			}
		}
		if p.Offset >= 8 || p.End {
			s = Copy(b, src, p)
			*(*float64)(unsafe.Add(unsafe.Pointer(&s[0]), -8)) = 9
			if b.Check() == nil {
				t.Errorf("%v: a write before the slice went unnoticed", p)
			}
		}
	}
}

func TestGuardPagesFault(t *testing.T) {
	if !Pages {
		t.Skip("no guard pages on this operating system")
	}
	b := NewBuffer(t, os.Getpagesize())
	for _, c := range []struct {
		p     Place
		delta int
	}{{Place{End: true}, 1}, {Place{End: false}, -1}} {
		t.Run(fmt.Sprint(c.delta), func(t *testing.T) {
			s := Copy(b, []byte{42}, c.p)
			if !faults(unsafe.Add(unsafe.Pointer(&s[0]), c.delta)) {
				t.Errorf("%v: touching byte %+d does not fault", c.p, c.delta)
			}
		})
	}
}

func faults(p unsafe.Pointer) (yes bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { yes = recover() != nil }()
	sink = *(*byte)(p)
	return false
}

var sink byte
