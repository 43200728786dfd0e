// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "shapes.h"

double weight_of(const Box& box, double density) {
  if (box.width < 0) {
    return 0;
  }
  return box.area() / density;
}
