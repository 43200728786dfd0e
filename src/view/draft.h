// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For this room only: a view that is being made. Its profile may still be replaced (runtime frames folded, stacks cut to a base).

#include <utility>

#include "view/view.h"

namespace wick {

struct Draft {
  Profile profile;
  Filter filter;
  Selection selection;
};

Result<Draft> load_draft(const ViewRequest& request);

inline View finish(Draft draft) {
  return {std::make_shared<const Profile>(std::move(draft.profile)), std::move(draft.filter), std::move(draft.selection)};
}

}  // namespace wick
