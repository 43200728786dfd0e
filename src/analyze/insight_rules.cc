// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/insight_rules.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <array>

#include "analyze/color.h"
#include "analyze/library_glue.h"
#include "base/result.h"
#include "model/function_name.h"

namespace wick {
namespace {

constexpr size_t kLongName = 2048;

constexpr std::string_view kTransferCalls =
    R"((__|__libc_)?(read|write|pread|pwrite|pread64|pwrite64|readv|writev|send|recv|sendto|recvfrom))";

// Names of functions whose cost does not depend on how much is read or written.
constexpr std::string_view kFixedInKernel =
    R"(entry_SYSCALL_64\w*|entry_SYSRETQ\w*|do_syscall_64|x64_sys_call|syscall_(enter|exit|return)\w*|its_return_thunk|srso_\w+|)"
    R"(__(x64|arm64|se)_sys_\w+|ksys_\w+|vfs_(read|write)|new_sync_(read|write)|_*fdget\w*|fput|rw_verify_area|)"
    R"(security_file_permission|)"
    R"(\w+_file_(perm|permission)|_*fsnotify\w*|el0_svc\w*|el0t_64_sync\w*|do_el0_svc|invoke_syscall)";

constexpr auto kRules = std::to_array<InsightRule>({
    {
        .id = "exceptions",
        .title = "throwing exceptions or panics, and unwinding",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.10,
        .advice = "return errors as values where they are common, and keep exceptions for rare cases",
        .user_names =
            R"(_Unwind_(RaiseException(_Phase2)?|Resume(_or_Rethrow)?|DeleteException)|)"
            R"(__cxa_(throw|rethrow|allocate_exception|free_exception|begin_catch|end_catch|get_exception_ptr|)"
            R"(init_primary_exception)|)"
            R"(__gxx_personality_v0|rust_panic|rust_eh_personality|__rust_start_panic|__rust_panic_cleanup|)"
            R"((std::panicking|panic_unwind|std::panic)::(begin_panic.*|rust_panic.*|panic_with_hook|resume_unwind|imp::.*|)"
            R"(real_imp::.*)|)"
            R"(runtime\.(gopanic|gorecover|addOneOpenDeferFrame|recovery))",
    },
    {
        .id = "allocation",
        .title = "allocating and freeing memory",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.12,
        .advice = "reuse buffers and objects, allocate several at once (arena, reserve), or try another allocator",
        .user_names =
            R"((__libc_|__)?(c?free|c?malloc|calloc|realloc|reallocarray|memalign|aligned_alloc|posix_memalign|valloc)|)"
            R"(_int_(malloc|free|realloc|memalign)|_mid_memalign|malloc_consolidate|sysmalloc|systrim(\.isra)?|unlink_chunk|)"
            R"(tcache_\w+|)"
            R"(free_sized|free_aligned_sized|operator (new|delete)(\[\])?|)"
            R"(__(rust|rdl|rg)_(alloc|dealloc|realloc|alloc_zeroed)|alloc::alloc::(alloc|dealloc|realloc|alloc_zeroed|)"
            R"(exchange_malloc)|)"
            R"((je_|mi_|tc_|rallocx|sdallocx|jemalloc_)(malloc|free|calloc|realloc|aligned_alloc|new|delete)\w*|)"
            R"(runtime\.(mallocgc\w*|newobject|makeslice|makechan|makemap\w*|rawstring|rawbyteslice))",
        .with_kernel = true,
    },
    {
        .id = "growth",
        .title = "growing arrays and strings piece by piece",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.10,
        .advice = "reserve the final size first (reserve, with_capacity, make with a capacity), or grow by a factor",
        .user_names =
            R"((__libc_|__)?(realloc|reallocarray)|_int_realloc|__(rust|rdl|rg)_realloc|)"
            R"(std::vector::(_M_realloc_(insert|append)|_M_fill_insert|_M_default_append|_M_range_insert|)"
            R"(__push_back_slow_path|__emplace_back_slow_path|__append|__swap_out_circular_buffer)|)"
            R"(std::basic_string::(_M_mutate|_M_replace_aux|__grow_by(_and_replace|_without_replace)?|reserve)|)"
            R"(alloc::raw_vec::(RawVec|RawVecInner)::(grow_one|grow_amortized|grow_exact|reserve.*|try_reserve.*|)"
            R"(do_reserve_and_handle)|)"
            R"(alloc::raw_vec::(RawVec|RawVecInner)::reserve::do_reserve_and_handle|alloc::raw_vec::(finish_grow|)"
            R"(RawVecInner::finish_grow)|)"
            R"(runtime\.growslice)",
        .with_kernel = true,
    },
    {
        .id = "copying",
        .title = "copying memory",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.15,
        .advice = "pass references or views, move instead of clone, and avoid temporary strings and buffers",
        .user_names =
            R"((__builtin_|__libc_|__)?(memcpy|memmove|mempcpy|wmemcpy|wmemmove|bcopy)(_chk|_(avx|sse|ssse|evex|erms|)"
            R"(generic|thunderx|falkor|simd|a64fx|mops|sve|oryon|kunpeng|zva)\w*)?|)"
            R"((__)?(strcpy|strncpy|stpcpy|strcat|strdup|strndup)(_chk|_(avx|sse|evex)\w*)?|)"
            R"(std::basic_string::(_M_assign|_M_append|_M_construct|_M_replace|assign|append|basic_string|operator=|)"
            R"(operator\+=)|)"
            R"(std::char_traits::(copy|move)|std::basic_string::_S_copy|std::__copy_move\w*::__copy_m|)"
            R"(alloc::slice::.*::(to_vec|to_vec_in|to_owned)|(<alloc::(vec::Vec|string::String|)"
            R"(boxed::Box) as core::clone::Clone>|)"
            R"(alloc::(vec::Vec|string::String|boxed::Box))::clone|core::slice::.*::(copy_from_slice|clone_from_slice)|)"
            R"(alloc::str::.*::to_owned|runtime\.(memmove|typedmemmove|slicebytetostring|stringtoslicebyte))",
    },
    {
        .id = "hashing",
        .title = "hashing and hash tables",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.15,
        .advice = "look up each key once, reserve the table's size, use a cheaper hash (SipHash resists attacks but is slow), "
                  "or a sorted array",
        .user_names =
            R"(std::(_Hash_bytes|_Fnv_hash_bytes|_Hash_impl::\w+|_Hashtable::.*|__hash_table::.*|__murmur2_or_cityhash::.*|)"
            R"(unordered_(map|set|multimap|multiset)::.*|__detail::(_Map_base|_Hashtable_base|_Hash_code_base|_Insert_base|)"
            R"(_Insert|)"
            R"(_Prime_rehash_policy|_Hashtable_alloc|_Mod_range_hashing|_Rehash_base)::.*)|)"
            R"(hashbrown::.*|<hashbrown::.*|std::collections::hash::.*|<std::collections::hash::.*|)"
            R"(core::hash::.*|<.* as core::hash::(Hash|Hasher|BuildHasher|sip::Sip)>::.*|std::hash::random::.*|)"
            R"(<std::hash::random::.*|)"
            R"(runtime\.(map(access|assign|delete|iter)\w*|(aes|mem|str|inter|f32|f64)hash\w*)|aeshashbody|)"
            R"(internal/runtime/maps\..*)",
    },
    {
        .id = "formatting",
        .title = "formatting text",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.15,
        .advice = "format less often, write numbers with to_chars or itoa-like functions, and reuse the output buffer",
        .user_names =
            R"((__|___|_IO_)?(f|d|s|sn|v|vf|vs|vsn|as|vas|vd|obstack_|w|fw|sw|vw|vfw|vsw)?printf(_chk|_internal)?|)"
            R"(__(vf|vs|vsn|vas|vfw|vsw)w?printf_internal|printf_positional|__printf_fp(_l|_buffer\w*)?|__printf_buffer\w*|)"
            R"(_itoa_word|)"
            R"(std::(basic_ostream|ostream|num_put|money_put|time_put)::.*|std::operator<<|std::__ostream_insert|)"
            R"(std::(to_string|to_chars|vformat\w*|format\w*|__format::.*|__to_chars\w*|__put_character_sequence)|)"
            R"(std::__detail::__to_chars\w*|)"
            R"(core::fmt::.*|<.* as core::fmt::\w+>::.*|alloc::fmt::.*|core::num::(flt2dec|fmt)::.*|)"
            R"(alloc::string::ToString::to_string|)"
            R"(<.* as alloc::string::(ToString|SpecToString)>::.*|fmt\.(Sprint|Fprint|Print|Append|Errorf|newPrinter|)"
            R"(\(\*(pp|fmt|buffer)\)).*|)"
            R"((internal/)?strconv\.(Append|Format|Quote|format|fmt|ryu|genericFtoa|fixedFtoa|shortFtoa|Itoa).*)",
    },
    {
        .id = "parsing",
        .title = "parsing numbers and text",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.15,
        .advice = "parse each value once, and use from_chars or a parser that knows the format instead of streams and scanf",
        .user_names =
            R"((__|____|__isoc99_|__isoc23_|__libc_|_IO_)?(strto(l|ll|ul|ull|d|f|ld|imax|umax|q|uq)|wcsto(l|ll|ul|ull|d|f|)"
            R"(ld)|ato[ilf]|atoll|)"
            R"((v|f|s|vf|vs)?scanf)(_l|_internal|_l_internal)*|__vf(w)?scanf_internal|_IO_vfscanf|str_to_mpn|)"
            R"(std::(basic_istream|istream|num_get|__num_get|time_get)::.*|std::operator>>|std::(sto[ilfd]|stoul|stoull|)"
            R"(stoll|stold|from_chars)|)"
            R"(std::(__from_chars.*|__detail::__from_chars.*)|std::__convert_to_v|core::num::dec2flt::.*|)"
            R"(<.* as core::num::dec2flt::.*|)"
            R"(core::num::.*::(from_str_radix|from_ascii_radix|from_str)|(<.* as )?core::str::traits::FromStr>?::from_str|)"
            R"(<.* as core::str::traits::FromStr>::from_str|)"
            R"(core::str::.*::parse|(internal/)?strconv\.(Parse|Atoi|parse|ato|readFloat|eisel|atof).*|fmt\.(Sscan|Fscan|)"
            R"(Scan|\(\*(ss|readRune)\)).*|)"
            R"(encoding/(json|csv|xml)\..*)",
    },
    {
        .id = "utf8",
        .title = "checking or converting UTF-8",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.15,
        .advice = "check text once, where it enters the program, or work on bytes",
        .user_names =
            R"(core::str::(converts::from_utf8(_mut)?|validations::run_utf8_validation|lossy::.*|from_utf8)|)"
            R"(<core::str::lossy::.*|)"
            R"(alloc::string::String::(from_utf8|from_utf8_lossy)|(__)?mb(s|sr|sn|snr)?towcs?(_l)?|(__)?mbrtowc|)"
            R"(__mbsrtowcs_l|(__)?wc(s|sr|r)tombs?|(__)?iconv|)"
            R"(__gconv(_transform_\w+)?|utf8_internal_loop|std::codecvt::.*|std::__codecvt_utf8.*|unicode/utf8\..*)",
    },
    {
        .id = "regex-compile",
        .title = "compiling regular expressions",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.10,
        .advice = "compile each expression once, outside loops (static, OnceLock, a package variable)",
        .user_names =
            R"((__)?(regcomp|re_compile_(internal|pattern|fastmap))|std::basic_regex::(basic_regex|_M_compile|assign|__parse.*)|)"
            R"(std::__detail::(_Compiler|_Scanner|__compile_nfa).*|re2::RE2::(RE2|Init)|re2::(Regexp::Parse|)"
            R"(Prog::.*Compile\w*|Compiler::.*)|)"
            R"(pcre_compile2?|pcre2_compile_(8|16|32)|regex::(bytes::)?Regex(Builder)?::(new|build)|regex::regex::(string|)"
            R"(bytes)::Regex::new|)"
            R"(regex::builders::.*::build\w*|regex_syntax::.*|regex_automata::.*::(Builder|Compiler)::build\w*|)"
            R"(regexp\.(Compile|MustCompile|CompilePOSIX|MustCompilePOSIX|compile)|regexp/syntax\.(Parse|Compile|parse))",
    },
    {
        .id = "sorting",
        .title = "sorting, with the comparisons",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.20,
        .advice = "keep data sorted, select or partition instead (nth_element, top k), sort keys instead of objects, and make "
                  "comparisons cheap",
        .user_names =
            R"((__)?qsort(_r)?|(__)?msort_with_tmp|std::(ranges::)?(sort|stable_sort|partial_sort|sort_heap|make_heap)|)"
            R"(std::__(sort|introsort|introsort_loop|insertion_sort|final_insertion_sort|unguarded_linear_insert|)"
            R"(unguarded_insertion_sort|)"
            R"(unguarded_partition|stable_sort\w*|inplace_stable_sort|merge_sort_\w+|chunk_insertion_sort|partial_sort\w*|)"
            R"(heap_select|)"
            R"(sort[3-5]\w*|sort_dispatch|insertion_sort_\w+|bitset_partition\w*|partition_with_equals_on_\w+|stable_sort_move)|)"
            R"(std::ranges::__(sort|stable_sort)_fn::.*|core::slice::sort::.*|<.* as core::slice::sort::.*|)"
            R"(alloc::slice::(stable_sort|merge_sort)|)"
            R"((alloc|core)::slice::<impl \[T\]>::sort\w*|<\[T\]>::sort\w*|\[T\]::sort\w*|)"
            R"(sort\.(Sort|Stable|Slice|SliceStable|Ints|Strings|Float64s|pdqsort\w*|insertionSort\w*|stable\w*|heapSort\w*)|)"
            R"(slices\.(Sort|SortFunc|SortStableFunc|pdqsort\w*|partition\w*|insertionSort\w*|stable\w*|heapSort\w*).*)",
    },
    {
        .id = "lock-contention",
        .title = "waiting for locks or waking other threads",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.05,
        .advice = "hold locks for a shorter time, split them, or give each thread its own data",
        .user_names =
            R"(__?lll_lock_(wait\w*|wake\w*)|std::sys::sync::(mutex|rwlock|condvar|)"
            R"(thread_parking)::futex::.*::(lock_contended|read_contended|)"
            R"(write_contended|wake|wake_writer_or_readers|spin\w*|park|unpark)|std::sys::pal::unix::futex::.*|)"
            R"((parking_lot|<?parking_lot)::raw_(mutex|rwlock)::.*::\w+_slow|parking_lot_core::.*|)"
            R"((internal/)?sync\.\(\*(Mutex|RWMutex)\)\.(lockSlow|unlockSlow|rUnlockSlow)|sync\.runtime_Semacquire.*|)"
            R"(runtime\.(semacquire1|semrelease1|futex\w*))",
        .kernel_names = R"(__(x64|arm64|se|do)_sys_futex\w*|do_futex|futex_(wait|wake|lock_pi|unlock_pi)\w*)",
    },
    {
        .id = "locking",
        .title = "taking and releasing locks",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.20,
        .advice = "lock less often: per batch instead of per item, or use atomics or data of one thread",
        .user_names =
            R"(_*pthread_(mutex|rwlock|spin)_\w+|lll_mutex_\w+|_L_(un)?lock_\d+|)"
            R"((std::sys::sync::mutex|std::sys::sync::rwlock)::futex::.*|(internal/)?sync\.\(\*(Mutex|RWMutex)\)\..*)",
    },
    {
        .id = "page-faults",
        .title = "page faults: touching memory for the first time",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.12,
        .advice = "reuse memory instead of returning it to the kernel (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD), or use huge pages",
        .kernel_names = R"((asm_)?exc_page_fault|do_user_addr_fault|handle_mm_fault|do_page_fault|do_translation_fault|)"
            R"(do_mem_abort|el0_(da|ia))",
    },
    {
        .id = "clearing",
        .title = "clearing or filling memory",
        .symptom = Symptom::kDirect,
        .sure = Sure::kCertain,
        .least_share = 0.12,
        .advice = "clear only what is used, and do not initialize buffers that are overwritten",
        .user_names =
            R"((__builtin_|__libc_|__)?(memset|wmemset|bzero|explicit_bzero)(_chk|_(avx|sse|evex|erms|generic|falkor|)"
            R"(emag|kunpeng|a64fx|mops|zva|oryon)\w*)?|runtime\.(memclr\w*))",
    },
    {
        .id = "system-calls",
        .title = "system calls",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.30,
        .advice = "call the kernel less often: larger buffers, batches (readv, io_uring), caching; strace -c -f counts the calls",
        .kernel_names = R"(entry_SYSCALL_64\w*|do_syscall_64|entry_INT80\w*|el0_svc\w*|el0t_64_sync\w*|do_el0_svc|)"
            R"(invoke_syscall)",
    },
    {
        .id = "small-io",
        .title = "reading or writing in small pieces",
        .symptom = Symptom::kSmallPieces,
        .sure = Sure::kLikely,
        .least_share = 0.20,
        .advice = "buffer reads and writes (BufReader, BufWriter, setvbuf, bufio); strace shows the sizes",
        .user_names = kTransferCalls,
        .kernel_names = R"(__(x64|arm64|se)_sys_(read|write|pread64|pwrite64|readv|writev|sendto|recvfrom)|ksys_(read|write|)"
            R"(pread64|pwrite64))",
    },
    {
        .id = "kernel-time",
        .title = "time in the kernel",
        .symptom = Symptom::kKernel,
        .sure = Sure::kCertain,
        .least_share = 0.50,
        .advice = "see which system calls and page faults cause it",
    },
    {
        .id = "deep-recursion",
        .title = "recursion of 200 levels or more",
        .symptom = Symptom::kRecursion,
        .sure = Sure::kCertain,
        .least_share = 0.25,
        .advice = "use a loop with a stack of its own if depth depends on input: deep stacks can overflow",
    },
    {
        .id = "call-glue",
        .title = "calling through std::function and thunks",
        .symptom = Symptom::kInnermost,
        .sure = Sure::kLikely,
        .least_share = 0.15,
        .advice = "pass callables as template parameters (generics), or give each call more work",
        .user_names =
            R"(std::function::operator\(\)|std::_Function_handler::_M_invoke|std::__function::.*::operator\(\)|)"
            R"(std::__invoke(_impl|_r)?|std::invoke(_r)?|)"
            R"(std::__invoke_void_return_wrapper::__call|std::_Bind::.*|(non-)?virtual thunk to .*|)"
            R"(core::ops::function::Fn\w*::call\w*(\{\{vtable\.shim\}\}|::\{shim:vtable#0\}))",
    },
    {
        .id = "debug-build",
        .title = "unoptimized code: tiny library functions are not inlined",
        .symptom = Symptom::kOutOfLine,
        .sure = Sure::kLikely,
        .least_share = 0.08,
        .advice = "profile an optimized build (-O2 -g, cargo build --release with debug = 1)",
        .user_names =
            R"(std::(vector|array|deque|span|basic_string)::(operator\[\]|size|begin|end|data|empty|back|front)|)"
            R"(std::(forward|move|addressof|__addressof|get|max|min|swap|declval|begin|end|__niter_base|__niter_wrap|)"
            R"(__miter_base)|)"
            R"(std::(unique_ptr|shared_ptr|__uniq_ptr_impl|tuple|__shared_ptr_access|optional)::(operator->|operator\*|get|)"
            R"(_M_ptr|_M_get|operator bool)|)"
            R"(__gnu_cxx::(__normal_iterator::.*|operator(==|!=|-|<|>))|std::(__wrap_iter|move_iterator|reverse_iterator)::.*|)"
            R"(<core::slice::iter::Iter(Mut)? as core::iter::traits::iterator::Iterator>::next|)"
            R"(<usize as core::slice::index::SliceIndex>::index(_mut)?|)"
            R"(<core::ops::range::Range as core::iter::(range::RangeIteratorImpl>::spec_next|traits::iterator::Iterator>::next)|)"
            R"((<usize as core::iter::range::Step>|core::iter::range::<impl core::iter::range::Step for usize>)::\w+|)"
            R"(<alloc::vec::Vec as core::ops::(index::Index(Mut)?>::index(_mut)?|deref::Deref(Mut)?>::deref(_mut)?)|)"
            R"((core::num::<impl [iu](8|16|32|64|128|size)>|[iu](8|16|32|64|128|size))::(unchecked|wrapping|)"
            R"(overflowing)_\w+(::precondition_check)?|)"
            R"(core::ptr::.*::(add|offset|sub)(::precondition_check)?|)"
            R"(core::slice::index::<impl core::ops::index::Index(Mut)? for \[T\]>::index(_mut)?)",
    },
    {
        .id = "hot-line",
        .title = "one source line",
        .symptom = Symptom::kLine,
        .sure = Sure::kCertain,
        .least_share = 0.50,
        .advice = "look at its instructions",
    },
    {
        .id = "one-busy-thread",
        .title = "one thread does the work while others wait",
        .symptom = Symptom::kThread,
        .sure = Sure::kGuess,
        .least_share = 0.80,
        .advice = "divide its work if the CPUs are idle meanwhile; wick samples only threads that run",
    },
    {
        .id = "short-processes",
        .title = "many short-lived processes",
        .symptom = Symptom::kProcesses,
        .sure = Sure::kCertain,
        .least_share = 0.25,
        .advice = "do the work in one process: a library instead of a command, shell built-ins, one call for several files",
    },
    {
        .id = "logging",
        .title = "logging",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.10,
        .advice = "log less on hot paths, check the level before formatting, or log from another thread",
        .user_names =
            R"(v?syslog|__v?syslog(_chk|_internal)|log\.(Print|Fatal|Panic|Output|\(\*Logger\)).*|log/slog\..*)",
    },
    {
        .id = "garbage-collection",
        .title = "garbage collection",
        .symptom = Symptom::kAnywhere,
        .sure = Sure::kCertain,
        .least_share = 0.15,
        .advice = "allocate less, reuse objects (sync.Pool), or give the heap more room (GOGC, GOMEMLIMIT)",
        .user_names =
            R"(runtime\.(gcBgMarkWorker|gcDrain\w*|gcAssist\w*|gcStart|gcMark\w*|bgsweep|bgscavenge|sweepone|scanobject|)"
            R"(scanSpan|scanObjects\w*|)"
            R"(markroot\w*|greyobject|wbBufFlush\w*|gcSweep|scanblock|scanstack|\(\*sweepLocked\)\.sweep|tryDeferToSpanScan))",
    },
    {
        .id = "unnamed-code",
        .title = "generated code without symbols",
        .symptom = Symptom::kUnnamed,
        .sure = Sure::kCertain,
        .least_share = 0.20,
        .advice = "let the runtime write its symbols: node --perf-prof, java with a perf map agent, python3 -X perf",
    },
});
static_assert(kRules.size() < kFixedCostsBit);

// Code of the C library and of runtimes where it is part of the program (static, Go), by names that programs may not or do not
// use.
constexpr std::string_view kRuntimeNames =
    R"(__.*|_IO_.*|_int_.*|_dl_.*|_start|_init|_fini|_nl_.*|_Unwind_.*|_itoa\w*|_quicksort|_Exit|)"
    R"(malloc_\w+|sysmalloc|systrim|unlink_chunk|tcache_\w+|alloc_perturb|free_perturb|)"
    R"(uw_\w+|execute_(cfa_program|stack_op)|search_object|linear_search_fdes|read_encoded_value\w*|get_cie_encoding|)"
    R"(base_of_encoded_value|)"
    R"(fde_\w+_compare|init_object|frame_(heapsort|downheap)|btree_\w+|msort_with_tmp|)"
    R"(re_(compile|node|string|search|acquire|dfa)\w*|build_(trtable|range_exp|charclass\w*)|)"
    R"((runtime|fmt|strconv|sort|slices|sync|syscall|io|bufio|bytes|strings|reflect|encoding|regexp|math|unicode|log|errors|)"
    R"(context|time|os|maps|cmp|)"
    R"(container|hash|crypto|path|internal|compress|net|archive|iter|unique|weak|database|text|html|image|mime|testing|go|)"
    R"(vendor)(/[\w./-]+)?\..*|)"
    R"(aeshashbody|memeqbody|gogo|callRet|indexbytebody|countbody|cmpbody|type:\..*|)"
    R"(rust_panic|rust_begin_unwind|rust_eh_personality|clone3?|start_thread)";

bool is_allocator_module(std::string_view name) {
  for (std::string_view known : {"libjemalloc", "libtcmalloc", "libmimalloc"}) {
    if (name.starts_with(known)) { return true; }
  }
  return false;
}

// All expressions, compared at once.
class NameMatcher {
 public:
  static constexpr size_t kRuntimeBit = kFixedCostsBit - 1;

