// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace wick {

Error::Error(const char* format, ...) {
  va_list args;
  va_start(args, format);
  message_ = vstrf(format, args);
  va_end(args);
}

Error Error::from_errno(int errnum, const char* format, ...) {
  va_list args;
  va_start(args, format);
  std::string what = vstrf(format, args);
  va_end(args);
  std::string text = std::strerror(errnum);
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  Error error("%s: %s", what.c_str(), text.c_str());
  error.errnum_ = errnum;
  switch (errnum) {
    case ENOENT:
    case ESRCH: error.code_ = Errc::kNotFound; break;
    case EPERM:
    case EACCES: error.code_ = Errc::kPermission; break;
    case ENOSPC:
    case EDQUOT:
    case EFBIG: error.code_ = Errc::kNoSpace; break;
    default: break;
  }
  return error;
}

void assert_failed(const char* cond, const char* why, const char* file, int line) {
  std::fprintf(stderr, "wick: internal error: %s (%s, %s:%d); please report this\n", why, cond, file, line);
  std::abort();
}

}  // namespace wick
