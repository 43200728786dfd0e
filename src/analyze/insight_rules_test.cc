// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/insight_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/testing.h"

namespace wick {
namespace {

// The rules that a function's name matches, "own" if it is code of the program, sorted.
std::set<std::string> matches(std::string_view name, std::string_view module = "/usr/bin/app", bool kernel = false) {
  ProfileBuilder b;
  FunctionId f = b.function(name, {}, b.module(module, {}, kernel));
  ThreadId t = b.add_thread(b.add_process(1, "app"), 1, "app");
  b.add_sample({.thread = t, .stack = b.stack(b.frame({.function = f}), {}), .event = b.event("cpu-clock", "ns"), .weight = 1});
  Profile profile = std::move(b).build();
  ClassifiedFunctions c = classify_functions(profile);
  std::set<std::string> out;
  for (size_t i = 0; i < insight_rules().size(); ++i) {
    if ((c.rules[f.value] >> i & 1) != 0) { out.insert(std::string(insight_rules()[i].id)); }
  }
  if (c.own[f.value]) { out.insert("own"); }
  return out;
}
using Names = std::set<std::string>;

TEST(InsightRules, HaveUniqueIdsAndThresholds) {
  std::set<std::string_view> ids;
  for (const InsightRule& rule : insight_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_GE(rule.least_share, 0.05) << rule.id;
    EXPECT_FALSE(rule.title.empty() || rule.advice.empty()) << rule.id;
  }
}

TEST(InsightRules, NamesAsCompared) {
  const std::pair<const char*, const char*> kCases[] = {
      {"void std::sort<int*>(int*, int*)", "std::sort"},
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::_M_append(char const*, unsigned long)",
       "std::basic_string::_M_append"},
      {"std::__1::vector<int, std::__1::allocator<int>>::__push_back_slow_path<int>(int&&)",
          "std::vector::__push_back_slow_path"},
      {"operator new(unsigned long)@plt", "operator new"},
      {"operator new[](unsigned long)", "operator new[]"},
      {"__GI___printf_fp_l", "__printf_fp_l"},
      {"__GI___libc_write", "__libc_write"},
      {"malloc@plt", "malloc"},
      {"memcpy@@GLIBC_2.14", "memcpy"},
      {"msort_with_tmp.part.0", "msort_with_tmp"},
      {"_int_free.constprop.0.isra.0", "_int_free"},
      {"f(int) [clone .cold]", "f"},
      {"__rustc::__rdl_alloc", "__rdl_alloc"},
      {"__rustc[5224e6b81cd82a8f]::__rust_dealloc", "__rust_dealloc"},
      {"<alloc::raw_vec::RawVec<u8>>::grow_one", "alloc::raw_vec::RawVec::grow_one"},
      {"alloc::raw_vec::RawVec<T,A>::grow_one", "alloc::raw_vec::RawVec::grow_one"},
      {"runtime.memmove.abi0", "runtime.memmove"},
      {"internal/sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).lockSlow"},
      {"bool shop::average<double>(double)", "shop::average"},
      {"std::ostream& std::operator<< <char>(std::ostream&, char)", "std::operator<<"},
      {"T::operator bool() const", "T::operator bool"},
      {"non-virtual thunk to A::f(int)", "non-virtual thunk to A::f"},
      {"unsigned long (anonymous namespace)::f<int>(int)", "(anonymous namespace)::f"},
  };
  for (auto [full, want] : kCases) { EXPECT_EQ(insight_name(full), want) << full; }
  EXPECT_LE(insight_name(std::string(100'000, '<')).size(), 4096u);
}

TEST(InsightRules, Allocation) {
  for (const char* name :
       {"malloc", "cfree", "_int_malloc", "__libc_malloc", "calloc", "operator new(unsigned long)", "operator delete[](void*)",
        "__rustc::__rdl_alloc", "__rust_dealloc", "alloc::alloc::dealloc", "runtime.mallocgc", "runtime.mallocgcSmallNoscan",
        "je_malloc", "mi_malloc", "aligned_alloc", "posix_memalign", "tcache_get"}) {
    EXPECT_EQ(matches(name), Names{"allocation"}) << name;
  }
  EXPECT_EQ(matches("realloc"), (Names{"allocation", "growth"}));
  for (const char* name : {"my_malloc_stats", "shop::Arena::malloc(unsigned long)", "pool::malloc", "xmalloc_table",
      "freeze", "new_user",
                           "app::alloc::alloc", "Arena::operator()(int)", "main.malloc"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
}

TEST(InsightRules, Copying) {
  for (const char* name : {"memcpy", "__memmove_avx_unaligned_erms", "__memcpy_avx512_unaligned_erms", "__memcpy_generic",
                           "__memcpy_simd", "__memcpy_falkor", "__memmove_evex_unaligned_erms", "__memcpy_ssse3_back",
                               "memmove@plt",
                           "__memcpy_chk", "__GI_memcpy", "mempcpy", "strdup", "__strcpy_evex", "runtime.memmove",
                           "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
                               "<alloc::string::String as core::clone::Clone>::clone",
                           "alloc::slice::<impl [T]>::to_vec", "std::string::_M_assign(std::string const&)",
                           "std::__1::basic_string<char, std::__1::char_traits<char>>::append(char const*, unsigned long)"}) {
    EXPECT_EQ(matches(name), Names{"copying"}) << name;
  }
  for (const char* name : {"my_memcpy", "memcpy_stats", "shop::memcpy()", "copy_user", "app::Image::clone", "clone_repository",
                           "<app::Image as core::clone::Clone>::clone"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
}

TEST(InsightRules, Growth) {
  for (const char* name :
       {"void std::vector<int, std::allocator<int> >::_M_realloc_insert<int>(int*, int&&)",
        "void std::vector<std::string>::_M_realloc_append<char const (&) [2]>(char const (&) [2])",
        "std::__1::vector<int, std::__1::allocator<int>>::__push_back_slow_path<int>(int&&)",
        "alloc::raw_vec::RawVec<T,A>::grow_one", "<alloc::raw_vec::RawVec<u8>>::grow_one",
        "alloc::raw_vec::RawVecInner<A>::reserve::do_reserve_and_handle", "alloc::raw_vec::finish_grow", "runtime.growslice"}) {
    EXPECT_EQ(matches(name), Names{"growth"}) << name;
  }
  for (const char* name : {"grow", "app::Tree::grow_one", "reallocate_staff", "my::vector::_M_realloc_insert"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
}

TEST(InsightRules, Hashing) {
  for (const char* name :
       {"std::_Hash_bytes(void const*, unsigned long, unsigned long)",
        "std::_Hashtable<int, int, std::allocator<int> >::_M_rehash(unsigned long, unsigned long const&)",
        "std::__1::__hash_table<int>::__do_rehash<true>(unsigned long)",
            "<core::hash::sip::Hasher<S> as core::hash::Hasher>::write",
        "hashbrown::raw::RawTable<T,A>::reserve_rehash", "hashbrown::map::HashMap<app::Key,V,S,A>::insert",
        "std::collections::hash::map::HashMap<K,V,S>::entry", "core::hash::BuildHasher::hash_one",
        "<std::hash::random::DefaultHasher as core::hash::Hasher>::write", "runtime.mapaccess2_faststr", "runtime.memhash64",
        "aeshashbody"}) {
    EXPECT_EQ(matches(name), Names{"hashing"}) << name;
  }
  for (const char* name : {"rehash_password", "app::hash_password", "crypto_hash", "hashtag::parse", "app::hashbrown_like",
      "main.rehash"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
  // A program's own hash of its type is not known to be slow.
  EXPECT_TRUE(matches("<app::Key as core::hash::Hash>::hash").count("hashing"));
}

TEST(InsightRules, FormattingAndParsing) {
  for (const char* name : {"snprintf", "__vfprintf_internal", "__GI___printf_fp_l", "_IO_vfprintf", "__vsnprintf_internal",
      "__snprintf_chk",
                           "std::ostream& std::ostream::_M_insert<double>(double)", "std::to_string[abi:cxx11](int)",
                           "std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >("
                           "std::basic_ostream<char, std::char_traits<char> >&, char const*)",
                           "core::fmt::write", "core::fmt::num::imp::<impl core::fmt::Display for i32>::fmt",
                               "alloc::fmt::format",
                           "<alloc::string::String as core::fmt::Write>::write_str", "fmt.(*pp).doPrintf", "fmt.Sprintf",
                           "strconv.AppendInt", "internal/strconv.FormatFloat"}) {
    EXPECT_EQ(matches(name), Names{"formatting"}) << name;
  }
  for (const char* name : {"__GI_____strtod_l_internal", "strtol", "__isoc99_sscanf", "__vfscanf_internal", "atoi",
                           "std::istream& std::istream::_M_extract<double>(double&)",
                           "core::num::dec2flt::dec2flt", "core::num::<impl i32>::from_str_radix",
                           "<f64 as core::str::traits::FromStr>::from_str", "strconv.ParseFloat", "internal/strconv.Atoi",
                           "encoding/json.Unmarshal"}) {
    EXPECT_EQ(matches(name), Names{"parsing"}) << name;
  }
  for (const char* name : {"shop::formatter::format()", "format_disk", "print_usage", "main.formats", "app::fmt::write",
      "parse_config",
                           "json::parse(std::string const&)", "scan_fd", "strtodo"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
}

TEST(InsightRules, TextAndRegex) {
  for (const char* name : {"core::str::converts::from_utf8", "core::str::validations::run_utf8_validation", "mbstowcs", "mbrtowc",
                           "__gconv_transform_utf8_internal", "unicode/utf8.DecodeRune"}) {
    EXPECT_EQ(matches(name), Names{"utf8"}) << name;
  }
  for (const char* name : {"regcomp", "re_compile_internal", "std::__detail::_Compiler<std::regex_traits<char> >::_M_term()",
                           "std::__cxx11::basic_regex<char, std::regex_traits<char> >::_M_compile(char const*, char const*, int)",
                           "regex::regex::string::Regex::new", "regexp.MustCompile", "regexp/syntax.Parse", "pcre2_compile_8",
                           "re2::RE2::RE2(char const*)"}) {
    EXPECT_EQ(matches(name), Names{"regex-compile"}) << name;
  }
  for (const char* name : {"regex::compile()", "app::regex::Regex::new", "utf8::check(char const*)", "regexp_of_user",
      "compile"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
}

TEST(InsightRules, Sorting) {
  for (const char* name : {"qsort", "msort_with_tmp.part.0", "void std::__introsort_loop<int*, long>(int*, int*, long)",
                           "void std::sort<int*>(int*, int*)",
                               "void std::__1::__introsort<std::__1::_ClassicAlgPolicy>(int*, int*)",
                           "core::slice::sort::stable::driftsort_main", "core::slice::sort::unstable::quicksort::quicksort",
                           "alloc::slice::<impl [T]>::sort_by_key", "sort.pdqsort", "slices.pdqsortOrdered[go.shape.int]"}) {
    EXPECT_EQ(matches(name), Names{"sorting"}) << name;
  }
  for (const char* name : {"sort_order_lookup", "my::sort(int*)", "app::sort::quicksort", "sorted_vector::find", "main.sort"}) {
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
}

TEST(InsightRules, Locks) {
  for (const char* name : {"__lll_lock_wait", "std::sys::sync::mutex::futex::Mutex::lock_contended",
      "parking_lot::raw_mutex::RawMutex::lock_slow",
                           "sync.(*Mutex).lockSlow", "internal/sync.(*Mutex).lockSlow", "runtime.semacquire1"}) {
    EXPECT_TRUE(matches(name).count("lock-contention")) << name;
  }
  for (const char* name : {"__x64_sys_futex", "__arm64_sys_futex", "do_futex", "futex_wait"}) {
    EXPECT_TRUE(matches(name, "[kernel]", true).count("lock-contention")) << name;
    EXPECT_EQ(matches(name).count("lock-contention"), 0u) << name;  // a program's own function
  }
  for (const char* name : {"pthread_mutex_lock", "___pthread_mutex_lock", "__pthread_mutex_unlock_usercnt", "pthread_spin_lock",
                           "pthread_rwlock_rdlock", "std::sys::sync::mutex::futex::Mutex::lock", "sync.(*Mutex).Lock"}) {
    EXPECT_EQ(matches(name), Names{"locking"}) << name;
  }
  for (const char* name : {"lock_screen", "app::Mutex::lock", "futex_like"}) { EXPECT_EQ(matches(name), Names{"own"}) << name; }
}

TEST(InsightRules, Kernel) {
  for (const char* name : {"exc_page_fault", "asm_exc_page_fault", "handle_mm_fault", "do_page_fault", "el0_da",
      "do_mem_abort"}) {
    EXPECT_TRUE(matches(name, "[kernel]", true).count("page-faults")) << name;
  }
  for (const char* name : {"entry_SYSCALL_64_after_hwframe", "do_syscall_64", "el0_svc", "el0t_64_sync", "invoke_syscall"}) {
    EXPECT_TRUE(matches(name, "[kernel]", true).count("system-calls")) << name;
    EXPECT_EQ(matches(name), Names{"own"}) << name;
  }
  for (const char* name : {"__x64_sys_pread64", "__arm64_sys_write", "ksys_read"}) {
    EXPECT_TRUE(matches(name, "[kernel]", true).count("small-io")) << name;
  }
  EXPECT_EQ(matches("memcpy", "[kernel]", true), Names{});
}

TEST(InsightRules, RuntimesAndGlue) {
  for (const char* name : {"_Unwind_RaiseException", "_Unwind_Resume", "__cxa_throw", "__cxa_allocate_exception",
      "__gxx_personality_v0",
                           "std::panicking::rust_panic_with_hook", "rust_panic", "runtime.gopanic"}) {
    EXPECT_EQ(matches(name), Names{"exceptions"}) << name;
  }
  for (const char* name : {"_Unwind_Backtrace", "_Unwind_Find_FDE",
      "std::panic::catch_unwind"}) { EXPECT_EQ(matches(name), Names{}) << name; }
  for (const char* name : {"throw_dice", "app::exceptions::list",
      "unwind_spool"}) { EXPECT_EQ(matches(name), Names{"own"}) << name; }
  for (const char* name : {"memset", "__memset_avx512_unaligned_erms", "__memset_generic", "bzero",
      "runtime.memclrNoHeapPointers"}) {
    EXPECT_EQ(matches(name), Names{"clearing"}) << name;
  }
  for (const char* name : {"syslog", "__vsyslog_internal", "log.(*Logger).output", "log.Printf", "log/slog.Info"}) {
    EXPECT_EQ(matches(name), Names{"logging"}) << name;
  }
  for (const char* name : {"log_result", "app::log", "logarithm",
      "catalog.Print"}) { EXPECT_EQ(matches(name), Names{"own"}) << name; }
  for (const char* name : {"runtime.gcDrain", "runtime.scanobject", "runtime.gcBgMarkWorker", "runtime.(*sweepLocked).sweep"}) {
    EXPECT_EQ(matches(name), Names{"garbage-collection"}) << name;
  }
  for (const char* name : {"std::function<int (int)>::operator()(int) const",
                           "std::_Function_handler<int (int), int (*)(int)>::_M_invoke(std::_Any_data const&, int&&)",
                           "non-virtual thunk to A::f(int)", "core::ops::function::FnOnce::call_once{{vtable.shim}}"}) {
    EXPECT_TRUE(matches(name).count("call-glue")) << name;
  }
  for (const char* name :
       {"std::vector<int, std::allocator<int> >::operator[](unsigned long)",
        "__gnu_cxx::__normal_iterator<int*, std::vector<int> >::operator++()", "int&& std::forward<int>(int&)",
        "<core::slice::iter::Iter<T> as core::iter::traits::iterator::Iterator>::next",
        "<usize as core::slice::index::SliceIndex<[T]>>::index", "core::num::<impl usize>::unchecked_add::precondition_check"}) {
    EXPECT_EQ(matches(name), Names{"debug-build"}) << name;
  }
  EXPECT_EQ(matches("core::num::<impl i64>::pow"), Names{});
  EXPECT_EQ(matches("my::vector<int>::operator[](unsigned long)"), Names{"own"});
}

TEST(InsightRules, OwnCode) {
  for (const char* name : {"main", "app::run", "shop::serve(int)", "main.main", "github.com/x/y.Run",
      "<app::T as core::ops::drop::Drop>::drop",
                           "PyEval_EvalFrame", "_PyEval_EvalFrameDefault", "(anonymous namespace)::f()",
                               "app::main::{{closure}}"}) {
    EXPECT_TRUE(matches(name).count("own")) << name;
  }
  for (const char* name : {"_start", "__libc_start_call_main", "std::vector<int>::push_back(int const&)",
      "core::ops::function::FnOnce::call_once",
                           "runtime.main", "runtime.goexit", "_dl_relocate_object", "void std::__invoke<int>(int)", "time.Now"}) {
    EXPECT_FALSE(matches(name).count("own")) << name;
  }
  EXPECT_TRUE(matches("deflate", "/usr/lib/libz.so.1").count("own"));
  EXPECT_FALSE(matches("f", "/usr/lib/x86_64-linux-gnu/libc.so.6").count("own"));
  EXPECT_FALSE(matches("f", "/usr/lib/libjemalloc.so.2").count("own"));
  EXPECT_FALSE(matches("schedule", "[kernel]", true).count("own"));
}

}  // namespace
}  // namespace wick
