// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common/input.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

class MemoryPieces : public Pieces {
 public:
  explicit MemoryPieces(Bytes bytes) : bytes_(bytes) {}
  Result<Bytes> next() override { return std::exchange(bytes_, {}); }
  bool is_memory() const override { return true; }

 private:
  Bytes bytes_;
};

constexpr size_t kPieceBytes = size_t{1} << 20;
// Text of profiles compresses to a tenth or a fiftieth; only malicious files exceed this ratio.
constexpr uint64_t kMostRatio = 400, kRatioMatters = uint64_t{64} << 20;

// Shared by both formats: the compressed pieces, and the limit.
class UnpackingPieces : public Pieces {
 public:
  UnpackingPieces(Input input, const char* kind) : input_(std::move(input)), kind_(kind), out_(kPieceBytes) {}

  Result<Bytes> next() override {
    if (failed_ || ended_) { return Bytes(); }
    size_t made = 0;
    while (made < out_.size() && problem_.empty()) {
      if (packed_.empty() && !input_ended_) {
        Result<Bytes> more = input_.next();
        if (!more.ok()) {
          failed_ = true;
          return std::move(more).error();
        }
        packed_ = *more;
        input_ended_ = packed_.empty();
        packed_bytes_ += packed_.size();
      }
      if (input_ended_ && between_frames_) {
        ended_ = true;
        break;
      }
      size_t before = packed_.size();
      std::optional<size_t> step = unpack_step(packed_, std::span(out_).subspan(made));
      bool stuck = step == size_t{0} && packed_.size() == before && !input_ended_ && !packed_.empty();
      if (!step || stuck) {
        describe("damaged", packed_bytes_ - packed_.size(), unpacked_bytes_ + made);
      } else if (input_ended_ && *step == 0) {
        std::string inner = input_.problem();
        describe("truncated", packed_bytes_, unpacked_bytes_ + made);
        if (!inner.empty()) { problem_ = inner; }
      }
      made += step.value_or(0);
    }
    unpacked_bytes_ += made;
    // Not of the whole file: reading would go on until its size times the ratio.
    uint64_t used_bytes = packed_bytes_ - packed_.size();
    if (unpacked_bytes_ > kRatioMatters && unpacked_bytes_ / kMostRatio > used_bytes) {
      failed_ = true;
      return Error("the first %s of the %s file decompress to more than %d times their size", human_bytes(used_bytes).c_str(),
                   kind_, static_cast<int>(kMostRatio))
          .with_code(Errc::kBadInput);
    }
    return Bytes(out_.data(), made);
  }
  std::string problem() const override { return problem_.empty() ? input_.problem() : problem_; }

 protected:
  // Consumes the front of `packed` and returns the number of bytes written; nullopt if damaged. Sets between_frames_.
  virtual std::optional<size_t> unpack_step(Bytes& packed, std::span<uint8_t> out) = 0;
  bool between_frames_ = false;

 private:
  void describe(const char* how, uint64_t at, uint64_t made) {
    problem_ = strf("the %s file is %s at byte %llu", kind_, how, static_cast<unsigned long long>(at));
    if (made > 0) { problem_ += strf(", after %s of decompressed data", human_bytes(made).c_str()); }
  }

  Input input_;
  const char* kind_;
  std::vector<uint8_t> out_;
  Bytes packed_;
  uint64_t packed_bytes_ = 0, unpacked_bytes_ = 0;
  bool input_ended_ = false, ended_ = false, failed_ = false;
  std::string problem_;
};

class GzipPieces : public UnpackingPieces {
 public:
  explicit GzipPieces(Input input) : UnpackingPieces(std::move(input), "gzip") {
    WICK_ASSERT(::inflateInit2(&state_, 31) == Z_OK, "there is memory for a window of 32 kB");
  }
  ~GzipPieces() override { ::inflateEnd(&state_); }

