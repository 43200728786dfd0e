#!/bin/sh
# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
#
# Updates the expected output of golden tests; review `git diff tests/golden` afterwards.
#   usage: tools/update_golden.sh [CASE…]      (BUILD: the build directory, default build/release)
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
[ -f "$build/build.ninja" ] || cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
ninja -C "$build" wick make_wick
exec python3 tests/golden/run.py --wick "$build/wick" --make-wick "$build/tests/make_wick" --update "$@"