  NameMatcher() : user_(options(), RE2::ANCHOR_BOTH), kernel_(options(), RE2::ANCHOR_BOTH) {
    for (size_t i = 0; i < kRules.size(); ++i) {
      add(user_, user_bits_, kRules[i].user_names, i);
      add(kernel_, kernel_bits_, kRules[i].kernel_names, i);
    }
    add(user_, user_bits_, kTransferCalls, kFixedCostsBit);
    add(kernel_, kernel_bits_, kFixedInKernel, kFixedCostsBit);
    add(user_, user_bits_, kRuntimeNames, kRuntimeBit);
    bool compiled = user_.Compile() && kernel_.Compile();
    WICK_ASSERT(compiled, "the expressions are those of this file");
  }

  uint64_t match(const std::string& name, bool kernel) const {
    uint64_t bits = 0;
    std::vector<int> found;
    (kernel ? kernel_ : user_).Match(name, &found);
    for (int i : found) { bits |= uint64_t{1} << (kernel ? kernel_bits_ : user_bits_)[static_cast<size_t>(i)]; }
    return bits;
  }

 private:
  static RE2::Options options() {
    RE2::Options o;
    o.set_max_mem(int64_t{64} << 20);
    o.set_log_errors(false);
    return o;
  }
  static void add(RE2::Set& set, std::vector<size_t>& bits, std::string_view names, size_t bit) {
    if (names.empty()) { return; }
    int added = set.Add(re2::StringPiece(names.data(), names.size()), nullptr);
    WICK_ASSERT(added == static_cast<int>(bits.size()), "the expressions are those of this file");
    bits.push_back(bit);
  }

