# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
install(TARGETS wick RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Where each shell of Debian looks, whatever the prefix.
set(completions ${CMAKE_SOURCE_DIR}/completions)
install(FILES ${completions}/wick.bash DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions RENAME wick)
install(FILES ${completions}/_wick DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions)
install(FILES ${completions}/wick.fish DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d)
