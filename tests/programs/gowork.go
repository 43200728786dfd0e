// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// gowork [SECONDS]: main.main > main.spend; in a goroutine main.(*worker).run > main.burn > main.step (inlined).
//
//	75 %  main.(*worker).run > main.burn
//	25 %  main.main > main.spend > main.burn
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

var sink uint64

func step(x uint64) uint64 {
	for i := 0; i < 64; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

//go:noinline
func burn(rounds int) uint64 {
	x := uint64(rounds)
	for i := 0; i < rounds; i++ {
		x = step(x)
	}
	return x
}

type worker struct{ rounds int }

//go:noinline
func (w *worker) run(parts int) {
	for i := 0; i < parts; i++ {
		sink += burn(w.rounds)
	}
}

//go:noinline
func spend(rounds int) { sink += burn(rounds) }

func main() {
	seconds := 0.5
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	w := &worker{2000}
	for time.Now().Before(end) {
		done := make(chan bool)
		go func() {
			w.run(3)
			done <- true
		}()
		<-done
		spend(2000)
	}
	fmt.Println(sink)
}
