// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/screen.h"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <ncurses.h>
// After it: it declares what these use.
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <term.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/utf8.h"

namespace wick::tui {
namespace {

volatile sig_atomic_t has_to_stop = 0;  // Ctrl-Z was pressed
void note_stop(int) { has_to_stop = 1; }

constexpr int kEscapeDelayMs = 25;
constexpr size_t kMostInputs = 1000;  // for one drawing

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// A locale that is not installed still says what the terminal shows.
bool set_locale() {
  if (std::setlocale(LC_CTYPE, "") == nullptr && detect_style(STDOUT_FILENO).unicode) { std::setlocale(LC_CTYPE, "C.UTF-8"); }
  return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
}

int basic_color(Fill::Basic basic) {
  switch (basic) {
    case Fill::Basic::kRed: return COLOR_RED;
    case Fill::Basic::kGreen: return COLOR_GREEN;
    case Fill::Basic::kYellow: return COLOR_YELLOW;
    case Fill::Basic::kBlue: return COLOR_BLUE;
    case Fill::Basic::kMagenta: return COLOR_MAGENTA;
    case Fill::Basic::kCyan: return COLOR_CYAN;
    case Fill::Basic::kGray: return COLOR_WHITE;
    case Fill::Basic::kNone: break;
  }
  return -1;
}

struct Painted {
  attr_t attributes = A_NORMAL;
  int foreground = -1, background = -1;
};

Painted painted(const Look& look, bool colors, int available) {
  Painted p;
  switch (look.paint) {
    case Paint::kPlain: break;
    case Paint::kBold: p.attributes |= A_BOLD; break;
    case Paint::kDim: p.attributes |= A_DIM; break;
    case Paint::kHot:
    case Paint::kGrew:
      p.attributes |= A_BOLD;
      p.foreground = COLOR_RED;
      break;
    case Paint::kWarm:
    case Paint::kWarning: p.foreground = COLOR_YELLOW; break;
    case Paint::kGood: p.foreground = COLOR_GREEN; break;
    case Paint::kBad: p.foreground = COLOR_RED; break;
    case Paint::kShrank:
      p.attributes |= A_BOLD;
      p.foreground = COLOR_BLUE;
      break;
  }
  if (look.bold) { p.attributes |= A_BOLD; }
  if (look.reverse) { p.attributes |= A_REVERSE; }
  if (look.underline) { p.attributes |= A_UNDERLINE; }
  if (look.fill.basic != Fill::Basic::kNone) {
    p.background = available >= 256 ? nearest_color(look.fill.rgb) : basic_color(look.fill.basic);
    p.foreground = available >= 256 ? 16 : COLOR_BLACK;
    p.attributes &= ~static_cast<attr_t>(A_DIM);
    if (available < 256) { p.attributes &= ~static_cast<attr_t>(A_BOLD); }  // it would turn black into gray
  }
  if (!colors) { p.foreground = p.background = -1; }
  return p;
}

}  // namespace

struct Screen::Terminal {
  SCREEN* screen = nullptr;
  std::FILE* keyboard = nullptr;  // null: standard input
  bool unicode = false, colors = false, has_signals = false;
  int alt_left = 0, alt_right = 0;
  // SIGTSTP and SIGWINCH are delivered only while waiting for a key, so that none is missed just before. os/stop_signals.h does
  // not serve here: the screen has to be given back before the program is suspended, and drawn again afterwards.
  Fd ends;  // readable after a signal that ends the program
  sigset_t mask_before{}, waiting{};
  struct sigaction stop_before{};
  bool interrupted = false;
  std::function<void(bool)> suspend;

  int keyboard_fd() const { return keyboard != nullptr ? ::fileno(keyboard) : STDIN_FILENO; }

  ~Terminal() {
    if (screen != nullptr) {
      set_mouse_motion(false);
      ::endwin();
      ::delscreen(screen);
    }
    if (keyboard != nullptr) { std::fclose(keyboard); }
    if (has_signals) {
      for (signalfd_siginfo seen; ends && ::read(ends.get(), &seen, sizeof seen) > 0;) {}  // they have had their effect
      ::sigaction(SIGTSTP, &stop_before, nullptr);
      ::sigprocmask(SIG_SETMASK, &mask_before, nullptr);
    }
  }

