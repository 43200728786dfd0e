// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/request.h"

#include <gtest/gtest.h>

#include <string>

namespace wick {
namespace {

TEST(Request, WhatBrowsersSend) {
  std::string head =
      "GET /abc/profile HTTP/1.1\r\nHost: 127.0.0.1:4711\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (\xc3\xa4)\r\n"
      "ORIGIN:\t http://127.0.0.1:4711 \r\nAccept:\r\n\r\n";
  EXPECT_EQ(find_request_end(head + "GET"), head.size());
  std::optional<Request> r = parse_request(head);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->method, "GET");
  EXPECT_EQ(r->target, "/abc/profile");
  EXPECT_EQ(r->host, "127.0.0.1:4711");
  EXPECT_EQ(r->origin, "http://127.0.0.1:4711");
  EXPECT_FALSE(r->has_body);
}

TEST(Request, Bodies) {
  auto has_body = [](const std::string& field) {
    std::optional<Request> r = parse_request("POST /x HTTP/1.1\r\nHost: h\r\n" + field + "\r\n\r\n");
    return r && r->has_body;
  };
  EXPECT_FALSE(has_body("Content-Length: 0"));
  EXPECT_TRUE(has_body("content-length: 1"));
  EXPECT_TRUE(has_body("Content-Length: 00"));
  EXPECT_TRUE(has_body("Content-Length: 0\r\nContent-Length: 5"));
  EXPECT_TRUE(has_body("Transfer-Encoding: chunked"));
}

TEST(Request, IncompleteHeads) {
  EXPECT_EQ(find_request_end(""), 0U);
  EXPECT_EQ(find_request_end("GET / HTTP/1.1\r\nHost: h\r\n"), 0U);
  EXPECT_EQ(find_request_end("GET / HTTP/1.1\n\n"), 0U);
}

TEST(Request, RefusesAnythingUnusual) {
  std::string long_head = "GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(kMostRequestBytes, 'x') + "\r\n\r\n";
  for (const std::string& head : {
           std::string(),
           std::string("\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\n\r\n"),  // no Host
           std::string("GET / HTTP/1.0\r\nHost: h\r\n\r\n"),
           std::string("GET / HTTP/2\r\nHost: h\r\n\r\n"),
           std::string("GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string("GET / x HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string(" GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string("GET http://h/ HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string("GET /\x01 HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string("GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n", 28),
           std::string("GET /\xff HTTP/1.1\r\nHost: h\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: h\r\nOrigin: a\r\nOrigin: a\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost : h\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n"),
           std::string("GET / HTTP/1.1\r\nHost: h\r\nX: a\nb\r\n\r\n"),
           std::string("GET / HTTP/1.1\nHost: h\n\n"),
           long_head,
       }) {
    EXPECT_FALSE(parse_request(head)) << head;
  }
}

}  // namespace
}  // namespace wick
