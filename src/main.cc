// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

int main(int argc, char** argv) { return wick::run_wick(argc, argv); }
