#!/bin/sh
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# Makes the recordings in this directory again, for both CPUs: builds tests/programs/dump_stack natively and with the other CPU's compiler, runs it
# (the latter under qemu-user), and keeps what a replay needs of the files that were mapped. Needs on an x86_64 Debian:
# gcc gcc-aarch64-linux-gnu qemu-user python3 xz-utils; on an aarch64 one gcc-x86-64-linux-gnu instead of the cross compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source="$here/../../programs/dump_stack"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

record() {
  arch=$1; extra=$2
  compiler=$arch-linux-gnu-gcc; run=
  if [ "$arch" = "$(uname -m)" ]; then compiler=gcc; else run="qemu-$arch -cpu max -L /usr/$arch-linux-gnu"; fi
  out="$work/$arch"; mkdir -p "$out" "$here/$arch"
  flags="-O2 -fno-optimize-sibling-calls -fno-ipa-ra -fomit-frame-pointer -fplt -Wall -Wextra -Wl,-z,lazy $extra"
  # shellcheck disable=SC2086 # the flags are words
  {
    $compiler $flags -fPIC -shared "$source/shared.c" -o "$out/libdump_stack.so"
    $compiler $flags -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-omit-frame-pointer -c "$source/no_tables.c" -o "$out/no_tables.o"
    signing=; if [ "$arch" = aarch64 ]; then signing=-mbranch-protection=pac-ret; fi
    $compiler $flags $signing -c "$source/signed.c" -o "$out/signed.o"
    $compiler $flags "$source/dump_stack.c" "$out/no_tables.o" "$out/signed.o" -o "$out/dump_stack" -L"$out" -ldump_stack "-Wl,-rpath,\$ORIGIN"
    $run "$out/dump_stack" > "$out/stacks.txt"
  }
  for name in $(awk '$1 == "map" && $5 !~ /^[\/[]/ { print $5 }' "$out/stacks.txt" | sort -u); do
    file="$out/$name"
    for folder in /lib64 /lib /usr/lib/"$arch"-linux-gnu /usr/"$arch"-linux-gnu/lib; do
      # The loader uses the files of its own CPU; so does this script.
      if [ ! -e "$file" ] && [ -e "$folder/$name" ]; then file="$folder/$name"; fi
    done
    python3 "$here/skeleton.py" "$file" "$out/$name.skeleton"
    xz -9e -c "$out/$name.skeleton" > "$here/$arch/$name.xz"
  done
  xz -9e -c "$out/stacks.txt" > "$here/$arch/stacks.txt.xz"
}

record x86_64 -fcf-protection=none
record aarch64 ""
du -sh "$here"
