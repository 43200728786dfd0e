// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/demangle.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

namespace wick {
namespace {

TEST(Demangle, DemanglesCxx) {
  EXPECT_EQ(demangle("_Z3foov"), "foo()");
  EXPECT_EQ(demangle("_ZN3foo3barEiPKc"), "foo::bar(int, char const*)");
  EXPECT_EQ(demangle("_ZNSt6vectorIiSaIiEE9push_backERKi"), "std::vector<int, std::allocator<int> >::push_back(int const&)");
  EXPECT_EQ(demangle("_ZN12_GLOBAL__N_14workEv"), "(anonymous namespace)::work()");
  EXPECT_EQ(demangle("_ZN3Foo3barEi::{lambda at 10:41}::operator()"), "Foo::bar(int)::{lambda at 10:41}::operator()");
  EXPECT_EQ(demangle("_ZZ4mainENKUlvE_clEv"), "main::{lambda()#1}::operator()() const");
  EXPECT_EQ(demangle("_ZN3FooC2Ev"), "Foo::Foo()");
  EXPECT_EQ(demangle("_ZTv0_n24_N3FooD0Ev"), "virtual thunk to Foo::~Foo()");
}

TEST(Demangle, DropsReturnTypeOfTemplates) { EXPECT_EQ(demangle("_Z3maxIiET_S0_S0_"), "max<int>(int, int)"); }

TEST(Demangle, DemanglesRustLegacy) {
  EXPECT_EQ(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"), "core::fmt::Formatter::pad");
  EXPECT_EQ(demangle("_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE"),
            "<alloc::string::String as core::fmt::Display>::fmt");
  EXPECT_EQ(demangle("_ZN8closures4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"), "closures::main::{{closure}}");
  EXPECT_EQ(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE.llvm.7136894912345"), "core::fmt::Formatter::pad");
}

TEST(Demangle, DemanglesRustV0) {
  EXPECT_EQ(demangle("_RNvC6_123foo3bar"), "123foo::bar");
  EXPECT_EQ(demangle("_RNvCskwGfYPst2Cb_3foo16example_function"), "foo::example_function");
  EXPECT_EQ(demangle("_RINvNtC3std3mem8align_ofdE"), "std::mem::align_of::<f64>");
  EXPECT_EQ(demangle("_RNCNvC4main4work0"), "main::work::{closure#0}");
  EXPECT_EQ(demangle("_RNvC4maini3foo.llvm.123"), demangle("_RNvC4maini3foo"));
  EXPECT_EQ(demangle("_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y"),
            "utf8_idents::საჭმელად_გემრიელი_სადილი");
}

TEST(Demangle, RemovesCompilerSuffixes) {
  EXPECT_EQ(demangle("work.part.0"), "work");
  EXPECT_EQ(demangle("work.constprop.0.isra.12.cold"), "work");
  EXPECT_EQ(demangle("work.lto_priv.3"), "work");
  EXPECT_EQ(demangle("work.__uniq.123456789"), "work");
  EXPECT_EQ(demangle("work.localalias"), "work");
  EXPECT_EQ(demangle("_Z4workv.cold"), "work()");
  EXPECT_EQ(demangle("_Z4workv.hot"), "work()");
  EXPECT_EQ(demangle("_RNvC4main4work.cold"), "main::work");
  EXPECT_EQ(demangle("_Z4workv.part.0.cold"), "work()");
  EXPECT_EQ(demangle("_Z4workv.cold.7"), "work()");
}

TEST(Demangle, KeepsOtherSuffixes) {
  for (const char* name : {"work", "inner.0", "file.c", "a.b.1", ".cold", ".part.0", "part.0", "cold", "main.main.func1",
                           "x.llvm.", "x..1", "main.hot", "main.cold", "cache.warm", ""}) {
    EXPECT_EQ(demangle(name), name);
  }
}

TEST(Demangle, RemovesVersionsAndKeepsPlt) {
  EXPECT_EQ(demangle("memcpy@@GLIBC_2.14"), "memcpy");
  EXPECT_EQ(demangle("memcpy@GLIBC_2.2.5"), "memcpy");
  EXPECT_EQ(demangle("memcpy@plt"), "memcpy@plt");
  EXPECT_EQ(demangle("_ZdlPv@plt"), "operator delete(void*)@plt");
  EXPECT_EQ(demangle("@x"), "@x");
  // Names of generated code stay as their compiler wrote them.
  EXPECT_EQ(demangle("JS:*f /x/node_modules/@y/z.js:1:2"), "JS:*f /x/node_modules/@y/z.js:1:2");
  EXPECT_EQ(demangle("py::f:/x/@y/z.py"), "py::f:/x/@y/z.py");
}

TEST(Demangle, KeepsKernelModules) {
  EXPECT_EQ(demangle("ext4_map_blocks [ext4]"), "ext4_map_blocks [ext4]");
  EXPECT_EQ(demangle("ext4_map_blocks.isra.0 [ext4]"), "ext4_map_blocks [ext4]");
}

TEST(Demangle, KeepsUnmangledNames) {
  for (const char* name : {"main", "_start", "__libc_start_main", "_Zfoo", "_Z", "_R", "_RR", "_ZN", "_ZN3fooE3", "a b c",
                           "\xff\xfe", "[unknown]"}) {
    EXPECT_EQ(demangle(name), name);
  }
  EXPECT_EQ(demangle(std::string_view("_Z3fo\0v", 7)), std::string("_Z3fo\0v", 7));
}

TEST(Demangle, DemanglesLongTemplateNames) {
  // Longer than libiberty's own limit of 1024 characters.
  std::string name = "_ZN", want;
  for (int i = 0; i < 120; ++i) {
    name += "9namespace";
    want += "namespace::";
  }
  EXPECT_EQ(demangle(name + "4workEv"), want + "work()");
}

// Runs on a thread with the default stack size under an "unlimited" limit.
void on_small_stack(std::function<void()> body) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, size_t{2} << 20);
  pthread_t thread;
  auto start = [](void* f) -> void* {
    (*static_cast<std::function<void()>*>(f))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attr, start, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attr);
}

std::string repeat(std::string_view text, size_t times) {
  std::string out;
  while (times-- > 0) { out += text; }
  return out;
}

TEST(Demangle, HandlesDeepNesting) {
  on_small_stack([] {
    for (size_t size : {size_t{900}, size_t{1100}, size_t{4000}, size_t{4090}, size_t{100000}}) {
      for (const char* part : {"P",  "R", "K", "I",  "N",  "1a", "Z", "S_", "F", "A_", "T_",
                               "Dp", "X", "L", "cl", "sr", "M",  "U", "E",  "v", "_",  "1"}) {
        std::string deep = repeat(part, size / std::string_view(part).size());
        for (const char* head : {"_Z", "_Z1f", "_ZN", "_Z1fI", "_RNv", "_RI", "_R", "_ZTI", "_Z1fIXcl", "_RNvMC0"}) {
          EXPECT_GE(demangle(head + deep).size(), 1u);
          EXPECT_GE(demangle(head + deep + "E").size(), 1u);
        }
      }
    }
  });
}

TEST(Demangle, KeepsExplosiveNamesMangled) {
  // Each level refers to the previous one twice: 2^n parts of output.
  auto explosive_cxx = [](int levels) {
    std::string name = "_Z1fSt4pairI1aS0_E";
    const char* digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (int i = 1; i < levels; ++i) {
      std::string before = std::string("S") + digits[i % 36] + "_";
      name += "S_I" + before + before + "E";
    }
    return name;
  };
  EXPECT_EQ(demangle("_Z1fSt4pairI1aS0_E"), "f(std::pair<a, a>)");
  EXPECT_GT(demangle(explosive_cxx(9)).size(), 10000u) << "large, but still readable";
  EXPECT_LT(explosive_cxx(35).size(), 400u);
  for (int levels : {30, 35}) {
    std::string name = explosive_cxx(levels);
    EXPECT_EQ(demangle(name), name) << "would expand to gigabytes";
  }
  // Rust v0: nested tuples, each of two back references to the previous one (positions in base 62 after the "_R").
  auto base62 = [](size_t n) {
    const char* digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (n == 0) { return std::string("_"); }
    --n;
    std::string out;
    do {
      out.insert(out.begin(), digits[n % 62]);
      n /= 62;
    } while (n != 0);
    return out + "_";
  };
  auto explosive_rust = [&](int levels) {
    std::string name = "_RINvC1a1b", inner = "TuuE";
    size_t at = name.size() - 2;
    name += inner;
    for (int i = 0; i < levels; ++i) {
      size_t here = name.size() - 2;
      name += "TB" + base62(at) + "B" + base62(at) + "E";
      at = here;
    }
    return name + "E";
  };
  EXPECT_EQ(demangle(explosive_rust(1)), "a::b::<((), ()), (((), ()), ((), ()))>");
  std::string name = explosive_rust(60);
  EXPECT_EQ(demangle(name), name);
}

TEST(ShownFunction, InEachStyle) {
  struct {
    const char *linked, *full, *brief;
  } const cases[] = {
      // gcc and clang
      {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back(int const&)",
       "std::vector::push_back"},
      {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
       "std::operator<< <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)",
       "std::operator<<"},
      {"_ZNKSt10shared_ptrIiEptEv", "std::shared_ptr<int>::operator->() const", "std::shared_ptr::operator->"},
      {"_ZltIiEbRK1TIT_ES4_", "operator< <int>(T<int> const&, T<int> const&)", "operator<"},
      {"_ZNK3FoocvbEv", "Foo::operator bool() const", "Foo::operator bool"},
      {"_ZZ4mainENKUliE_clEi.part.0", "main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
      {"_ZZN4wick4openERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEENKUlvE_clEv",
       "wick::open(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > "
       "const&)::{lambda()#1}::operator()() "
       "const",
       "wick::open::{lambda()#1}::operator()"},
      {"_ZTv0_n24_N3FooIiED0Ev", "virtual thunk to Foo<int>::~Foo()", "virtual thunk to Foo::~Foo"},
      {"_ZN12_GLOBAL__N_14workEi", "(anonymous namespace)::work(int)", "(anonymous namespace)::work"},
      {"_ZNSt7__cxx119to_stringB5cxx11Ei", "std::__cxx11::to_string[abi:cxx11](int)", "std::__cxx11::to_string"},
      // Rust, legacy and v0
      {"_ZN95_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..iter..traits..collect..FromIterator$LT$T$GT$$GT$9from_"
       "iter17h0123456789abcdefE",
       "<alloc::vec::Vec<T> as core::iter::traits::collect::FromIterator<T>>::from_iter",
       "<alloc::vec::Vec as core::iter::traits::collect::FromIterator>::from_iter"},
      {"_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
       "core::ptr::drop_in_place<alloc::string::String>", "core::ptr::drop_in_place"},
      {"_ZN3app7handler28_$u7b$$u7b$closure$u7d$$u7d$28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE",
       "app::handler::{{closure}}::{{closure}}", "app::handler::{{closure}}::{{closure}}"},
      {"_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>", "std::mem::align_of"},
      {"_RNCNvC4main4work0", "main::work::{closure#0}", "main::work::{closure#0}"},
      {"_RNvMNtC5alloc3vecINtB2_3VechE4push", "<alloc::vec::Vec<u8>>::push", "alloc::vec::Vec::push"},
      {"_RNvXNtC5alloc3vecINtB2_3VechENtNtC4core5clone5Clone5clone", "<alloc::vec::Vec<u8> as core::clone::Clone>::clone",
       "<alloc::vec::Vec as core::clone::Clone>::clone"},
      // neither
      {"main", "main", "main"},
      {"main.(*Parser).next", "main.(*Parser).next", "main.(*Parser).next"},
      {"ext4_map_blocks.isra.0 [ext4]", "ext4_map_blocks [ext4]", "ext4_map_blocks [ext4]"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(shown_function(c.linked, NameStyle::kFull), c.full);
    EXPECT_EQ(shown_function(c.linked, NameStyle::kShort), c.brief);
    EXPECT_EQ(shown_function(c.linked, NameStyle::kRaw), c.linked);
  }
}

}  // namespace
}  // namespace wick
