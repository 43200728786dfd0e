# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
#
# Bundles the viewer into one page:   cmake -DOUT=FOLDER [-DMINIFY=OFF] -P web/bundle.cmake
# OUT/page_begin.html, (a profile goes here in pages of wick export), OUT/page_end.html; OUT/page.html is both.

cmake_minimum_required(VERSION 3.25)
get_filename_component(web "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)
if(NOT OUT)
  message(FATAL_ERROR "usage: cmake -DOUT=FOLDER -P web/bundle.cmake")
endif()
if(NOT DEFINED ESBUILD)
  find_program(ESBUILD esbuild REQUIRED)
endif()
get_filename_component(OUT "${OUT}" ABSOLUTE)
file(MAKE_DIRECTORY "${OUT}")
set(flags --bundle --target=es2021 --charset=utf8 --log-level=warning --legal-comments=none)
if(NOT DEFINED MINIFY OR MINIFY)
  list(APPEND flags --minify)
endif()

execute_process(COMMAND "${ESBUILD}" "${web}/src/worker.ts" ${flags} --format=iife "--outfile=${OUT}/worker.js" COMMAND_ERROR_IS_FATAL ANY)
# The page starts the worker from its text, since pages from disk cannot load other files.
file(RENAME "${OUT}/worker.js" "${OUT}/worker.txt")
execute_process(COMMAND "${ESBUILD}" "${web}/src/main.ts" ${flags} --format=iife --loader:.css=text --loader:.txt=text
                        "--alias:wick-worker=${OUT}/worker.txt" "--outfile=${OUT}/main.js" COMMAND_ERROR_IS_FATAL ANY)

file(READ "${web}/src/page_begin.html" begin)
file(READ "${OUT}/main.js" script)
string(CONCAT end "<script>" "${script}" "</script>\n</body>\n</html>\n")
file(WRITE "${OUT}/page_begin.html" "${begin}")
file(WRITE "${OUT}/page_end.html" "${end}")
file(WRITE "${OUT}/page.html" "${begin}${end}")
