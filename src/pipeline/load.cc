// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/load.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "capture/wick_reader.h"
#include "import/import.h"
#include "import/perf/perf_data.h"
#include "pipeline/load_folded.h"
#include "pipeline/load_perf_data.h"
#include "pipeline/name_imported.h"

namespace wick {
namespace {

Error bad_file(const std::string& path, const std::string& what) {
  return Error("cannot read %s: %s", path.c_str(), what.c_str()).with_code(Errc::kBadInput);
}

bool is_text(std::string_view text) {
  constexpr std::string_view kAllowed = "\n\t\r\x1b";
  auto control = [&](char c) { return (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) && kAllowed.find(c) == kAllowed.npos; };
  return std::none_of(text.begin(), text.end(), control);
}

// The output of `wick export --format json`.
bool is_own_json(std::string_view head) {
  constexpr size_t kFirstLines = 200;
  return trim(head).starts_with("{") && head.substr(0, kFirstLines).find("\"format\":\"wick-profile\"") != head.npos;
}

// Recognizes files that users may mistake for profiles.
Error describe_foreign_file(const std::string& name, const std::string& path, Bytes bytes) {
  std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 4096));
  std::string_view first = trim(head);
  if (head.starts_with("\x7f"
                       "ELF")) {
    bool here = path.find('/') != std::string::npos;
    return bad_file(name, "it is a program or library, not a profile")
        .with_hint("wick record -- " + shell_quote(here ? path : "./" + path));
  }
  if (!is_text(head)) { return bad_file(name, "it is not in a profile format that wick supports"); }
  if (is_own_json(head)) {
    return bad_file(name, "it is wick's JSON, which wick cannot read; export firefox, pprof or another format instead")
        .with_hint("wick export -o profile.json.gz");
  }
  // "[    0.12] Linux version …" is a log, not JSON.
  size_t close = first.find(']');
  std::string_view behind = close == first.npos ? std::string_view() : trim(first.substr(close + 1));
  bool is_log = !behind.empty() && std::isalpha(static_cast<unsigned char>(behind[0])) != 0;
  bool is_list = first.starts_with('[') && !is_log;
  if (first.starts_with("{") || is_list) { return bad_file(name, "it is a JSON file, but not a profile that wick supports"); }
  if (first.starts_with("<")) { return bad_file(name, "it is an SVG, XML or HTML file, not a profile"); }
  return bad_file(name, "it is a text file, but not a profile that wick supports")
      .with_hint("wick report --from folded " + shell_quote(path) + "   (if it has folded stacks)");
}

constexpr uint8_t kFirstByteOfWick = 0x89;

// A pipe, or another file that cannot be mapped.
class FdPieces : public Pieces {
 public:
  FdPieces(Fd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)), buffer_(size_t{1} << 20) {}

  // Reads as much as fits, so that readers get large pieces even from a pipe.
  Result<Bytes> next() override {
    size_t have = 0;
    while (have < buffer_.size()) {
      ssize_t got = ::read(fd_.get(), buffer_.data() + have, buffer_.size() - have);
      if (got < 0 && errno == EINTR) { continue; }
      if (got < 0) { return Error::from_errno(errno, "cannot read %s", name_.c_str()); }
      if (got == 0) { break; }
      have += static_cast<size_t>(got);
    }
    return Bytes(buffer_.data(), have);
  }

 private:
  Fd fd_;
  std::string name_;
  std::vector<uint8_t> buffer_;
};

// A mapped file. Pages that were read count as this process's memory until released.
class MappedPieces : public Pieces {
 public:
  explicit MappedPieces(Bytes bytes) : whole_(bytes), rest_(bytes) {}
  Result<Bytes> next() override { return std::exchange(rest_, {}); }
  bool is_memory() const override { return true; }
  void release(Bytes bytes) override {
    // Touching a page maps those around it, up to a huge page: so start a little earlier.
    constexpr size_t kAround = size_t{2} << 20;
    static const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    auto at = reinterpret_cast<uintptr_t>(bytes.data()), first = reinterpret_cast<uintptr_t>(whole_.data());
    if (at < first || at + bytes.size() > first + whole_.size()) { return; }  // a copy: Input keeps small files that way
    size_t offset = at - first;
    size_t begin = (offset - std::min(offset, kAround)) / page * page, end = (offset + bytes.size()) / page * page;
    if (begin < end) { ::madvise(const_cast<uint8_t*>(whole_.data() + begin), end - begin, MADV_DONTNEED); }
  }

 private:
  Bytes whole_, rest_;
};

