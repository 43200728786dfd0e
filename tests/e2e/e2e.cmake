# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# The real binary on truth programs. A few minutes, and meaningful for a release build only: label e2e.
if(NOT WICK_SANITIZE AND NOT WICK_FUZZ)
  add_test(NAME e2e COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run --wick $<TARGET_FILE:wick>
           --programs ${CMAKE_BINARY_DIR}/e2e-programs --json ${CMAKE_BINARY_DIR}/e2e.json)
  set_tests_properties(e2e PROPERTIES LABELS e2e TIMEOUT 1200 SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
endif()
