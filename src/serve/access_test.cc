// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/access.h"

#include <gtest/gtest.h>

#include <set>

namespace wick {
namespace {

const Access kAccess{
    .address = "127.0.0.1:4711", .token = "0123456789abcdef0123456789abcdef", .visit_token = "fedcba9876543210fedcba9876543210"};

Verdict judge(const std::string& line, const std::string& fields = "", const std::string& host = kAccess.address) {
  return judge_request(line + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n", kAccess);
}
std::string path(const std::string& rest) { return "/" + kAccess.token + rest; }

TEST(Access, WhatThereIs) {
  EXPECT_EQ(kAccess.url(), "http://127.0.0.1:4711/0123456789abcdef0123456789abcdef/");
  for (auto [line, resource] : {std::pair("GET " + path("/"), Resource::kPage),
                                {"GET " + path("/profile"), Resource::kProfile},
                                {"GET " + path("/alive"), Resource::kAlive},
                                {"GET " + path("/code?function=12"), Resource::kCode},
                                {"POST " + path("/quit"), Resource::kQuit},
                                {"GET /" + kAccess.visit_token + "/", Resource::kVisit}}) {
    Verdict verdict = judge(line);
    EXPECT_EQ(verdict.status, 200) << line;
    EXPECT_EQ(verdict.resource, resource) << line;
  }
  EXPECT_EQ(judge("GET " + path("/code?function=12")).function, 12U);
  EXPECT_EQ(judge("GET " + path("/"), "Origin: http://127.0.0.1:4711\r\n").status, 200);
}

TEST(Access, NothingWithoutTheToken) {
  std::string wrong = kAccess.token;
  wrong.back() = '0';
  for (const std::string& target :
       {std::string("/"), std::string("//"), "/" + wrong + "/", "/" + kAccess.token.substr(1) + "/", "/" + kAccess.token + "0/",
        std::string("/profile"), std::string("/?") + kAccess.token, "/%30" + kAccess.token.substr(1) + "/",
        "/x/../" + kAccess.token + "/", "/" + kAccess.visit_token + "/profile", "/." + path("/")}) {
    EXPECT_EQ(judge("GET " + target).status, 404) << target;
    EXPECT_EQ(judge("POST " + target).status, 404) << target << ": allowed methods are not disclosed";
  }
}

TEST(Access, NoOtherPaths) {
  for (const char* rest :
       {"", "/..", "/../../../../etc/passwd", "/%2e%2e/etc/passwd", "/profile/", "//profile", "/./profile", "/profile?", "/?x",
        "/index.html", "/code", "/code?function=", "/code?function=-1", "/code?function=1x", "/code?function=4294967295",
        "/code?function=18446744073709551617", "/code?function=1&function=2"}) {
    EXPECT_EQ(judge("GET " + path(rest)).status, 404) << rest;
  }
}

TEST(Access, OtherMethodsAndBodies) {
  for (const char* method : {"HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get", "CONNECT"}) {
    EXPECT_EQ(judge(std::string(method) + " " + path("/")).status, 405) << method;
  }
  EXPECT_EQ(judge("GET " + path("/quit")).status, 405);
  EXPECT_EQ(judge("POST " + path("/quit"), "Content-Length: 5\r\n").status, 413);
  EXPECT_EQ(judge("GET " + path("/"), "Transfer-Encoding: chunked\r\n").status, 413);
}

TEST(Access, OtherHostsAndOrigins) {
  for (const char* host : {"evil.example", "localhost:4711", "127.0.0.1", "127.0.0.1:4712", "127.0.0.1:4711.evil.example", ""}) {
    EXPECT_EQ(judge("GET " + path("/"), "", host).status, 403) << host;
  }
  for (const char* origin :
       {"http://evil.example", "null", "", "https://127.0.0.1:4711", "http://127.0.0.1", "http://127.0.0.1:47110"}) {
    EXPECT_EQ(judge("POST " + path("/quit"), "Origin: " + std::string(origin) + "\r\n").status, 403) << origin;
  }
}

TEST(Access, AUsedVisitTokenIsNone) {
  Access used = kAccess;
  used.visit_token.clear();
  EXPECT_EQ(judge_request("GET // HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\r\n", used).status, 404);
  EXPECT_EQ(judge_request("GET /" + kAccess.visit_token + "/ HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\r\n", used).status, 404);
}

TEST(Access, TokensDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    std::string token = *make_token();
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 100U);
}

}  // namespace
}  // namespace wick
