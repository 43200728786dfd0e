// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/input.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

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
// Text of profiles packs to a tenth or a fiftieth; only a file that was made to do harm unpacks to so many times its size.
constexpr uint64_t kMostRatio = 400, kRatioMatters = uint64_t{1} << 30;

Error packed_error(const char* kind, const char* what) {
  return Error("the %s file is %s", kind, what).with_code(Errc::kBadInput);
}

// What both kinds share: the packed pieces, and the limit.
class UnpackingPieces : public Pieces {
 public:
  UnpackingPieces(Input input, const char* kind) : input_(std::move(input)), kind_(kind), out_(kPieceBytes) {}

  Result<Bytes> next() override {
    if (failed_ || ended_) { return Bytes(); }
    size_t made = 0;
    while (made < out_.size() && !failure_) {
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
      Result<size_t> step = unpack_step(packed_, std::span(out_).subspan(made));
      if (!step.ok() || (input_ended_ && *step == 0)) {
        // What came out before is good: it is given first, and the failure at the next call.
        failure_ = step.ok() ? packed_error(kind_, "cut off") : std::move(step).error();
        break;
      }
      made += *step;
      if (*step == 0 && packed_.size() == before && !input_ended_ && !packed_.empty()) {
        failure_ = packed_error(kind_, "damaged");
        break;
      }
    }
    unpacked_bytes_ += made;
    if (unpacked_bytes_ > kRatioMatters && unpacked_bytes_ / kMostRatio > packed_bytes_) {
      failed_ = true;
      return Error("the %s file unpacks to more than %d times its size", kind_, static_cast<int>(kMostRatio))
          .with_code(Errc::kBadInput);
    }
    if (made == 0 && failure_) {
      failed_ = true;
      return *failure_;
    }
    return Bytes(out_.data(), made);
  }

 protected:
  // Takes from the front of `packed`, gives how many bytes it made; sets between_frames_.
  virtual Result<size_t> unpack_step(Bytes& packed, std::span<uint8_t> out) = 0;
  bool between_frames_ = false;
  const char* kind() const { return kind_; }

 private:
  Input input_;
  const char* kind_;
  std::vector<uint8_t> out_;
  Bytes packed_;
  uint64_t packed_bytes_ = 0, unpacked_bytes_ = 0;
  bool input_ended_ = false, ended_ = false, failed_ = false;
  std::optional<Error> failure_;
};

class GzipPieces : public UnpackingPieces {
 public:
  explicit GzipPieces(Input input) : UnpackingPieces(std::move(input), "gzip") {
    is_set_up_ = ::inflateInit2(&state_, 31) == Z_OK;
  }
  ~GzipPieces() override { ::inflateEnd(&state_); }

 protected:
  Result<size_t> unpack_step(Bytes& packed, std::span<uint8_t> out) override {
    if (!is_set_up_) { return Error("no memory to unpack gzip"); }
    if (between_frames_) {  // files may be several, one behind the other
      // What pads a file on a tape or a disk is no damage.
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
      return packed_error(kind(), "damaged");
    }
    return out.size() - state_.avail_out;
  }

 private:
  z_stream state_{};
  bool is_set_up_ = false;
};

class ZstdPieces : public UnpackingPieces {
 public:
  explicit ZstdPieces(Input input) : UnpackingPieces(std::move(input), "zstd"), state_(ZSTD_createDStream()) {}
  ~ZstdPieces() override { ZSTD_freeDStream(state_); }

 protected:
  Result<size_t> unpack_step(Bytes& packed, std::span<uint8_t> out) override {
    if (state_ == nullptr) { return Error("no memory to unpack zstd"); }
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    size_t code = ZSTD_decompressStream(state_, &to, &in);
    if (ZSTD_isError(code)) { return packed_error(kind(), "damaged"); }
    packed = packed.subspan(in.pos);
    between_frames_ = code == 0;
    return to.pos;
  }

 private:
  ZSTD_DStream* state_;
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

Result<Bytes> Input::peek(size_t bytes) {
  while (ready_.size() < bytes) {
    if (ready_.empty()) {
      WICK_LET(ready_, pieces_->next());
      if (ready_.empty()) { break; }
      continue;
    }
    if (pieces_->is_memory()) { break; }  // that was all, and stays where it is
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
  return input;
}

Result<WholeInput> read_whole(Input& input, size_t limit) {
  auto too_much = [&] { return Error("more than %zu MB", limit >> 20).with_code(Errc::kBadInput); };
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
    if (bytes.size() > room && !std::exchange(is_cut, true)) { ++cut_; }
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
