// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/function_name.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>

namespace wick {
namespace {

struct Case {
  const char *name, *want;
};

void expect_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases) { EXPECT_EQ(short_name(c.name), c.want) << c.name; }
}

TEST(ShortName, Cxx) {
  expect_all({
      {"main", "main"},
      {"f(int, std::vector<int>)", "f"},
      {"std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"},
      {"a::b<c::d<e>>::f<int>(g)", "a::b::f"},
      {"ns::Type<int>::run(int) const", "ns::Type::run"},
      {"ns::Type::run(int) const volatile &&", "ns::Type::run"},
      {"Foo::~Foo()", "Foo::~Foo"},
      {"Foo<int>::Foo(Foo<int>&&)", "Foo::Foo"},
      {"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
      {"a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f"},
      {"virtual thunk to Foo<int>::~Foo()", "virtual thunk to Foo::~Foo"},
      {"non-virtual thunk to (anonymous namespace)::A::f(int)", "non-virtual thunk to (anonymous namespace)::A::f"},
      {"std::to_string[abi:cxx11](int)", "std::to_string"},
      {"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::_M_append(char const*, unsigned long)",
       "std::__cxx11::basic_string::_M_append"},
      {"void std::sort<int*>(int*, int*)::helper", "void std::sort::helper"},
      {"f<int (*)(char), (E)3, 4ul, &(g<int>())>(int (*)(char))", "f"},
      {"f<(std::_Lock_policy)2>(int)", "f"},
      {"f<((1)>(2)), void>(int)", "f"},
      {"f<((sizeof (int))<(8)), void>(int)", "f"},
      {"g<(({parm#1}<{parm#2})&&(true))>(int)", "g"},
      {"std::enable_if<(a)<(b), void>::type::run()", "std::enable_if::type::run"},
      {"operator delete(void*)@plt", "operator delete@plt"},
  });
}

TEST(ShortName, Operators) {
  expect_all({
      {"a::operator<<(int)", "a::operator<<"},
      {"a::operator<(a::T const&, a::T const&)", "a::operator<"},
      {"operator<< <std::char_traits<char> >(std::ostream&, char const*)", "operator<<"},
      {"std::operator< <int, std::allocator<int> >(std::vector<int> const&)", "std::operator<"},
      {"bool std::operator==<char>(std::string const&)", "bool std::operator=="},
      {"T<int>::operator->() const", "T::operator->"},
      {"T<int>::operator->*<int>(int) const", "T::operator->*"},
      {"T::operator<=><int>(int) const", "T::operator<=>"},
      {"T::operator>><int>(int)", "T::operator>>"},
      {"T::operator-<int>(int)", "T::operator-"},
      {"a::operator()(int) const", "a::operator()"},
      {"a<int>::operator()<char>(int) const", "a::operator()"},
      {"a<int>::operator[](unsigned long)", "a::operator[]"},
      {"operator new(unsigned long)", "operator new"},
      {"operator new[](unsigned long)", "operator new[]"},
      {"operator delete[](void*, unsigned long)", "operator delete[]"},
      {"operator\"\" _km(long double)", "operator\"\" _km"},
      {"T::operator bool() const", "T::operator bool"},
      {"T<int>::operator std::vector<int, std::allocator<int> >() const", "T::operator std::vector"},
      {"T::operator void (*)(int)() const", "T::operator void (*)(int)"},
      {"T::operator char const*() const", "T::operator char const*"},
      {"T::operator bool() const::{lambda()#1}::operator()() const", "T::operator bool::{lambda()#1}::operator()"},
      {"vec<ns::operator_t>::push(int)", "vec::push"},
      {"vec<&ns::operator>>>::push(int)", "vec::push"},
      {"vec<&ns::operator()>::push(int)", "vec::push"},
      {"vec<&(ns::operator<(int))>::push(int)", "vec::push"},
      {"ns::operators::run(int)", "ns::operators::run"},
      {"ns::my_operator(int)", "ns::my_operator"},
      {"operator", "operator"},
      {"operator<", "operator<"},
      {"operator ", "operator "},
  });
}

TEST(ShortName, Lambdas) {
  expect_all({
      {"main::{lambda()#1}::operator()() const", "main::{lambda()#1}::operator()"},
      {"main::{lambda(int)#2}::operator()(int) const", "main::{lambda(int)#2}::operator()"},
      {"f(int)::{lambda(std::vector<int, std::allocator<int> > const&)#1}::operator()(std::vector<int> const&) const",
       "f::{lambda(std::vector const&)#1}::operator()"},
      {"f<int>(int) const::{lambda(auto:1)#1}::operator()<char>(char) const", "f::{lambda(auto:1)#1}::operator()"},
      {"f(int)::{lambda(int)#1}::_FUN(int)", "f::{lambda(int)#1}::_FUN"},
      {"f()::Local::run(int)::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const",
       "f::Local::run::{lambda()#1}::operator()::{lambda()#2}::operator()"},
      {"std::_Function_handler<void (), main::{lambda()#1}>::_M_invoke(std::_Any_data const&)",
       "std::_Function_handler::_M_invoke"},
      {"T::{unnamed type#1}::run()", "T::{unnamed type#1}::run"},
  });
}

TEST(ShortName, Rust) {
  expect_all({
      {"core::iter::adapters::map::Map<I,F>::next", "core::iter::adapters::map::Map::next"},
      {"<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter",
       "<alloc::vec::Vec as core::iter::FromIterator>::from_iter"},
      {"<alloc::vec::Vec<T> as alloc::vec::spec_from_iter::SpecFromIter<T,I>>::from_iter",
       "<alloc::vec::Vec as alloc::vec::spec_from_iter::SpecFromIter>::from_iter"},
      {"core::ptr::drop_in_place<alloc::vec::Vec<alloc::string::String>>", "core::ptr::drop_in_place"},
      {"core::str::traits::<impl core::ops::index::Index<I> for str>::index",
       "core::str::traits::<impl core::ops::index::Index for str>::index"},
      {"core::slice::sort::<impl [T]>::sort_by", "core::slice::sort::<impl [T]>::sort_by"},
      {"closures::main::{{closure}}", "closures::main::{{closure}}"},
      {"app::handler::{{closure}}::{{closure}}", "app::handler::{{closure}}::{{closure}}"},
      {"core::ops::function::FnOnce::call_once{{vtable.shim}}", "core::ops::function::FnOnce::call_once{{vtable.shim}}"},
      {"<&mut I as core::iter::traits::iterator::Iterator>::next", "<&mut I as core::iter::traits::iterator::Iterator>::next"},
      {"<F as core::future::future::Future>::poll", "<F as core::future::future::Future>::poll"},
      // v0
      {"main::work::{closure#0}", "main::work::{closure#0}"},
      {"std::mem::align_of::<f64>", "std::mem::align_of"},
      {"main::map::<u64, main::work::{closure#0}>::{closure#1}", "main::map::{closure#1}"},
      {"<alloc::vec::Vec<u8>>::push", "alloc::vec::Vec::push"},
      {"<alloc::vec::Vec<u8, alloc::alloc::Global> as core::clone::Clone>::clone",
       "<alloc::vec::Vec as core::clone::Clone>::clone"},
      {"<[u8]>::iter", "<[u8]>::iter"},
      {"<<a::Dfa<T>>::union::Queue>::enqueue", "a::Dfa::union::Queue::enqueue"},
      {"<(A<u8>, B) as a::T<C>>::f::<D>", "<(A, B) as a::T>::f"},
      {"<fn(A<u8>) -> B<u8> as a::T>::f", "<fn(A) -> B as a::T>::f"},
      {"<dyn a::T<Item = u8> + core::marker::Send as a::U>::f", "<dyn a::T + core::marker::Send as a::U>::f"},
      {"<<A<u8> as a::B>::C as a::T>::f", "<<A as a::B>::C as a::T>::f"},
      {"tokio::runtime::task::core::Core::<app::ticker::{closure#0}, S>::poll", "tokio::runtime::task::core::Core::poll"},
      {"core::array::<[u8; 4]>::f", "core::array::f"},
      {"<str>::len", "str::len"},
      {"utf8_idents::საჭმელად_გემრიელი::<u8>", "utf8_idents::საჭმელად_გემრიელი"},
      {"poll<app::ticker::{async_fn_env#0}, alloc::sync::Arc<S>>", "poll"},
      {"app::{closure_env#0}<u8>::run", "app::{closure_env#0}::run"},
  });
}

TEST(ShortName, OtherTextIsUnchanged) {
  for (const char* name : {"", "main", "main.(*Parser).next", "main.(*Parser).next.func1", "[libc.so.6]", "[unknown]", "((",
                           "a)b(", "a(b]c", "LazyCompile:*<anonymous> /x/y.js:3", "Ljava/lang/String;::indexOf",
                           "ext4_map_blocks [ext4]", "a < b", "->", "a<b", "{", "}"}) {
    EXPECT_EQ(short_name(name), name);
  }
}

TEST(ShortName, TakesLinearTime) {
  std::mt19937 random(3);
  const std::string_view parts[] = {"<",  ">",        "(", ")", "{",  "}",  "[",          "]",
                                    "::", "operator", " ", "a", "->", "<<", "operator()", ","};
  for (int round = 0; round < 20000; ++round) {
    std::string name;
    for (size_t n = random() % 24; n > 0; --n) { name += parts[random() % std::size(parts)]; }
    EXPECT_LE(short_name(name).size(), name.size());
    (void)without_outer_scope(name);
  }
  for (std::string_view part : parts) {
    std::string name = "f";
    while (name.size() < 200'000) { name += part; }
    std::clock_t start = std::clock();
    EXPECT_LE(short_name(name).size(), name.size());
    EXPECT_LE(short_name(name + std::string(name.rbegin(), name.rend())).size(), 2 * name.size());
    EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC) << part;
  }
}

TEST(WithoutOuterScope, OneAtATime) {
  auto all = [](std::string_view name) {
    std::string out(name);
    while (!(name = without_outer_scope(name)).empty()) { out += " | " + std::string(name); }
    return out;
  };
  EXPECT_EQ(all("a::b::c"), "a::b::c | b::c | c");
  EXPECT_EQ(all("main"), "main");
  EXPECT_EQ(all("<a::b as c::d>::e"), "<a::b as c::d>::e | e");
  EXPECT_EQ(all("app::handler::{{closure}}::{{closure}}"),
            "app::handler::{{closure}}::{{closure}} | handler::{{closure}}::{{closure}}");
  EXPECT_EQ(all("a::main::{lambda()#1}::operator()"), "a::main::{lambda()#1}::operator() | main::{lambda()#1}::operator()");
  EXPECT_EQ(all("a::operator<"), "a::operator< | operator<");
  EXPECT_EQ(all("a::"), "a::");
}

TEST(FunctionName, HalfDemangledRust) {
  EXPECT_EQ(readable_rust_name("std::rt::lang_start::h0123456789abcdef"), "std::rt::lang_start");
  EXPECT_EQ(readable_rust_name("_$LT$a..b..C$LT$T$GT$$u20$as$u20$D$GT$::run::h0123456789abcdef"), "<a::b::C<T> as D>::run");
  EXPECT_EQ(readable_rust_name("core::f::$u7b$$u7b$closure$u7d$$u7d$::h0123456789ABCDEF"), "core::f::{{closure}}");
  EXPECT_EQ(readable_rust_name("a::$XX$b::h0123456789abcdef"), "a::$XX$b");
  for (const char* other : {"main", "x::h0123456789abcdeg", "a$LT$b", "h0123456789abcdef", "::h0123456789abcdef", ""}) {
    EXPECT_EQ(readable_rust_name(other), other);
  }
}

}  // namespace
}  // namespace wick
