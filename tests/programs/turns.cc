// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// turns MODE LEVELS SECONDS [THREADS]: two function families, Red and Blue, take turns on one stack and never call each other.
// The leftovers of one family on the stack look like live frames to a profiler that guesses: the same sizes and places, and
// real return addresses. Every stack is   main > take_turns > root<F> > LEVELS frames of the mode, all of family F > burn
// tests/e2e/test_true_stacks.py has the table of valid callers. Functions are numbered consecutively, which reveals skipped
// levels.
//   equal     frames of the same size, direct calls
//   unequal   frames of different sizes, mostly unwritten
//   virtual   through vtables
//   pointers  through changing function pointers
//   nest      each level is its own function template
//   tail      through a tail call shared by both families
//   random    at random depths up to LEVELS
//   every     work at every level, on the way down and back
//   throws    Red ends in an exception that root<Red> catches, Blue does not
//   same, alt a timer interrupts both: a handler on this stack or on an alternate one calls a third family, Green
//   contexts  stacks switched with swapcontext: one per family and one for both; they start at own_context or shared_context
//   bare      through functions without unwind tables or frame pointers (turns_bare.c, -DBARE); their callers have frame pointers
//   list      the same, with a list of {next, function} in the frame pointer register, which looks like a list of frames

#include <pthread.h>
#include <sys/time.h>
#include <ucontext.h>

#include <csignal>
#include <stdexcept>
#include <type_traits>

#include "work.h"

// A fifth of a millisecond: several turns between two samples, and between a sample and a late look at the stack.
constexpr long kWork = 150000;
constexpr int kCycle = 5;

struct Red {
  static constexpr int kSizes[kCycle] = {40, 312, 120, 600, 88};
  static constexpr bool kThrows = true;
};
struct Blue {
  static constexpr int kSizes[kCycle] = {520, 200, 24, 424, 176};
  static constexpr bool kThrows = false;
};
struct Green {
  static constexpr int kSizes[kCycle] = {64, 160, 32, 96, 48};
  static constexpr bool kThrows = false;
};

struct Equal { template <class> static constexpr int size(int) { return 200; } };
struct Unequal { template <class F> static constexpr int size(int i) { return F::kSizes[i]; } };
struct Every : Equal {};
struct Yielding : Unequal {};

thread_local uint64_t random_state = 88172645463325252ull;
uint64_t next_random() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

KEEP void yield_turn();

// Writes one byte of the frame; the rest keeps its old contents.
#define PAD(size)           \
  volatile char pad[size];  \
  pad[left % (size)] = static_cast<char>(left)
#define UNPAD sink = sink + static_cast<uint64_t>(pad[left % sizeof pad])

template <class F, class Way, int I>
KEEP void step(long left) {
  PAD(Way::template size<F>(I));
  if constexpr (std::is_same_v<Way, Every>) { burn(4000); }
  if (left > 1) {
    step<F, Way, (I + 1) % kCycle>(left - 1);
  } else {
    burn(kWork);
    if constexpr (std::is_same_v<Way, Yielding>) { yield_turn(), burn(kWork); }
  }
  if constexpr (std::is_same_v<Way, Every>) { burn(4000); }
  UNPAD;
}

template <class F>
struct Node {
  virtual ~Node() = default;
  virtual void go(long left) = 0;
  Node* volatile next = nullptr;
};
template <class F, int I>
struct Link : Node<F> {
  KEEP void go(long left) override {
    PAD(200);
    if (left > 1) { this->next->go(left - 1); } else { burn(kWork); }
    UNPAD;
  }
};
template <class F>
struct Ring {
  Link<F, 0> a;
  Link<F, 1> b;
  Link<F, 2> c;
  Ring() {
    a.next = &b;
    b.next = &c;
    c.next = &a;
  }
};
template <class F>
KEEP void by_virtual(long left) {
  static Ring<F> ring;
  ring.c.next->go(left);
  sink = sink + 1;
}

using Step = void (*)(long);
template <class F>
struct Table { static volatile Step steps[3]; };
template <class F, int I>
KEEP void hop(long left) {
  PAD(200);
  if (left > 1) { Table<F>::steps[(left * 7 + I) % 3](left - 1); } else { burn(kWork); }
  UNPAD;
}
template <class F>
volatile Step Table<F>::steps[3] = {hop<F, 0>, hop<F, 1>, hop<F, 2>};

constexpr int kNest = 48;
template <class F, int N>
KEEP void nest(long left) {
  PAD(520);
  if constexpr (N > 1) { nest<F, N - 1>(left); } else { burn(kWork); }
  UNPAD;
}

// tail_from calls tail_shared, which both families call; the function it jumps to has tail_from's return address.
KEEP void tail_shared(Step next, long left) {
  sink = sink + 1;
  next(left);
}
template <class F>
KEEP void tail_to(long left);
template <class F>
KEEP void tail_from(long left) {
  PAD(200);
  if (left > 1) { tail_shared(tail_to<F>, left - 1); } else { burn(kWork); }
  UNPAD;
}
template <class F>
KEEP void tail_to(long left) {
  PAD(200);
  if (left > 1) { tail_shared(tail_from<F>, left - 1); } else { burn(kWork); }
  UNPAD;
}

template <class F>
struct Owned { KEEP ~Owned() { sink = sink + 1; } };
template <class F, int I>
KEEP void fall(long left) {
  PAD(160);
  Owned<F> owned;
  if (left > 1) {
    fall<F, (I + 1) % kCycle>(left - 1);
  } else {
    burn(kWork);
    if (F::kThrows) { throw std::runtime_error("down"); }
  }
  UNPAD;
}