  RE2::Set user_, kernel_;
  std::vector<size_t> user_bits_, kernel_bits_;
};

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// ".part.0", ".constprop.1", ".cold", ".llvm.123", ".abi0" and the like.
std::string_view without_compiler_suffix(std::string_view name) {
  for (;;) {
    size_t dot = name.rfind('.');
    if (dot == name.npos || dot == 0) { return name; }
    std::string_view last = name.substr(dot + 1);
    bool known = false;
    for (std::string_view suffix : {"part", "constprop", "isra", "cold", "lto_priv", "llvm", "localalias", "abi0",
        "abiinternal"}) {
      known = known || last == suffix;
    }
    if (!known && !is_digits(last)) { return name; }
    name = name.substr(0, dot);
  }
}

// "void std::sort" -> "std::sort": the part after the last space outside brackets, unless that belongs to the name.
std::string_view without_return_type(std::string_view name) {
  if (name.find(' ') == name.npos || name.starts_with("virtual thunk") || name.starts_with("non-virtual thunk")) { return name; }
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("operator")) { break; }
    char c = name[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') { ++depth; }
    if (c == ')' || c == ']' || c == '}' || (c == '>' && i > 0 && name[i - 1] != '-')) { --depth; }
    if (c == ' ' && depth == 0) { begin = i + 1; }
  }
  return name.substr(begin);
}

}  // namespace