  // Not left to ncurses, which knows nothing of set_mouse_motion() and of a size that changes meanwhile.
  Status catch_signals() {
    has_signals = true;
    ::sigprocmask(SIG_SETMASK, nullptr, &mask_before);
    sigset_t ending, blocked;
    ::sigemptyset(&ending);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) { ::sigaddset(&ending, number); }
    blocked = ending;
    ::sigaddset(&blocked, SIGTSTP);
    ::sigaddset(&blocked, SIGWINCH);
    ::sigprocmask(SIG_BLOCK, &blocked, nullptr);
    ::sigprocmask(SIG_SETMASK, nullptr, &waiting);
    ::sigdelset(&waiting, SIGTSTP);
    ::sigdelset(&waiting, SIGWINCH);
    ends = Fd(::signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!ends) { return Error::from_errno(errno, "cannot watch for signals"); }
    struct sigaction action{};
    action.sa_handler = note_stop;
    ::sigaction(SIGTSTP, &action, &stop_before);
    return ok_status();
  }
  void stop() {
    has_to_stop = 0;
    if (suspend) { suspend(true); }
    set_mouse_motion(false);
    ::endwin();
    struct sigaction action{};
    action.sa_handler = SIG_DFL;
    struct sigaction own{};
    ::sigaction(SIGTSTP, &action, &own);
    sigset_t now;
    ::sigemptyset(&now);
    ::sigaddset(&now, SIGTSTP);
    ::raise(SIGTSTP);
    ::sigprocmask(SIG_UNBLOCK, &now, nullptr);  // stops here
    ::sigprocmask(SIG_BLOCK, &now, nullptr);
    ::sigaction(SIGTSTP, &own, nullptr);
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
      ::resizeterm(size.ws_row, size.ws_col);
    }
    ::wrefresh(::stdscr);
    ::clearok(::curscr, TRUE);
    set_mouse_motion(true);
    if (suspend) { suspend(false); }
  }

  // ncurses asks for clicks only.
  void set_mouse_motion(bool on) {
    const char* mouse = ::tigetstr("kmous");
    if (mouse == nullptr || mouse == reinterpret_cast<const char*>(-1)) { return; }
    std::fputs(on ? "\x1b[?1002h" : "\x1b[?1002l", stdout);
    std::fflush(stdout);
  }

  // A terminal may send sequences that its description does not have, as cursor keys have two codes, and more with Shift or Ctrl.
  // Character by character they would be keys of wick.
  std::optional<Input> read_sequence() {
    wint_t code = 0;
    int got = ::wget_wch(::stdscr, &code);
    if (got != OK || (code != '[' && code != 'O')) {
      if (got != ERR) { got == OK ? ::unget_wch(static_cast<wchar_t>(code)) : ::ungetch(static_cast<int>(code)); }
      return Input{.key = key::kEscape};
    }
    while ((got = ::wget_wch(::stdscr, &code)) == OK && code >= ' ' && code < '@') {}
    if (got == KEY_CODE_YES) { ::ungetch(static_cast<int>(code)); }
    if (got != OK) { return {}; }
    switch (code) {
      case 'A': return Input{.key = key::kUp};
      case 'B': return Input{.key = key::kDown};
      case 'C': return Input{.key = key::kRight};
      case 'D': return Input{.key = key::kLeft};
      case 'H': return Input{.key = key::kHome};
      case 'F': return Input{.key = key::kEnd};
      default: return {};
    }
  }

  // Pressing and releasing within one read is a click for ncurses.
  void read_mouse(std::vector<Input>& inputs) {
    MEVENT event;
    if (::getmouse(&event) != OK) { return; }
    using What = Mouse::What;
    auto add = [&](What what) { inputs.push_back({.kind = Input::Kind::kMouse, .mouse = {what, event.x, event.y}}); };
    int clicks = event.bstate & BUTTON1_TRIPLE_CLICKED   ? 3
                 : event.bstate & BUTTON1_DOUBLE_CLICKED ? 2
                 : event.bstate & BUTTON1_CLICKED        ? 1
                                                         : 0;
    for (; clicks > 0; --clicks) {
      add(What::kPress);
      add(What::kRelease);
    }
    if (event.bstate & BUTTON4_PRESSED) { add(What::kWheelUp); }
    if (event.bstate & BUTTON5_PRESSED) { add(What::kWheelDown); }
    if (event.bstate & BUTTON1_PRESSED) { add(What::kPress); }
    if (event.bstate & REPORT_MOUSE_POSITION) { add(What::kDrag); }
    if (event.bstate & BUTTON1_RELEASED) { add(What::kRelease); }
  }

  std::optional<Input> understand(wint_t code, bool is_special) {
    if (code == key::kEscape && !is_special) { return read_sequence(); }
    if (!is_special) { return Input{.key = static_cast<Key>(code)}; }
    if (static_cast<int>(code) == alt_left) { return Input{.key = key::kAltLeft}; }
    if (static_cast<int>(code) == alt_right) { return Input{.key = key::kAltRight}; }
    switch (code) {
      case KEY_RESIZE: return Input{.kind = Input::Kind::kResize};
      case KEY_UP: return Input{.key = key::kUp};
      case KEY_DOWN: return Input{.key = key::kDown};
      case KEY_LEFT: return Input{.key = key::kLeft};
      case KEY_RIGHT: return Input{.key = key::kRight};
      case KEY_PPAGE: return Input{.key = key::kPageUp};
      case KEY_NPAGE: return Input{.key = key::kPageDown};
      case KEY_HOME: return Input{.key = key::kHome};
      case KEY_END: return Input{.key = key::kEnd};
      case KEY_BTAB: return Input{.key = key::kBackTab};
      case KEY_DC: return Input{.key = key::kDelete};
      case KEY_BACKSPACE: return Input{.key = key::kBackspace};
      case KEY_ENTER: return Input{.key = key::kEnter};
      default: return {};
    }
  }
};

