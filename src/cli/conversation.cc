// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A hundred thousand answers with inlined functions are a hundred megabytes, and writing them takes most of the time. So the
// kernel gets the text without another copy, and in aligned blocks, for which filesystems use large pages.

#include "cli/conversation.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "base/fd.h"

namespace wick {
namespace {

constexpr size_t kMostRead = size_t{1} << 20, kSlice = size_t{1} << 13, kAhead = 4;
constexpr size_t kMostPieces = 1024;  // limit of one call (IOV_MAX)
constexpr size_t kBlock = size_t{512} << 10;

class PieceOutput {
 public:
  explicit PieceOutput(int fd) : fd_(fd) {
    off_t at = ::lseek(fd, 0, SEEK_CUR);
    if (at > 0) { written_ = static_cast<uint64_t>(at); }
  }

  Status add(Answer answer) {
    answers_.push_back(std::move(answer));
    Status status = ok_status();
    answers_.back().each_piece([&](std::string_view piece) {
      while (!piece.empty() && status.ok()) {
        size_t room = kBlock - static_cast<size_t>((written_ + pending_bytes_) % kBlock), size = std::min(piece.size(), room);
        pending_.push_back({const_cast<char*>(piece.data()), size});
        pending_bytes_ += size;
        piece.remove_prefix(size);
        if (size == room || pending_.size() == kMostPieces) { status = write_pending(); }
      }
    });
    return status;
  }
  // An empty answer that reuses the memory of a written one.
  Answer take_empty() {
    std::lock_guard lock(mutex_);
    if (empty_.empty()) { return {}; }
    Answer answer = std::move(empty_.back());
    empty_.pop_back();
    return answer;
  }
  // Afterwards, nothing refers to what was added.
  Status flush() {
    WICK_OK(write_pending());
    for (; !answers_.empty(); answers_.pop_front()) { give_back(answers_.front()); }
    return ok_status();
  }

 private:
  void give_back(Answer& answer) {
    answer.clear();
    std::lock_guard lock(mutex_);
    empty_.push_back(std::move(answer));
  }

  Status write_pending() {
    for (size_t first = 0; first < pending_.size();) {
      ssize_t n = ::writev(fd_, pending_.data() + first, static_cast<int>(pending_.size() - first));
      if (n < 0 && errno == EINTR) { continue; }
      if (n < 0) { return Error::from_errno(errno, "cannot write standard output"); }
      written_ += static_cast<uint64_t>(n);
      for (size_t left = static_cast<size_t>(n); left > 0;) {
        iovec& piece = pending_[first];
        size_t done = std::min(left, piece.iov_len);
        piece.iov_base = static_cast<char*>(piece.iov_base) + done;
        piece.iov_len -= done;
        left -= done;
        if (piece.iov_len == 0) { ++first; }
      }
    }
    pending_.clear();
    pending_bytes_ = 0;
    for (; answers_.size() > 1; answers_.pop_front()) { give_back(answers_.front()); }  // the last may still grow
    return ok_status();
  }

  int fd_;
  uint64_t written_ = 0;
  size_t pending_bytes_ = 0;
  std::vector<iovec> pending_;
  std::deque<Answer> answers_;  // own the pending text
  std::mutex mutex_;
  std::vector<Answer> empty_;
};

class Conversation {
 public:
  Conversation(std::vector<AnswerWriter>& writers, int input, int output) : writers_(writers), input_(input), output_(output) {}

  Status run() {
    std::string pending(kMostRead, '\0');
    size_t filled = 0;
    for (;;) {
      if (filled == pending.size()) { pending.resize(pending.size() * 2); }
      ssize_t n = ::read(input_, pending.data() + filled, pending.size() - filled);
      if (n < 0 && errno == EINTR) { continue; }
      if (n < 0) { return Error::from_errno(errno, "cannot read standard input"); }
      filled += static_cast<size_t>(n);
      std::string_view all(pending.data(), filled);
      size_t whole = n == 0 ? filled : all.rfind('\n') + 1;  // 0 without a newline
      WICK_OK(answer(all.substr(0, whole)));
      WICK_OK(output_.flush());
      if (n == 0) { return ok_status(); }
      std::memmove(pending.data(), all.data() + whole, filled - whole);
      filled -= whole;
    }
  }

 private:
  Status answer(std::string_view lines) {
    writers_[0].prepare(lines);
    bool much = lines.size() > 2 * kSlice && writers_.size() > 1;
    std::vector<std::string_view> slices;
    while (!lines.empty()) {
      size_t end = std::min(lines.find('\n', std::min(kSlice, lines.size() - 1)), lines.size() - 1) + 1;
      slices.push_back(lines.substr(0, end));
      lines.remove_prefix(end);
    }
    return much ? answer_together(slices) : answer_alone(slices);
  }

  Status answer_alone(const std::vector<std::string_view>& slices) {
    for (std::string_view slice : slices) {
      Answer text = output_.take_empty();
      writers_[0].append_all(slice, text);
      WICK_OK(output_.add(std::move(text)));
    }
    return ok_status();
  }

  Status answer_together(const std::vector<std::string_view>& slices) {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::optional<Answer>> answers(slices.size());
    size_t next = 0, written = 0;
    auto work = [&](AnswerWriter& writer) {
      std::unique_lock lock(mutex);
      for (;;) {
        changed.wait(lock, [&] { return next >= slices.size() || next < written + kAhead * writers_.size(); });
        if (next >= slices.size()) { return; }
        size_t mine = next++;
        lock.unlock();
        Answer text = output_.take_empty();
        writer.append_all(slices[mine], text);
        lock.lock();
        answers[mine] = std::move(text);
        changed.notify_all();
      }
    };
    std::vector<std::jthread> threads;
    try {
      for (AnswerWriter& writer : writers_) { threads.emplace_back(work, std::ref(writer)); }
    } catch (const std::system_error&) {
      // No more threads (process limit): the existing ones do all the work.
    }
    if (threads.empty()) { return answer_alone(slices); }
    Status status = ok_status();
    std::unique_lock lock(mutex);
    for (size_t i = 0; i < slices.size() && status.ok(); ++i) {
      changed.wait(lock, [&] { return answers[i].has_value(); });
      Answer text = *std::move(answers[i]);
      lock.unlock();
      status = output_.add(std::move(text));
      lock.lock();
      written = i + 1;
      if (!status.ok()) { next = slices.size(); }
      changed.notify_all();
    }
    return status;
  }

  std::vector<AnswerWriter>& writers_;
  int input_;
  PieceOutput output_;
};

}  // namespace

Status converse(std::vector<AnswerWriter>& writers, int input, int output) { return Conversation(writers, input, output).run(); }

Status write_answers(int output, Answer answer) {
  PieceOutput pieces(output);
  WICK_OK(pieces.add(std::move(answer)));
  return pieces.flush();
}

}  // namespace wick
