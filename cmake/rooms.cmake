# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0

# wick must be able to profile wick: frame pointers and unwind tables always.
add_compile_options(-Wall -Wextra -Wshadow -fno-omit-frame-pointer -fasynchronous-unwind-tables -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  # Of GCC's own attributes it says that it does not know them, and of GCC 12's std::stable_sort what that uses inside.
  add_compile_options(-Wno-unknown-attributes -Wno-deprecated-declarations)
  if(WICK_TOGETHER)
    add_compile_options(-fpch-instantiate-templates)
  endif()
else()
  add_compile_options(-Wno-maybe-uninitialized) # GCC 12 takes every std::variant for uninitialized memory
  if(WICK_TOGETHER)
    add_compile_options(-Wno-subobject-linkage) # it takes the source files that are included for headers
  endif()
endif()
if(WICK_WERROR)
  add_compile_options(-Werror)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
# Sanitized code takes g++ three times as long at -O1 as at -O0, and the tests hardly less long to run.
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1 -D_GLIBCXX_ASSERTIONS")
add_link_options(-Wl,--gc-sections -Wl,--build-id)
if(WICK_SANITIZE)
  add_compile_options(-fsanitize=${WICK_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WICK_SANITIZE})
else()
  # One file that runs on any Debian 12 or later: only glibc stays dynamic.
  add_link_options(-static-libstdc++ -static-libgcc)
endif()
if(WICK_FUZZ)
  # Whatever the build type: speed is what a fuzzer lives on, and -O2 takes twice the time to compile for little.
  add_compile_options(-fsanitize=fuzzer-no-link -fsanitize-coverage-ignorelist=${CMAKE_SOURCE_DIR}/tests/fuzz/uninstrumented -O1 -D_GLIBCXX_ASSERTIONS)
endif()

# tests/bounds counts the basic blocks that readers run through; g++ cannot instrument them like this.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND WICK_SANITIZE MATCHES address AND NOT WICK_FUZZ)
  set(WICK_COUNTS_STEPS ON)
endif()

function(wick_static_library var name)
  find_library(${var} NAMES lib${name}.a REQUIRED)
endfunction()
wick_static_library(WICK_ZSTD zstd)
wick_static_library(WICK_ZLIB z)
wick_static_library(WICK_LZMA lzma)
wick_static_library(WICK_IBERTY iberty)
wick_static_library(WICK_RE2 re2)

# wick_together(name var): with WICK_TOGETHER, that list of source files as fewer ones (tools/compile_together.py).
function(wick_together name var)
  if(NOT WICK_TOGETHER)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/compile_together.py ${CMAKE_BINARY_DIR}/together/${name} 20 ${${var}}
                  OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" files "${files}")
  set(${var} ${files} PARENT_SCOPE)
endfunction()

# wick_precompile(target pch library headers…): with WICK_TOGETHER, those headers are read once for all targets that name this pch.
function(wick_precompile target pch library)
  if(NOT WICK_TOGETHER)
    return()
  endif()
  if(NOT TARGET ${pch})
    add_library(${pch} OBJECT ${CMAKE_SOURCE_DIR}/cmake/empty.cc)
    target_link_libraries(${pch} PRIVATE ${library})
    target_precompile_headers(${pch} PRIVATE ${ARGN})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${pch})
endfunction()
set(WICK_COMMON_HEADERS <algorithm> <chrono> <filesystem> <functional> <map> <memory> <mutex> <optional> <string> <thread> <unordered_map> <variant> <vector>)

# wick_room(name deps…): the library wick_<name> of src/<name>/**.cc, its tests left aside.
function(wick_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(TRANSFORM ARGN PREPEND wick_ OUTPUT_VARIABLE deps)
  if(NOT sources)
    set(sources ${CMAKE_SOURCE_DIR}/cmake/empty.cc)
  endif()
  wick_together(${name} sources)
  add_library(wick_${name} STATIC ${sources})
  target_include_directories(wick_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_compile_definitions(wick_${name} PRIVATE WICK_VERSION="${PROJECT_VERSION}")
  target_link_libraries(wick_${name} PUBLIC ${deps} Threads::Threads)
  if(NOT name STREQUAL cli) # has its own
    wick_precompile(wick_${name} wick_pch Threads::Threads ${WICK_COMMON_HEADERS})
  endif()
  if(name MATCHES "^(base|model|import)$" AND WICK_COUNTS_STEPS)
    target_compile_options(wick_${name} PRIVATE -fsanitize-coverage=trace-pc-guard)
  endif()
  set_property(GLOBAL APPEND PROPERTY WICK_ROOMS ${name})
endfunction()

# wick_rooms(file): all rooms of the table in that file, from the bottom up.
function(wick_rooms file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${file})
  file(STRINGS ${CMAKE_SOURCE_DIR}/${file} rows REGEX "^\\| `[a-z]+` \\|.*\\| [^|]+ \\|$")
  set(above "")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^\\| `([a-z]+)`.*" "\\1" name "${row}")
    string(REGEX REPLACE ".*\\| ([^|]+) \\|$" "\\1" deps "${row}")
    string(REPLACE ", " ";" deps "${deps}")
    if(deps STREQUAL "above")
      set(deps ${above})
    elseif(deps STREQUAL "-")
      set(deps "")
    endif()
    wick_room(${name} ${deps})
    list(APPEND above ${name})
  endforeach()
endfunction()
