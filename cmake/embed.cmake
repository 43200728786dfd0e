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
