# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
#
# A toolchain file for the other CPU, with clang and lld, which need no second compiler:
#   tools/make_sysroot arm64 build/sysroot-arm64
#   cmake -S . -B build/arm64 -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DWICK_SYSROOT=build/sysroot-arm64 -DWICK_TESTS=OFF
# WICK_CPU is aarch64 (default) or x86_64.
set(WICK_CPU aarch64 CACHE STRING "CPU to build for")
set(WICK_SYSROOT "" CACHE PATH "made by tools/make_sysroot")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WICK_CPU WICK_SYSROOT)
get_filename_component(sysroot "${WICK_SYSROOT}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_LIST_DIR}/..)
if(NOT EXISTS ${sysroot}/usr/include/stdio.h)
  message(FATAL_ERROR "WICK_SYSROOT: ${sysroot} has no headers; make it with tools/make_sysroot")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${WICK_CPU})
set(CMAKE_LIBRARY_ARCHITECTURE ${WICK_CPU}-linux-gnu)
set(CMAKE_SYSROOT ${sysroot})
find_program(WICK_CLANG NAMES clang-19 clang REQUIRED)
find_program(WICK_CLANGXX NAMES clang++-19 clang++ REQUIRED)
set(CMAKE_C_COMPILER ${WICK_CLANG})
set(CMAKE_CXX_COMPILER ${WICK_CLANGXX})
set(CMAKE_C_COMPILER_TARGET ${WICK_CPU}-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET ${WICK_CPU}-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_FIND_ROOT_PATH ${sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