Status check_terminal() {
  if (::isatty(STDOUT_FILENO) != 1) { return Error("standard output is not a terminal").with_code(Errc::kUsage); }
  std::string_view term = environment("TERM");
  if (term.empty() || term == "dumb") {
    return Error("this terminal cannot show a screen (TERM=%s)", printable(term).c_str()).with_code(Errc::kUsage);
  }
  return ok_status();
}

Screen::Screen(std::unique_ptr<Terminal> terminal) : terminal_(std::move(terminal)) {}
Screen::Screen(Screen&& other) noexcept = default;
Screen::~Screen() = default;

Result<Screen> Screen::open() {
  WICK_OK(check_terminal());
  auto terminal = std::make_unique<Terminal>();
  terminal->unicode = set_locale();
  if (::isatty(STDIN_FILENO) != 1) {  // it was the profile
    terminal->keyboard = std::fopen("/dev/tty", "r");
    if (terminal->keyboard == nullptr) {
      return Error::from_errno(errno, "cannot read the keyboard (/dev/tty)").with_code(Errc::kUsage);
    }
  }
  WICK_OK(terminal->catch_signals());
  std::FILE* in = terminal->keyboard != nullptr ? terminal->keyboard : stdin;
  // Nearly all terminals whose description is not installed here understand xterm's sequences.
  for (const char* type : {static_cast<const char*>(nullptr), "xterm-256color", "xterm"}) {
    terminal->screen = ::newterm(type, stdout, in);
    if (terminal->screen != nullptr) { break; }
  }
  const char* move = terminal->screen != nullptr ? ::tigetstr("cup") : nullptr;
  if (move == nullptr || move == reinterpret_cast<const char*>(-1)) {
    return Error("this terminal cannot show a screen (TERM=%s)", printable(environment("TERM")).c_str()).with_code(Errc::kUsage);
  }
  ::set_term(terminal->screen);
  ::cbreak();
  ::noqiflush();  // with Ctrl-Z and Ctrl-C the kernel would discard what restores the terminal
  ::noecho();
  ::nonl();
  ::keypad(::stdscr, TRUE);
  ::nodelay(::stdscr, TRUE);
  ::set_escdelay(kEscapeDelayMs);
  ::curs_set(0);
  ::mousemask(ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION, nullptr);
  ::mouseinterval(0);
  terminal->set_mouse_motion(true);
  for (auto [name, code] : {std::pair("kLFT3", &terminal->alt_left), std::pair("kRIT3", &terminal->alt_right)}) {
    const char* sequence = ::tigetstr(name);
    bool is_known = sequence != nullptr && sequence != reinterpret_cast<const char*>(-1);
    *code = is_known ? std::max(::key_defined(sequence), 0) : 0;
  }
  terminal->colors = environment("NO_COLOR").empty() && ::has_colors();
  if (terminal->colors) {
    ::start_color();
    ::use_default_colors();
  }
  return Screen(std::move(terminal));
}

Size Screen::size() const { return {getmaxx(::stdscr), getmaxy(::stdscr)}; }
bool Screen::unicode() const { return terminal_->unicode; }
bool Screen::colors() const { return terminal_->colors; }

