// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The only way wick creates files. A file is written without a name, or under a temporary name, and moved into place at the end:
// its path always refers to the old file or the complete new one. A killed writer leaves nothing behind if the file system
// supports that.
//
// Links: wick follows a link at the path (replaces its target) if it belongs to this user or root and is in a directory that
// only these two may write to. It replaces any other link: another user may have made it.
//
// wick writes directly to a FIFO or device, except to one of another user in a directory that everyone may write to (/tmp).
// /dev/stdout and /dev/fd/N refer to that descriptor.

#include <optional>
#include <span>
#include <string>

#include "base/fd.h"

namespace wick {

class OutputFile {
 public:
  struct Owner {
    unsigned user = 0, group = 0;
  };
  struct Rights {
    unsigned mode = 0666;             // before applying the umask
    std::optional<Owner> owner = {};  // new owner, with exactly `mode`; if that is denied, the group gets no permissions
    bool keep = false;                // those of the replaced file instead, unless a stranger may have put it there
    // If set, replaces only this file, with its rights, and fails for any other.
    std::optional<FileId> replaces = {};
  };

  OutputFile() = default;
  OutputFile(OutputFile&& other) noexcept = default;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();  // without commit(), the file is discarded

  static Result<OutputFile> create(const std::string& path, const Rights& rights);
  static Result<OutputFile> create(const std::string& path) { return create(path, Rights()); }

  // Written in place: it has no old contents to preserve.
  bool is_special() const { return name_.empty(); }
  int fd() const { return fd_.get(); }
  Status write(Bytes bytes);
  enum class Old { kReplaced, kKept /* as PATH.old */ };
  // Moves the file into place. More may be written afterwards.
  Status commit(Old old = Old::kReplaced);
  void close() { fd_.reset(); }
  // The file that commit() would replace; invalid if there is none.
  Fd open_replaced() const;

 private:
  struct Place;
  Status find_place(Place& place);
  Status open_special(const Place& place);
  Status check_replaced() const;
  void discard();
  Status link_beside();

  std::string path_;  // as given, for messages
  Fd folder_, fd_;
  std::string name_;    // in the directory; empty: written in place
  std::string beside_;  // temporary name; empty: it has none
  std::optional<FileId> replaces_;
};

// Writes the complete file or nothing.
Status write_parts_atomically(const std::string& path, std::span<const Bytes> parts, const OutputFile::Rights& rights);
inline Status write_file_atomically(const std::string& path, Bytes bytes) {
  return write_parts_atomically(path, {&bytes, 1}, {});
}

// Suffix of files left by a killed writer.
inline constexpr char kTemporarySuffix[] = ".tmp";

}  // namespace wick
