// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// gopher MODE [SECONDS]: as cxx.cc, for Go.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"sort"
	"strconv"
	"syscall"
)

var sink uint64
var kept [][]byte

type node struct{ left, right *node }

var tree *node

//go:noinline
func burn(rounds int) {
	a := uint64(1)
	for i := 0; i < rounds; i++ {
		a = a*6364136223846793005 + uint64(i)
	}
	sink = a
}

//go:noinline
func grow(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{grow(depth - 1), grow(depth - 1)}
}

func allocates() {
	kept = kept[:0]
	for i := 0; i < 100; i++ {
		kept = append(kept, make([]byte, 16+i))
	}
}

func collects() {
	if tree == nil {
		tree = grow(18)
	}
	kept = append(kept[:0], make([]byte, 1<<22))
}

func copies() {
	from := make([]byte, 1<<16)
	to := make([]byte, 1<<16)
	for i := 0; i < 200; i++ {
		copy(to, from)
	}
	sink += uint64(to[7])
}

func appends() {
	for i := 0; i < 100; i++ {
		var all []uint64
		for j := 0; j < 40; j++ {
			all = append(all, uint64(j))
		}
		sink += uint64(len(all))
	}
}

var counts = map[string]int{}
var words []string

func hashes() {
	if words == nil {
		for i := 0; i < 500; i++ {
			words = append(words, fmt.Sprintf("a rather long key number %d", i))
		}
	}
	for _, word := range words {
		counts[word]++
	}
}

func formats() {
	s := fmt.Sprintf("%d %s %.3f", 17, "a word", 0.37)
	sink += uint64(len(s))
}

func parses() {
	v, _ := strconv.ParseFloat("99999.125", 64)
	n, _ := strconv.Atoi("12345")
	sink += uint64(v) + uint64(n)
}

func compiles() {
	sink += uint64(len(regexp.MustCompile("[a-z]+[0-9]+(foo|bar)*").String()))
}

func sorts() {
	values := make([]int, 5000)
	for i := range values {
		values[i] = (i * 7919) % 10007
	}
	sort.Ints(values)
	sink += uint64(values[17])
}

var logger = log.New(io.Discard, "", log.LstdFlags)

func logs() {
	logger.SetOutput(devNull)
	logger.Printf("handled request %d in %f s", 17, 0.25)
}

var devNull, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0)

// Of all threads, with those of the garbage collector.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

//go:noinline
func serve(round func(), seconds float64) {
	now := cpuSeconds()
	end := now + seconds
	for rounds := 1; now < end; {
		for i := 0; i < rounds; i++ {
			round()
		}
		before := now
		now = cpuSeconds()
		if now-before < 0.004 {
			rounds *= 2
		}
	}
}

func main() {
	modes := map[string]func(){
		"allocation": allocates, "collection": collects, "copying": copies, "growth": appends, "hashing": hashes,
		"formatting": formats, "parsing": parses, "regex-compile": compiles, "sorting": sorts, "logging": logs,
		"not-allocation": func() { burn(10000) }, "not-collection": func() { burn(10000) },
	}
	seconds := 0.4
	if len(os.Args) > 2 {
		seconds, _ = strconv.ParseFloat(os.Args[2], 64)
	}
	round, found := modes[os.Args[1]]
	if !found {
		os.Exit(2)
	}
	serve(round, seconds)
}