 protected:
  std::optional<size_t> unpack_step(Bytes& packed, std::span<uint8_t> out) override {
    if (between_frames_) {  // files may be concatenated
      // Padding with zeros is not damage.
      if (std::all_of(packed.begin(), packed.end(), [](uint8_t byte) { return byte == 0; })) {
        packed = {};
        return 0;
      }
      ::inflateReset(&state_);
      between_frames_ = false;
    }
    size_t given = std::min<size_t>(packed.size(), UINT32_MAX);
    state_.next_in = const_cast<Bytef*>(packed.data());
    state_.avail_in = static_cast<uInt>(given);
    state_.next_out = out.data();
    state_.avail_out = static_cast<uInt>(out.size());
    int code = ::inflate(&state_, Z_NO_FLUSH);
    packed = packed.subspan(given - state_.avail_in);
    if (code == Z_STREAM_END) {
      between_frames_ = true;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      return std::nullopt;
    }
    return out.size() - state_.avail_out;
  }

 private:
  z_stream state_{};
};

class ZstdPieces : public UnpackingPieces {
 public:
  explicit ZstdPieces(Input input) : UnpackingPieces(std::move(input), "zstd"), state_(ZSTD_createDStream()) {
    WICK_ASSERT(state_ != nullptr, "there is memory for a few hundred kB");
  }
  ~ZstdPieces() override { ZSTD_freeDStream(state_); }

 protected:
  std::optional<size_t> unpack_step(Bytes& packed, std::span<uint8_t> out) override {
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    size_t code = ZSTD_decompressStream(state_, &to, &in);
    if (ZSTD_isError(code)) { return std::nullopt; }
    packed = packed.subspan(in.pos);
    between_frames_ = code == 0;
    return to.pos;
  }

 private:
  ZSTD_DStream* state_;
};

// Converts UTF-16, as Visual Studio and PowerShell write it, to UTF-8. Invalid characters become U+FFFD.
class Utf16Pieces : public Pieces {
 public:
  Utf16Pieces(Input input, bool big_endian) : input_(std::move(input)), big_endian_(big_endian) {}

  Result<Bytes> next() override {
    text_.clear();
    while (text_.empty() && !ended_) {
      WICK_LET(Bytes piece, input_.next());
      if (piece.empty()) {
        ended_ = true;
        if (high_ != 0 || half_) { append_utf8(text_, U'\xfffd'); }
      }
      for (uint8_t byte : piece) {
        if (!half_) {
          half_ = byte;
          continue;
        }
        add(static_cast<char16_t>(big_endian_ ? *half_ << 8 | byte : byte << 8 | *half_));
        half_.reset();
      }
    }
    return as_bytes(text_);
  }
  std::string problem() const override { return input_.problem(); }

 private:
  void add(char16_t unit) {
    bool is_low = unit >= 0xdc00 && unit < 0xe000;
    if (high_ != 0 && is_low) {
      append_utf8(text_, 0x10000 + (static_cast<char32_t>(high_ - 0xd800) << 10) + (unit - 0xdc00));
      high_ = 0;
      return;
    }
    if (std::exchange(high_, char16_t{0}) != 0) { append_utf8(text_, U'\xfffd'); }
    if (unit >= 0xd800 && unit < 0xdc00) {
      high_ = unit;
    } else {
      append_utf8(text_, is_low ? U'\xfffd' : static_cast<char32_t>(unit));
    }
  }

  Input input_;
  bool big_endian_, ended_ = false;
  std::optional<uint8_t> half_;  // of a unit split between pieces
  char16_t high_ = 0;            // first unit of a surrogate pair
  std::string text_;
};

bool begins_with(Bytes bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

}  // namespace

std::unique_ptr<Pieces> make_memory_pieces(Bytes bytes) { return std::make_unique<MemoryPieces>(bytes); }

Result<Bytes> Input::next() {
  if (!ready_.empty()) { return std::exchange(ready_, {}); }
  return pieces_->next();
}

