# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# Golden cases: tests/golden/<case>, one test each. make_wick writes their inputs from text.
if(NOT WICK_FUZZ)
  add_executable(make_wick tools/make_wick.cc)
  target_link_libraries(make_wick PRIVATE wick_capture)
  file(GLOB golden_cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/golden/*/cmd)
  foreach(file ${golden_cases})
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(case ${folder} NAME)
    add_test(NAME golden.${case} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/golden/run.py
             --wick $<TARGET_FILE:wick> --make-wick $<TARGET_FILE:make_wick> ${case})
    set_tests_properties(golden.${case} PROPERTIES LABELS golden)
  endforeach()
endif()
