// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/output_file.h"
#include "base/utf8.h"
#include "cli/messages.h"

namespace wick {

Status check_output(const std::string& path, std::span<const std::string> inputs) {
  struct stat output{};
  if (is_stdout(path) || ::stat(path.c_str(), &output) != 0 || !S_ISREG(output.st_mode)) { return ok_status(); }
  for (const std::string& input : inputs) {
    struct stat info{};
    int failed = input == "-" ? ::fstat(STDIN_FILENO, &info) : ::stat(input.c_str(), &info);
    if (failed != 0 || info.st_dev != output.st_dev || info.st_ino != output.st_ino) { continue; }
    std::string name = input == path ? "" : input == "-" ? ", read from standard input" : " " + input;
    return Error("cannot write %s: it is the input%s", printable(path).c_str(), printable(name).c_str()).with_code(Errc::kUsage);
  }
  return ok_status();
}

Status write_output(const std::string& path, std::string_view text) {
  return is_stdout(path) ? write_all(STDOUT_FILENO, as_bytes(text), "standard output")
                         : write_file_atomically(path, as_bytes(text));
}

Result<uint64_t> write_pieces(const std::string& path, const std::function<void(const Sink&)>& write) {
  OutputFile file;
  if (!is_stdout(path)) { WICK_LET(file, OutputFile::create(path)); }
  Status status = ok_status();
  uint64_t size_bytes = 0;
  write([&](std::string_view piece) {
    status = is_stdout(path) ? write_all(STDOUT_FILENO, as_bytes(piece), "standard output") : file.write(as_bytes(piece));
    size_bytes += piece.size();
    return status.ok();
  });
  if (status.ok() && !is_stdout(path)) { status = file.commit(); }
  WICK_OK(std::move(status));
  return size_bytes;
}

int exit_code(const Error& error) { return error.code() == Errc::kUsage ? 2 : 1; }

int give_up(const Error& error) { return fail(error, exit_code(error)); }

int finish_output(const Status& status) { return status.ok() || status.error().errnum() == EPIPE ? 0 : give_up(status.error()); }

}  // namespace wick
