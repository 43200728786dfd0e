# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
install(TARGETS wick RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
