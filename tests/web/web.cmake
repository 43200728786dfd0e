# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# What wick shows in a browser, in Debian's chromium without a window. Skipped (77) where there is none.
if(NOT WICK_FUZZ)
  add_test(NAME web.flamegraph COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/flamegraph_test.py
           --wick $<TARGET_FILE:wick> --make-wick $<TARGET_FILE:make_wick>)
  set_tests_properties(web.flamegraph PROPERTIES LABELS web SKIP_RETURN_CODE 77 TIMEOUT 300)
  add_test(NAME web.viewer COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/viewer_test.py
           --wick $<TARGET_FILE:wick> --make-wick $<TARGET_FILE:make_wick> --lengthen-wick $<TARGET_FILE:lengthen_wick>)
  set_tests_properties(web.viewer PROPERTIES LABELS web SKIP_RETURN_CODE 77 TIMEOUT 1200)
  # The viewer's code: logic without a browser, and its types.
  add_test(NAME web.node COMMAND ${CMAKE_CURRENT_LIST_DIR}/run_node_tests)
  add_test(NAME web.types COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_types)
  set_tests_properties(web.node web.types PROPERTIES LABELS web SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