// Frame pointers down to `ford`, then functions with neither unwind tables nor frame pointers, then `below`.
#ifdef BARE
struct Job {
  Step next;
  long left;
};
extern "C" void bare_first(const Job*), bare_list(const Job*);
bool with_list;
template <class F>
KEEP void below(long left) {
  PAD(200);
  burn(kWork);
  UNPAD;
}
template <class F>
KEEP void ford(long left) {
  PAD(120);
  Job job = {below<F>, left};
  if (with_list) { bare_list(&job); } else { bare_first(&job); }
  UNPAD;
}
template <class F, int I>
KEEP void wade(long left) {
  PAD(200);
  if (left > 1) { wade<F, (I + 1) % kCycle>(left - 1); } else { ford<F>(left); }
  UNPAD;
}
#endif

template <class F>
KEEP void root(Step first, long levels) {
  try {
    first(levels);
    sink = sink + 1;
  } catch (const std::runtime_error& e) { sink = sink + static_cast<unsigned char>(e.what()[0]); }
}

Step red_first, blue_first;
bool random_levels;
KEEP void take_turns(long levels, double seconds) {
  for (double end = thread_seconds() + seconds; thread_seconds() < end;) {
    for (int i = 0; i < 4; ++i) {
      long depth = random_levels ? 1 + static_cast<long>(next_random() % static_cast<uint64_t>(levels)) : levels;
      if (next_random() & 64) { root<Red>(red_first, depth); } else { root<Blue>(blue_first, depth); }
    }
  }
  sink = sink + 1;
}

long all_levels;
double all_seconds;
KEEP void* thread_main(void* arg) {
  random_state += static_cast<uint64_t>(pthread_self());
  take_turns(all_levels, all_seconds);
  sink = sink + 1;
  return arg;
}

KEEP void green_handler(int number_) {
  step<Green, Unequal, 0>(1 + static_cast<long>(next_random() % 20));
  sink = sink + static_cast<uint64_t>(number_);
}
void set_timer(bool alternate) {
  if (alternate) {
    stack_t stack = {};
    stack.ss_size = 1 << 18;
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
  }
  struct sigaction action = {};
  action.sa_handler = green_handler;
  action.sa_flags = SA_RESTART | (alternate ? SA_ONSTACK : 0);
  sigaction(SIGALRM, &action, nullptr);
  itimerval often = {{0, 1500}, {0, 1500}};
  setitimer(ITIMER_REAL, &often, nullptr);
}

ucontext_t scheduler, contexts[3];
int running;
long context_levels;
KEEP void yield_turn() {
  swapcontext(&contexts[running], &scheduler);
  sink = sink + 1;
}
template <class F>
KEEP void own_context() {
  for (;;) { root<F>(step<F, Yielding, 0>, context_levels); }
}
KEEP void shared_context() {
  for (;;) {
    root<Red>(step<Red, Yielding, 0>, context_levels);
    root<Blue>(step<Blue, Yielding, 0>, context_levels);
  }
}
KEEP void switch_stacks(long levels, double seconds) {
  context_levels = levels;
  void (*const begin[3])() = {own_context<Red>, own_context<Blue>, shared_context};
  for (int i = 0; i < 3; ++i) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_size = 4 << 20;
    contexts[i].uc_stack.ss_sp = malloc(contexts[i].uc_stack.ss_size);
    makecontext(&contexts[i], begin[i], 0);
  }
  for (double end = thread_seconds() + seconds; thread_seconds() < end;) {
    running = static_cast<int>(next_random() % 3);
    swapcontext(&scheduler, &contexts[running]);
  }
  sink = sink + 1;
}

struct Mode {
  const char* name;
  Step red, blue;
};
const Mode kModes[] = {
    {"equal", step<Red, Equal, 0>, step<Blue, Equal, 0>},
    {"unequal", step<Red, Unequal, 0>, step<Blue, Unequal, 0>},
    {"random", step<Red, Unequal, 0>, step<Blue, Unequal, 0>},
    {"every", step<Red, Every, 0>, step<Blue, Every, 0>},
    {"virtual", by_virtual<Red>, by_virtual<Blue>},
    {"pointers", hop<Red, 0>, hop<Blue, 0>},
    {"nest", nest<Red, kNest>, nest<Blue, kNest>},
    {"tail", tail_from<Red>, tail_from<Blue>},
    {"throws", fall<Red, 0>, fall<Blue, 0>},
    {"same", step<Red, Unequal, 0>, step<Blue, Unequal, 0>},
    {"alt", step<Red, Unequal, 0>, step<Blue, Unequal, 0>},
#ifdef BARE
    {"bare", wade<Red, 0>, wade<Blue, 0>},
    {"list", wade<Red, 0>, wade<Blue, 0>},
#endif
};

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "equal";
  all_levels = static_cast<long>(number(argc, argv, 2, 100));
  all_seconds = number(argc, argv, 3, 1);
  if (strcmp(mode, "contexts") == 0) {
    switch_stacks(all_levels, all_seconds);
    return 0;
  }
  for (const Mode& m : kModes) {
    if (strcmp(m.name, mode) == 0) { red_first = m.red, blue_first = m.blue; }
  }
  if (red_first == nullptr) { return 2; }
  random_levels = strcmp(mode, "random") == 0;
#ifdef BARE
  with_list = strcmp(mode, "list") == 0;
#endif
  if (strcmp(mode, "same") == 0 || strcmp(mode, "alt") == 0) { set_timer(mode[0] == 'a'); }
  pthread_t threads[64];
  int count = static_cast<int>(number(argc, argv, 4, 1));
  for (int i = 1; i < count; ++i) { pthread_create(&threads[i], nullptr, thread_main, nullptr); }
  take_turns(all_levels, all_seconds);
  for (int i = 1; i < count; ++i) { pthread_join(threads[i], nullptr); }
  return 0;
}
