// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// With real sockets. tests/e2e/test_view.py has what clients may do wrong.

#include "serve/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/text.h"

namespace wick {
namespace {

constexpr uint64_t kMs = 1'000'000;

class ServerTest : public ::testing::Test {
 protected:
  void start(const Patience& patience) {
    server_.emplace(*Server::listen(0));
    thread_ = std::thread([this, patience] { end_ = server_->run(served_, stop_.get(), patience); });
  }
  void TearDown() override {
    ask_to_stop();
    if (thread_.joinable()) { thread_.join(); }
  }
  void ask_to_stop() {
    uint64_t one = 1;
    EXPECT_EQ(::write(stop_.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  ServeEnd end() {
    thread_.join();
    return end_;
  }

  Fd ask(const std::string& line) {
    const std::string& address = server_->access().address;
    Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(*parse_u64(address.substr(address.find(':') + 1))));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd.get(), reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    std::string text = line + " HTTP/1.1\r\nHost: " + address + "\r\n\r\n";
    EXPECT_EQ(::send(fd.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return fd;
  }
  std::string answer(const std::string& line) { return *read_fd(ask(line).get(), "answer"); }
  std::string path(const std::string& rest) { return "/" + server_->access().token + rest; }

  Fd stop_ = Fd(::eventfd(0, EFD_CLOEXEC));
  std::string large_ = std::string(20'000'000, 'x');
  Served served_{.page = {"<html>", "</html>"}, .profile = {"columns", large_}, .code = [](uint32_t function) {
                   return function == 3 ? std::optional<std::string>("{}") : std::nullopt;
                 }};
  std::optional<Server> server_;
  ServeEnd end_ = ServeEnd::kStopped;
  std::thread thread_;
};

TEST_F(ServerTest, Answers) {
  start({});
  std::string page = answer("GET " + path("/"));
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(page.ends_with("Content-Length: 13\r\n\r\n<html></html>"));
  for (const char* field : {"Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
                            "frame-ancestors 'none'", "Content-Type: text/html; charset=utf-8"}) {
    EXPECT_NE(page.find(field), std::string::npos) << field;
  }
  EXPECT_TRUE(answer("GET " + path("/profile")).ends_with("\r\n\r\ncolumns" + large_));
  EXPECT_TRUE(answer("GET " + path("/code?function=3")).ends_with("\r\n\r\n{}"));
  EXPECT_TRUE(answer("GET " + path("/code?function=4")).starts_with("HTTP/1.1 404 "));
  EXPECT_TRUE(answer("GET /").starts_with("HTTP/1.1 404 "));
}

TEST_F(ServerTest, AVisitLeadsToThePageOnce) {
  start({});
  std::string visit = "GET /" + server_->access().visit_token + "/";
  std::string first = answer(visit);
  EXPECT_TRUE(first.starts_with("HTTP/1.1 303 ")) << first;
  EXPECT_NE(first.find("\r\nLocation: " + path("/") + "\r\n"), std::string::npos);
  EXPECT_TRUE(answer(visit).starts_with("HTTP/1.1 404 "));
}

TEST_F(ServerTest, EndsWhenAsked) {
  start({});
  EXPECT_TRUE(answer("POST " + path("/quit")).starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(end(), ServeEnd::kAsked);
}

TEST_F(ServerTest, EndsWhenStopped) {
  start({});
  Fd page = ask("GET " + path("/alive"));
  ask_to_stop();
  EXPECT_EQ(end(), ServeEnd::kStopped);
}

TEST_F(ServerTest, EndsWhenNobodyComes) {
  start({.first_page_ns = kMs, .last_page_ns = 3'600'000 * kMs});
  EXPECT_EQ(end(), ServeEnd::kNeverOpened);
}

// A page that was fetched without a stream (by curl, say) does not count.
TEST_F(ServerTest, EndsWhenTheLastPageIsGone) {
  start({.first_page_ns = 3'600'000 * kMs, .last_page_ns = kMs});
  answer("GET " + path("/"));
  Fd first = ask("GET " + path("/alive")), second = ask("GET " + path("/alive"));
  char byte = 0;
  while (byte != '\n' || ::recv(second.get(), &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0) {
    if (::recv(second.get(), &byte, 1, 0) <= 0) { break; }
  }
  first.reset();
  ::usleep(1'200'000);
  EXPECT_TRUE(answer("GET " + path("/")).starts_with("HTTP/1.1 200 ")) << "one page is still there";
  second.reset();
  EXPECT_EQ(end(), ServeEnd::kPagesGone);
}

TEST_F(ServerTest, SlowAndDeadClientsDelayNobody) {
  start({});
  Fd slow = ask("GET " + path("/profile"));
  { Fd killed = ask("GET " + path("/profile")); }
  std::vector<Fd> silent;
  for (int i = 0; i < 300; ++i) { silent.push_back(ask("GET /")); }
  EXPECT_TRUE(answer("GET " + path("/profile")).ends_with(large_));
}

TEST(Server, PortsInUse) {
  Server first = *Server::listen(0);
  const std::string& address = first.access().address;
  auto port = static_cast<uint16_t>(*parse_u64(address.substr(address.find(':') + 1)));
  Result<Server> second = Server::listen(port);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message(), "cannot listen on " + address + ": address already in use");
}

}  // namespace
}  // namespace wick
