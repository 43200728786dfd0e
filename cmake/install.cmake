# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
install(TARGETS wick RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# `cargo wick` runs cargo-wick.
file(CREATE_LINK wick ${CMAKE_BINARY_DIR}/cargo-wick SYMBOLIC)
file(CREATE_LINK wick-cargo.1 ${CMAKE_BINARY_DIR}/cargo-wick.1 SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/cargo-wick DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_BINARY_DIR}/cargo-wick.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Where each shell of Debian looks, whatever the prefix.
set(completions ${CMAKE_SOURCE_DIR}/completions)
install(FILES ${completions}/wick.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME wick)
install(FILES ${completions}/_wick DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)
install(FILES ${completions}/wick.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)

# `cmake --build … --target package`. Build on Debian 12 or with its libraries (tools/make_sysroot): later ones need a later glibc.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME wick)
set(CPACK_PACKAGE_VENDOR "The wick authors")
set(CPACK_PACKAGE_CONTACT "The wick authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sampling profiler for native programs")
set(CPACK_PACKAGE_FILE_NAME wick-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
string(REGEX REPLACE "^x86_64$" amd64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
string(REGEX REPLACE "^aarch64$" arm64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CPACK_DEBIAN_PACKAGE_ARCHITECTURE})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.35)")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Records, unwinds and symbolizes in one command, without root or frame\npointers. Shows profiles in the terminal, as flame graphs and in a browser.")
include(CPack)
