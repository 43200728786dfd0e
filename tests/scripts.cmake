# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# Golden cases: tests/golden/<case>, one test each. make_wick writes their inputs from text.
if(NOT WICK_FUZZ)
  add_executable(make_wick tools/make_wick.cc)
  target_link_libraries(make_wick PRIVATE wick_capture)
  add_executable(lengthen_wick tools/lengthen_wick.cc) # for web.viewer and bench/macro/viewer
  target_link_libraries(lengthen_wick PRIVATE wick_pipeline)
  add_executable(disassemble tools/disassemble.cc) # for tests/tools/compare_disassembly.py
  target_link_libraries(disassemble PRIVATE wick_elf)
  add_test(NAME unit.disassembly COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/tools/compare_disassembly.py
           --disassemble $<TARGET_FILE:disassemble> --most-mb 0.5 $<TARGET_FILE:make_wick>)
  set_tests_properties(unit.disassembly PROPERTIES LABELS unit)
  file(GLOB golden_cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/golden/*/cmd)
  foreach(file ${golden_cases})
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(case ${folder} NAME)
    add_test(NAME golden.${case} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/golden/run.py
             --wick $<TARGET_FILE:wick> --make-wick $<TARGET_FILE:make_wick> ${case})
    set_tests_properties(golden.${case} PROPERTIES LABELS golden)
  endforeach()
  add_test(NAME golden.annotated_costs COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/golden/annotated/check.py
           --wick $<TARGET_FILE:wick> --make-wick $<TARGET_FILE:make_wick>)
  set_tests_properties(golden.annotated_costs PROPERTIES LABELS golden)
endif()
