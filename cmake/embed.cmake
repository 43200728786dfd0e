# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# wick_embed(room file…): makes src/<room>/<file> available to that room's code as a raw string literal, "<room>/<file>.inc".
# Comment lines and indentation are left out: they would be in every file that wick writes.
function(wick_embed room)
  foreach(file ${ARGN})
    set(source ${CMAKE_SOURCE_DIR}/src/${room}/${file})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} WICK_EMBEDDED_TEXT)
    string(REGEX REPLACE "\n *//[^\n]*" "" WICK_EMBEDDED_TEXT "\n${WICK_EMBEDDED_TEXT}")
    string(REGEX REPLACE "\n +" "\n" WICK_EMBEDDED_TEXT "${WICK_EMBEDDED_TEXT}")
    string(REGEX REPLACE "\n+" "\n" WICK_EMBEDDED_TEXT "${WICK_EMBEDDED_TEXT}")
    configure_file(${CMAKE_SOURCE_DIR}/cmake/embed.inc.in ${CMAKE_BINARY_DIR}/embedded/${room}/${file}.inc @ONLY)
  endforeach()
  target_include_directories(wick_${room} PRIVATE ${CMAKE_BINARY_DIR}/embedded)
endfunction()

# wick_embed_page(room): bundles web/ while building, and makes the page available to that room's code (export/viewer_page.h).
function(wick_embed_page room)
  find_program(WICK_ESBUILD esbuild REQUIRED)
  set(out ${CMAKE_BINARY_DIR}/viewer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/src/*)
  add_custom_command(
    OUTPUT ${out}/page_begin.html ${out}/page_end.html
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DESBUILD=${WICK_ESBUILD} -P ${CMAKE_SOURCE_DIR}/web/bundle.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/web/bundle.cmake
    COMMENT "Bundling the viewer's page" VERBATIM)
  # The assembler reads the files: an array in C++ takes the compiler seconds, and a string literal has a limit.
  configure_file(${CMAKE_SOURCE_DIR}/cmake/viewer_page.cc.in ${out}/viewer_page.cc @ONLY)
  set_source_files_properties(${out}/viewer_page.cc PROPERTIES OBJECT_DEPENDS "${out}/page_begin.html;${out}/page_end.html"
                              SKIP_PRECOMPILE_HEADERS ON)
  target_sources(wick_${room} PRIVATE ${out}/viewer_page.cc)
endfunction()
