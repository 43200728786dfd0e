// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of a running process as it sees them, whatever its mount namespace: paths and descriptors through /proc/PID.

#include <cstdint>
#include <string>

#include "base/fd.h"

namespace wick {

std::string path_in_root_of(uint32_t pid, const std::string& path);
// The link to its executable, which can be opened even if that is deleted.
std::string executable_link(uint32_t pid);
std::string load_executable_path(uint32_t pid);  // as the link says, possibly " (deleted)"; empty if unknown
// The link to a mapped file, which works whatever happened to its path; empty if it is not mapped. `device` 0: any. Opening it
// needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE, so usually only root can.
std::string find_map_file(uint32_t pid, uint64_t device, uint64_t inode);
// Identifies the root directory of a process; empty for our own.
std::string load_root_key(uint32_t pid);
// Its /tmp, without access to contents; stays valid when the process and its mounts are gone.
Fd open_tmp_of(uint32_t pid);
// The complete range of our own vDSO: its headers do not give its size.
Bytes load_own_vdso();

}  // namespace wick