// An opened file: its name, its bytes if they can be mapped, and its reader.
struct OpenedFile {
  std::string name;
  MappedFile mapped;
  Input input;
  std::optional<FileId> id = {};
};
Result<OpenedFile> open_file(const std::string& path) {
  bool is_stdin = path == kStandardInput;
  std::string name = is_stdin ? "standard input" : path;
  Fd fd;
  if (is_stdin) {
    fd.reset(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!fd) { return Error::from_errno(errno, "cannot read standard input"); }
  } else {
    Result<Fd> opened = open_read(path);
    if (!opened.ok()) {
      if (opened.error().errnum() != ENOENT) { return std::move(opened).error(); }
      // `wick record` does not create files of other tools.
      std::string_view base = std::string_view(path).substr(path.rfind('/') + 1);
      if (base.find('.') != base.npos && base.find(".wick") == base.npos) { return std::move(opened).error(); }
      std::string output = path == "profile.wick" ? "" : "-o " + shell_quote(path) + " ";
      return std::move(opened).error().with_hint("wick record " + output + "-- ./app");
    }
    fd = *std::move(opened);
  }
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) { return Error::from_errno(errno, "cannot open %s", name.c_str()); }
  if (S_ISDIR(info.st_mode)) { return bad_file(name, "it is a directory, not a profile"); }
  if ((S_ISCHR(info.st_mode) && !::isatty(fd.get())) || S_ISBLK(info.st_mode)) {
    return bad_file(name, "it is a device, not a profile");
  }
  if (S_ISFIFO(info.st_mode) && !is_stdin) {
    // Wait for the writer, as usual for a FIFO. Opening it again would wait forever if the writer has already gone.
    ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
    pollfd waiting{fd.get(), POLLIN, 0};
    while (::poll(&waiting, 1, -1) < 0 && errno == EINTR) {}
  }
  if (S_ISREG(info.st_mode) && ::lseek(fd.get(), 0, SEEK_CUR) == 0) {
    WICK_LET(MappedFile mapped, MappedFile::map(fd, name));
    Bytes bytes = mapped.bytes();
    return OpenedFile{name, std::move(mapped), Input(std::make_unique<MappedPieces>(bytes)), FileId{info.st_dev, info.st_ino}};
  }
  return OpenedFile{name, {}, Input(std::make_unique<FdPieces>(std::move(fd), name))};
}

// A recording is needed completely, so pipes are read to the end.
Result<LoadedCapture> capture_of(OpenedFile opened) {
  LoadedCapture loaded;
  Result<WholeInput> whole = read_whole(opened.input);
  if (!whole.ok()) { return std::move(whole).error().context("cannot read " + opened.name); }
  loaded.file = std::move(opened.mapped);
  loaded.id = opened.id;
  loaded.contents = *std::move(whole);
  Bytes bytes = loaded.contents.bytes;
  if (bytes.empty()) { return bad_file(opened.name, "it is empty, not a profile"); }
  if (bytes[0] != kFirstByteOfWick) { return bad_file(opened.name, "it is not a wick profile"); }
  Result<capture::Capture> capture = capture::read_wick(bytes);
  WICK_OK(loaded.file.check(opened.name));
  if (!capture.ok()) { return std::move(capture).error().context("cannot read " + opened.name); }
  loaded.capture = *std::move(capture);
  return loaded;
}

// The directory of perf record --threads whose "data" file this is; empty if none.
std::string perf_folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  std::string folder = slash == path.npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
  bool is_head = std::string_view(path).substr(slash + 1) == "data" && ::access((folder + "/data.0").c_str(), F_OK) == 0;
  return is_head ? folder : std::string();
}