std::string_view sure_name(Sure sure) {
  switch (sure) {
    case Sure::kGuess: return "guess";
    case Sure::kLikely: return "likely";
    case Sure::kCertain: return "certain";
  }
  return {};
}

std::span<const InsightRule> insight_rules() { return kRules; }

std::string insight_name(std::string_view full) {
  full = full.substr(0, kLongName);
  full = full.substr(0, full.find(" [clone"));
  std::string brief = short_name(full);
  std::string_view name = without_return_type(brief);
  if (name.find("::") == name.npos) { name = name.substr(0, name.find('@')); }
  if (name.find('(') == name.npos) { name = without_compiler_suffix(name); }
  if (name.starts_with("__GI_")) { name.remove_prefix(5); }
  if (name.starts_with("__rustc")) {
    if (size_t scope = name.find("::"); scope != name.npos) { name.remove_prefix(scope + 2); }
  }
  if (name.starts_with("std::string::")) { return "std::basic_string::" + std::string(name.substr(13)); }
  for (std::string_view inline_namespace : {"std::__cxx11::", "std::__1::", "std::__ndk1::", "std::_V2::"}) {
    if (name.starts_with(inline_namespace)) { return "std::" + std::string(name.substr(inline_namespace.size())); }
  }
  return std::string(name);
}

ClassifiedFunctions classify_functions(const Profile& profile) {
  static const NameMatcher matcher;
  ClassifiedFunctions out;
  const std::vector<Function>& functions = profile.functions();
  out.rules.resize(functions.size());
  out.own.resize(functions.size());
  for (uint32_t i = 0; i < functions.size(); ++i) {
    CodeKind kind = owner_kind(profile, FunctionId{i});
    std::string_view module = functions[i].module.valid() ? profile.text(profile[functions[i].module].name) : std::string_view();
    bool may_be_own = kind == CodeKind::kProgram || kind == CodeKind::kUnclassified ||
                      (kind == CodeKind::kLibrary && !is_allocator_module(module));
    may_be_own = may_be_own && module != "[anon]";
    if (!functions[i].known) {
      out.own[i] = may_be_own && functions[i].module.valid();
      continue;
    }
    std::string name = insight_name(profile.text(functions[i].name));
    uint64_t bits = matcher.match(name, kind == CodeKind::kKernel);
    out.rules[i] = bits & ~(uint64_t{1} << NameMatcher::kRuntimeBit);
    out.own[i] = may_be_own && bits == 0 && !is_library_glue(name);
  }
  return out;
}

}  // namespace wick
