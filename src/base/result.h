// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Functions that can fail for external reasons (a file, the kernel, the input, the user) return Result<T>. WICK_ASSERT is for
// wick's own bugs. Lost or partial data is neither: a counter in the profile records it.
//
//   Result<Fd> open_it(...) { ... return Error("cannot open %s", path); }
//   WICK_LET(Fd fd, open_it(path));      // declares fd, or returns the error from this function
//   WICK_OK(write_it(fd));               // the same for a Status

#include <cstdarg>
#include <string>
#include <utility>
#include <variant>

namespace wick {

// The cause of a failure, for callers that depend on it; most only report the message.
enum class Errc { kOther, kNotFound, kPermission, kBadInput, kUsage, kNoSpace, kNoCommand, kNotExecutable };

class [[nodiscard]] Error {
 public:
  explicit Error(const char* format, ...) __attribute__((format(printf, 2, 3)));
  // "cannot open x" plus the text for errno, which also determines the code.
  static Error from_errno(int errnum, const char* format, ...) __attribute__((format(printf, 2, 3)));

  // By value, so that `error = std::move(error).with_hint(…)` is not a self-assignment.
  Error with_hint(std::string hint) && {
    hint_ = std::move(hint);
    return std::move(*this);
  }
  Error with_code(Errc code) && {
    code_ = code;
    return std::move(*this);
  }
  // "outer: inner": each layer adds the name that the lower one did not know.
  Error context(const std::string& outer) && {
    message_ = outer + ": " + message_;
    return std::move(*this);
  }

  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }  // a command to run, or empty
  Errc code() const { return code_; }
  int errnum() const { return errnum_; }  // 0 if errno was not involved

 private:
  std::string message_, hint_;
  Errc code_ = Errc::kOther;
  int errnum_ = 0;
};

[[noreturn]] void assert_failed(const char* cond, const char* why, const char* file, int line);

#define WICK_ASSERT(cond, why) ((cond) ? static_cast<void>(0) : ::wick::assert_failed(#cond, why, __FILE__, __LINE__))

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : v_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return v_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& operator*() & { return get(); }
  const T& operator*() const& { return const_cast<Result*>(this)->get(); }
  T&& operator*() && { return std::move(get()); }
  T* operator->() { return &get(); }
  const T* operator->() const { return &const_cast<Result*>(this)->get(); }
  Error& error() & {
    WICK_ASSERT(!ok(), "error() of a good result");
    return std::get<1>(v_);
  }
  const Error& error() const& { return const_cast<Result*>(this)->error(); }
  Error&& error() && { return std::move(error()); }
  T value_or(T other) && { return ok() ? std::move(get()) : std::move(other); }

 private:
  T& get() {
    WICK_ASSERT(ok(), std::get<1>(v_).message().c_str());
    return std::get<0>(v_);
  }
  std::variant<T, Error> v_;
};

using Status = Result<std::monostate>;
inline Status ok_status() { return std::monostate{}; }

#define WICK_CONCAT_(a, b) a##b
#define WICK_CONCAT(a, b) WICK_CONCAT_(a, b)
#define WICK_LET_(tmp, decl, ...)                   \
  auto tmp = (__VA_ARGS__);                         \
  if (!tmp.ok()) { return std::move(tmp).error(); } \
  decl = *std::move(tmp)
#define WICK_LET(decl, ...) WICK_LET_(WICK_CONCAT(result_, __LINE__), decl, __VA_ARGS__)
#define WICK_OK(...)                                                                        \
  do {                                                                                      \
    if (auto status_ = (__VA_ARGS__); !status_.ok()) { return std::move(status_).error(); } \
  } while (false)

}  // namespace wick
