// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/view_server.h"

#include <unistd.h>

#include <cstdlib>

#include "base/fd.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/messages.h"
#include "export/viewer_page.h"
#include "os/browser.h"
#include "os/stop_signals.h"
#include "serve/server.h"

namespace wick {
namespace {

// Over ssh the browser is on another machine: the port must be forwarded to it.
void print_ssh_hint(const std::string& address) {
  char host[256] = {};
  if (std::getenv("SSH_CONNECTION") == nullptr || ::gethostname(host, sizeof host - 1) != 0) { return; }
  std::string port = address.substr(address.rfind(':') + 1);
  std::fprintf(stderr, "hint: ssh -N -L %s:%s %s   (on the machine with the browser)\n", port.c_str(), address.c_str(),
               printable(host).c_str());
}

void open_browser(const Access& access) {
  Result<std::string> browser = find_browser();
  Status opened = browser.ok() ? open_in_browser(*browser, access.visit_url()) : Status(browser.error());
  if (opened.ok()) { return; }
  std::fprintf(stderr, "wick: open the URL in a browser (%s)\n", opened.error().message().c_str());
  print_ssh_hint(access.address);
}

Error explain_port(Error error, const ViewServerOptions& options) {
  return options.port == 0 ? error : std::move(error).context("--port").with_hint("wick view   (any free port)");
}

}  // namespace

Status serve_viewer(const ViewServerOptions& options, const std::function<Result<ViewerLoad>()>& load) {
  Result<Server> server = Server::listen(options.port);
  if (!server.ok()) { return explain_port(std::move(server).error(), options); }
  WICK_LET(ViewerLoad loaded, load());
  for (const std::string& warning : loaded.warnings) { std::fprintf(stderr, "warning: %s\n", printable(warning).c_str()); }
  WICK_LET(StopSignals signals, StopSignals::open());
  const Access& access = server->access();
  std::fprintf(options.url_to, "%s\nto end, close the page or press Ctrl-C\n", access.url().c_str());
  std::fflush(options.url_to);
  if (!options.no_open) { open_browser(access); }
  ViewerPage page = viewer_page();
  Served served{.page = {page.begin, page.end}, .profile = loaded.profile.pieces()};
  served.code = loaded.code;
  ServeEnd end = server->run(served, signals.fd());
  if (end == ServeEnd::kPagesGone) { std::fprintf(stderr, "wick: stopped because the page was closed\n"); }
  if (end == ServeEnd::kNeverOpened) { std::fprintf(stderr, "wick: stopped because the page was not opened\n"); }
  return ok_status();
}

int view_recording(const std::string& path, int code, int code_if_wick_fails) {
  ViewServerOptions options;
  options.url_to = stderr;  // standard output belongs to the target
  Status served = serve_viewer(options, [&]() -> Result<ViewerLoad> {
    WICK_OK(open_regular(path));  // reading a pipe would wait for a writer
    ViewRequest request;
    request.files = {path};
    return load_for_viewer(request);
  });
  return served.ok() ? code : fail(served.error(), code_if_wick_fails);
}

}  // namespace wick
