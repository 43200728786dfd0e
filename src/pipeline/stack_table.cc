// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stack_table.h"

#include <algorithm>
#include <utility>

namespace wick {

capture::ModuleId StackTable::add_row(capture::Module row, const LoadedModule* module) {
  module_rows_.push_back(row);
  opened_.push_back(module);
  generated_.emplace_back();
  return writer_.add_module(std::move(row));
}

capture::ModuleId StackTable::add_module(const ProcessLife& process, const LoadedModule* module) {
  if (module == nullptr) {
    if (!unknown_.valid()) { unknown_ = add_row({capture::ModuleKind::kUnknown, "[unknown]", ""}, nullptr); }
    return unknown_;
  }
  bool own = !module->image && module->kind != LoadedModule::Kind::kVdso;
  if (own) {
    auto [entry, fresh] =
        own_module_ids_.try_emplace({module->index, process.row.value}, static_cast<uint32_t>(module_rows_.size()));
    if (fresh) {
      bool file = module->kind == LoadedModule::Kind::kFile;
      add_row({file ? capture::ModuleKind::kFile : capture::ModuleKind::kAnonymous, module->path, module->build_id}, module);
      generated_.back() = process.jit;
    }
    return {entry->second};
  }
  if (module->index >= module_ids_.size()) { module_ids_.resize(module->index + 1); }
  capture::ModuleId& id = module_ids_[module->index];
  if (!id.valid()) {
    capture::ModuleKind kind =
        module->kind == LoadedModule::Kind::kVdso ? capture::ModuleKind::kVdso : capture::ModuleKind::kFile;
    id = add_row({kind, module->path, identity_of(*module)}, module);
  }
  return id;
}

capture::FrameId StackTable::add_frame(const ProcessLife& process, const AddressSpace& space, uint64_t address, bool kernel) {
  capture::Frame frame{{}, address};
  if (kernel) {
    if (!kernel_.valid()) { kernel_ = add_row({capture::ModuleKind::kKernel, "[kernel]", ""}, nullptr); }
    frame.module = kernel_;
  } else {
    Place place = space.place(address);
    frame.module = add_module(process, place.module);
    if (place.module != nullptr) { frame.address = place.svma; }
  }
  capture::FrameId next{static_cast<uint32_t>(frame_rows_.size())};
  auto [entry, is_new] = frame_ids_.try_emplace({frame.address, frame.module.value}, next.value);
  if (!is_new) { return {entry->second}; }
  const LoadedModule* file = opened_[frame.module.value];
  bool has_names = kernel || (file != nullptr && file->image);
  if (alike_ != nullptr && has_names) { entry.value() = alike_->find_or_add(file, frame.address, next).value; }
  if (entry->second == next.value) {
    frame_rows_.push_back(frame);
    last_seen_ns_.push_back(0);
    writer_.add_frame(frame);
  }
  return {entry->second};
}

capture::FrameId StackTable::find_frame(const ProcessLife& process, const AddressSpace& space, uint64_t address, bool kernel) {
  uint64_t serial = kernel ? UINT64_MAX : space.serial();
  RecentFrame& recent = recent_[hash_pair(address, serial) % kRecentFrames];
  bool same = recent.address == address && recent.serial == serial && recent.process == process.row.value && recent.frame.valid();
  if (!same) { recent = {address, serial, process.row.value, add_frame(process, space, address, kernel)}; }
  return recent.frame;
}

void StackTable::NodeTable::grow() {
  std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(std::max<size_t>(1024, entries_.size() * 2)));
  for (const Entry& entry : old) {
    if (entry.value == UINT32_MAX) { continue; }
    size_t at = hash_pair(entry.key, 0) & (entries_.size() - 1);
    while (entries_[at].value != UINT32_MAX) { at = (at + 1) & (entries_.size() - 1); }
    entries_[at] = entry;
  }
}

uint32_t StackTable::NodeTable::find_or_add(uint64_t key, uint32_t fresh) {
  if (count_ * 2 >= entries_.size()) { grow(); }
  size_t at = hash_pair(key, 0) & (entries_.size() - 1);
  while (entries_[at].value != UINT32_MAX && entries_[at].key != key) { at = (at + 1) & (entries_.size() - 1); }
  if (entries_[at].value == UINT32_MAX) {
    entries_[at] = {key, fresh};
    ++count_;
  }
  return entries_[at].value;
}

capture::StackId StackTable::add_node(capture::FrameId frame, capture::StackId caller) {
  auto fresh = static_cast<uint32_t>(stack_frames_.size());
  uint32_t row = stack_ids_.find_or_add(uint64_t{caller.value} << 32 | frame.value, fresh);
  if (row == fresh) {
    stack_frames_.push_back(frame);
    writer_.add_stack({frame, caller});
  }
  return {row};
}

capture::StackId StackTable::add(ThreadLife& thread, const AddressSpace& space, std::span<const uint64_t> addresses, size_t user,
                                 uint64_t time_ns) {
  std::vector<uint64_t>& last = thread.last_addresses;
  std::vector<capture::StackId>& stacks = thread.last_stacks;
  if (thread.last_serial != space.serial()) {
    last.clear();
    thread.last_serial = space.serial();
  }
  size_t most = std::min(last.size(), addresses.size()), common = 0;
  while (common < most && last[common] == addresses[common]) { ++common; }
  if (!own_module_ids_.empty()) {  // only symbols of generated code change over time
    for (size_t i = 0; i < common; ++i) { last_seen_ns_[innermost(stacks[i]).value] = time_ns; }
  }
  last.assign(addresses.begin(), addresses.end());
  stacks.resize(addresses.size());
  capture::StackId stack = common > 0 ? stacks[common - 1] : capture::StackId();
  for (size_t i = common; i < addresses.size(); ++i) {
    capture::FrameId frame = find_frame(*thread.process, space, addresses[i], i >= user);
    last_seen_ns_[frame.value] = time_ns;
    stack = stacks[i] = add_node(frame, stack);
  }
  return stack;
}

}  // namespace wick
