// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/access.h"

#include <sys/random.h>

#include <cerrno>
#include <optional>

#include "base/text.h"

namespace wick {
namespace {

constexpr size_t kTokenBytes = 16;

// Takes the same time wherever they differ, so that the token cannot be found one character after another.
bool same_secret(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size() || secret.empty()) { return false; }
  volatile unsigned char differs = 0;
  for (size_t i = 0; i < secret.size(); ++i) { differs = differs | static_cast<unsigned char>(given[i] ^ secret[i]); }
  return differs == 0;
}

std::optional<uint32_t> function_of(std::string_view path) {
  constexpr std::string_view kCode = "/code?function=";
  if (!path.starts_with(kCode)) { return std::nullopt; }
  std::string_view digits = path.substr(kCode.size());
  std::optional<uint64_t> number = digits.size() <= 10 ? parse_u64(digits) : std::nullopt;
  return number && *number < UINT32_MAX ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

}  // namespace

Verdict judge_request(std::string_view head, const Access& access) {
  std::optional<Request> request = parse_request(head);
  if (!request) { return {400}; }
  if (request->host != access.address) { return {403}; }
  if (request->origin && *request->origin != "http://" + access.address) { return {403}; }
  std::string_view rest = request->target.substr(1), token = rest.substr(0, rest.find('/'));
  rest.remove_prefix(token.size());
  bool is_visit = same_secret(token, access.visit_token) && rest == "/";
  if (!is_visit && !same_secret(token, access.token)) { return {404}; }
  Verdict verdict{200};
  std::optional<uint32_t> function = function_of(rest);
  verdict.resource = is_visit             ? Resource::kVisit
                     : rest == "/"        ? Resource::kPage
                     : rest == "/profile" ? Resource::kProfile
                     : rest == "/alive"   ? Resource::kAlive
                     : rest == "/quit"    ? Resource::kQuit
                     : function           ? Resource::kCode
                                          : Resource::kNone;
  verdict.function = function.value_or(0);
  if (verdict.resource == Resource::kNone) { return {404}; }
  if (request->method != (verdict.resource == Resource::kQuit ? "POST" : "GET")) { return {405, verdict.resource}; }
  if (request->has_body) { return {413}; }
  return verdict;
}

Result<std::string> make_token() {
  uint8_t bytes[kTokenBytes];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    return Error::from_errno(errno, "cannot get random numbers");
  }
  return to_hex(bytes, sizeof bytes);
}

}  // namespace wick