void Screen::show(const Grid& grid) {
  ::werase(::stdscr);
  Look last;
  Painted now = painted(last, terminal_->colors, ::COLORS);
  int pair = 0;
  bool has_pair = false;
  for (int y = 0; y < std::min(grid.height(), size().height); ++y) {
    for (int x = 0; x < std::min(grid.width(), size().width); ++x) {
      const GridCell& cell = grid.at(x, y);
      if (cell.text == 0) { continue; }
      if (!has_pair || !(cell.look == last)) {
        last = cell.look;
        now = painted(last, terminal_->colors, ::COLORS);
        pair = now.foreground < 0 && now.background < 0 ? 0 : std::max(::alloc_pair(now.foreground, now.background), 0);
        has_pair = true;
      }
      // What the C library counts differently would shift the rest of the line.
      bool fits = ::wcwidth(static_cast<wchar_t>(cell.text)) == display_width(cell.text);
      wchar_t text[2] = {fits ? static_cast<wchar_t>(cell.text) : L'?', 0};
      cchar_t painted_cell;
      if (::setcchar(&painted_cell, text, now.attributes, 0, &pair) == OK) { ::mvwadd_wch(::stdscr, y, x, &painted_cell); }
    }
  }
  ::wrefresh(::stdscr);
}

void Screen::say(std::string_view text) {
  int row = size().height - 1;
  if (row < 0) { return; }
  ::wattr_set(::stdscr, A_REVERSE, 0, nullptr);
  ::mvwaddnstr(::stdscr, row, 0, std::string(text).c_str(), size().width);
  ::wattr_set(::stdscr, A_NORMAL, 0, nullptr);
  ::wrefresh(::stdscr);
}

void Screen::redraw() { ::clearok(::curscr, TRUE); }

bool Screen::was_interrupted() const { return terminal_->interrupted; }
void Screen::set_suspend(std::function<void(bool)> suspend) { terminal_->suspend = std::move(suspend); }

std::optional<std::vector<Input>> Screen::wait(uint64_t timeout_ns) {
  constexpr uint64_t kSecond = 1'000'000'000;
  uint64_t end_ns = timeout_ns == UINT64_MAX ? UINT64_MAX : now_ns() + timeout_ns;
  for (;;) {
    std::vector<Input> inputs;
    wint_t code = 0;
    for (int got; inputs.size() < kMostInputs && (got = ::wget_wch(::stdscr, &code)) != ERR;) {
      bool is_special = got == KEY_CODE_YES;
      if (is_special && code == KEY_MOUSE) {
        terminal_->read_mouse(inputs);
      } else if (std::optional<Input> input = terminal_->understand(code, is_special)) {
        inputs.push_back(*input);
      }
    }
    if (!inputs.empty()) { return inputs; }
    pollfd fds[] = {{terminal_->keyboard_fd(), POLLIN, 0}, {terminal_->ends.get(), POLLIN, 0}};
    uint64_t left = end_ns - std::min(now_ns(), end_ns);
    timespec timeout{static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
    int ready = ::ppoll(fds, 2, end_ns == UINT64_MAX ? nullptr : &timeout, &terminal_->waiting);
    if (ready < 0 && errno != EINTR) { return {}; }
    if (has_to_stop != 0) {
      terminal_->stop();
      return std::vector<Input>{{.kind = Input::Kind::kResize}};
    }
    if (ready < 0) { continue; }  // the size has changed
    if (ready == 0) { return std::vector<Input>(); }
    if (fds[1].revents != 0) {
      signalfd_siginfo seen{};
      bool is_read = ::read(terminal_->ends.get(), &seen, sizeof seen) == sizeof seen;
      terminal_->interrupted = is_read && seen.ssi_signo == SIGINT && seen.ssi_code == SI_KERNEL;
      return {};
    }
    if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) { return {}; }
  }
}

int nearest_color(Rgb c) {
  static constexpr int kLevels[] = {0, 95, 135, 175, 215, 255};
  auto nearest_level = [](int v) {
    int best = 0;
    for (int i = 1; i < 6; ++i) {
      if (std::abs(kLevels[i] - v) < std::abs(kLevels[best] - v)) { best = i; }
    }
    return best;
  };
  auto distance = [&](int r, int g, int b) { return (r - c.r) * (r - c.r) + (g - c.g) * (g - c.g) + (b - c.b) * (b - c.b); };
  int r = nearest_level(c.r), g = nearest_level(c.g), b = nearest_level(c.b);
  int gray = std::clamp(((c.r + c.g + c.b) / 3 - 8 + 5) / 10, 0, 23), value = 8 + 10 * gray;
  bool is_gray = distance(value, value, value) < distance(kLevels[r], kLevels[g], kLevels[b]);
  return is_gray ? 232 + gray : 16 + 36 * r + 6 * g + b;
}

}  // namespace wick::tui