void Input::skip(size_t bytes) {
  WICK_ASSERT(bytes <= ready_.size(), "only what a peek has given is taken away");
  ready_ = ready_.subspan(bytes);
}

Result<Bytes> Input::peek(size_t bytes) {
  while (ready_.size() < bytes) {
    if (ready_.empty()) {
      WICK_LET(ready_, pieces_->next());
      if (ready_.empty()) { break; }
      continue;
    }
    if (pieces_->is_memory()) { break; }  // that was all, and it stays in memory
    if (ready_.data() != joined_.data()) { joined_.assign(ready_.begin(), ready_.end()); }
    WICK_LET(Bytes more, pieces_->next());
    if (more.empty()) {
      ready_ = joined_;
      break;
    }
    joined_.insert(joined_.end(), more.begin(), more.end());
    ready_ = joined_;
  }
  return ready_.first(std::min(bytes, ready_.size()));
}

Result<Input> unpack(Input input) {
  for (int layer = 0; layer < 2; ++layer) {
    WICK_LET(Bytes head, input.peek(4));
    if (begins_with(head, "\x1f\x8b")) {
      input = Input(std::make_unique<GzipPieces>(std::move(input)));
    } else if (begins_with(head, "\x28\xb5\x2f\xfd")) {
      input = Input(std::make_unique<ZstdPieces>(std::move(input)));
    } else {
      break;
    }
  }
  WICK_LET(Bytes head, input.peek(3));
  if (begins_with(head, "\xff\xfe") || begins_with(head, "\xfe\xff")) {
    bool big_endian = head[0] == 0xfe;
    input.skip(2);
    return Input(std::make_unique<Utf16Pieces>(std::move(input), big_endian));
  }
  if (begins_with(head, "\xef\xbb\xbf")) { input.skip(3); }
  return input;
}

Result<WholeInput> read_whole(Input& input, size_t limit) {
  auto too_much = [&] {
    return Error("it is larger than %zu MB, the limit for this format", limit >> 20).with_code(Errc::kBadInput);
  };
  WholeInput whole;
  if (input.is_memory()) {
    WICK_LET(whole.bytes, input.next());
    if (whole.bytes.size() > limit) { return too_much(); }
    return whole;
  }
  for (;;) {
    WICK_LET(Bytes more, input.next());
    if (more.empty()) { break; }
    if (more.size() > limit - whole.owned.size()) { return too_much(); }
    whole.owned.insert(whole.owned.end(), more.begin(), more.end());
  }
  whole.bytes = whole.owned;
  return whole;
}

Result<bool> LineReader::next(std::string_view& line) {
  part_.clear();
  bool is_begun = false, is_cut = false;
  auto append = [&](Bytes bytes) {
    size_t room = longest_ - std::min(longest_, part_.size());
    if (bytes.size() > room && !std::exchange(is_cut, true) && cut_++ == 0) { first_cut_ = number_ + 1; }
    part_.append(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), room));
  };
  auto give = [&](std::string_view text) {
    if (text.ends_with('\r')) { text.remove_suffix(1); }
    line = text;
    ++number_;
    return true;
  };
  for (;;) {
    if (piece_.empty()) {
      if (!at_end_) {
        WICK_LET(piece_, input_.next());
        at_end_ = piece_.empty();
      }
      if (at_end_) { return is_begun ? give(part_) : false; }
    }
    auto* end = static_cast<const uint8_t*>(std::memchr(piece_.data(), '\n', piece_.size()));
    Bytes text = piece_.first(end != nullptr ? static_cast<size_t>(end - piece_.data()) : piece_.size());
    piece_ = piece_.subspan(std::min(piece_.size(), text.size() + 1));
    if (end != nullptr && !is_begun && text.size() <= longest_) {
      return give({reinterpret_cast<const char*>(text.data()), text.size()});
    }
    append(text);
    is_begun = true;
    if (end != nullptr) { return give(part_); }
  }
}

}  // namespace wick