Result<Profile> profile_of_other(OpenedFile& opened, const std::string& path, const LoadOptions& options) {
  const std::string& name = opened.name;
  std::string context = "cannot read " + name;
  Result<Input> unpacked = unpack(std::move(opened.input));
  if (!unpacked.ok()) { return std::move(unpacked).error().context(context); }
  Result<Bytes> start = unpacked->peek(kHeadBytes + 1);
  if (!start.ok()) { return std::move(start).error().context(context); }
  if (start->empty()) {
    std::string problem = unpacked->problem();
    return bad_file(name, problem.empty() ? "it is empty, not a profile" : problem);
  }
  const Reader* reader = options.reader != nullptr ? options.reader : detect_reader(head_of(*start));
  bool is_own = options.reader == nullptr && is_own_json(head_of(*start).text);
  if (reader == nullptr || is_own) { return describe_foreign_file(name, path, *start); }
  if (reader->name != kPerfDataReader.name && is_perf_data(head_of(*start))) {
    std::string given = shell_quote(path);
    bool is_script = reader->what.find("perf script") != std::string_view::npos;
    return bad_file(name, "it is perf.data, not " + std::string(reader->what))
        .with_hint(is_script ? "perf script -i " + given + " | wick report --from " + std::string(reader->name) + " -"
                             : "wick report " + given);
  }
  ImportOptions import = options.import;
  import.short_names = options.names == NameStyle::kShort;
  import.demangle = [style = options.names](std::string_view raw) { return shown_function(raw, style); };
  if (reader->name == kPerfDataReader.name) {
    LoadOptions with = options;
    with.import = import;
    Result<Profile> profile = load_perf_data(*unpacked, with);
    std::string problem = unpacked->problem();
    if (!profile.ok()) {
      Error error = std::move(profile).error().context("as perf.data");
      if (std::string folder = perf_folder_of(path); !folder.empty()) {
        error = std::move(error).with_hint("wick report " + shell_quote(folder));
      }
      return std::move(error).context(problem.empty() ? context : context + ": " + problem);
    }
    if (!problem.empty()) { return with_warning(*std::move(profile), problem_warning(problem)); }
    return profile;
  }
  Result<Profile> profile = import_profile(*unpacked, *reader, import);
  if (!profile.ok()) { return std::move(profile).error().context(context); }
  return name_imported(*std::move(profile), options);
}

bool is_folder(const std::string& path) {
  struct stat info{};
  return path != kStandardInput && ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Result<Profile> profile_of_folder(const std::string& path, const LoadOptions& options) {
  if (options.reader != nullptr && options.reader->name != kPerfDataReader.name) {
    return bad_file(path, "it is a directory, not " + std::string(options.reader->what));
  }
  LoadOptions with = options;
  with.import.short_names = options.names == NameStyle::kShort;
  with.import.demangle = [style = options.names](std::string_view raw) { return shown_function(raw, style); };
  return load_perf_folder(path, with);
}

}  // namespace

Result<LoadedCapture> load_capture(const std::string& path) {
  WICK_LET(OpenedFile opened, open_file(path));
  return capture_of(std::move(opened));
}

Result<Profile> load_profile(const std::string& path, const LoadOptions& options) {
  if (is_folder(path)) { return profile_of_folder(path, options); }
  WICK_LET(OpenedFile opened, open_file(path));
  WICK_LET(Bytes head, opened.input.peek(kHeadBytes));
  if (head.empty()) { return bad_file(opened.name, "it is empty, not a profile"); }
  if (head[0] == kFirstByteOfWick && options.reader == nullptr) {
    std::string name = opened.name;
    WICK_LET(LoadedCapture loaded, capture_of(std::move(opened)));
    Result<Profile> profile = build_profile(loaded.capture, options);
    WICK_OK(loaded.file.check(name));
    return profile;
  }
  Result<Profile> profile = profile_of_other(opened, path, options);
  WICK_OK(opened.mapped.check(opened.name));  // this error wins over others
  return profile;
}

std::optional<LoadedFolded> find_folded_text(const std::string& path, const Reader* reader) {
  struct stat info{};
  bool is_stdin = path == kStandardInput;
  int failed = is_stdin ? ::fstat(STDIN_FILENO, &info) : ::stat(path.c_str(), &info);
  if (failed != 0 || !S_ISREG(info.st_mode) || (is_stdin && ::lseek(STDIN_FILENO, 0, SEEK_CUR) != 0)) { return std::nullopt; }
  Result<OpenedFile> opened = open_file(path);
  if (!opened.ok()) { return std::nullopt; }
  Result<Input> unpacked = unpack(std::move(opened->input));
  if (!unpacked.ok()) { return std::nullopt; }
  Result<Bytes> start = unpacked->peek(kHeadBytes + 1);
  if (!start.ok() || start->empty() || (*start)[0] == kFirstByteOfWick) { return std::nullopt; }
  if (reader == nullptr) { reader = detect_reader(head_of(*start)); }
  if (reader == nullptr || reader->name != kFoldedReader.name) { return std::nullopt; }
  Result<WholeInput> whole = read_whole(*unpacked);
  if (!whole.ok()) { return std::nullopt; }
  Result<std::optional<FoldedText>> text = read_folded_text(*std::move(whole));
  if (!text.ok() || !text->has_value() || !unpacked->problem().empty()) { return std::nullopt; }
  return LoadedFolded{std::move(opened->mapped), **std::move(text)};
}

}  // namespace wick
