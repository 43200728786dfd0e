// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stack_table.h"

namespace wick {

capture::ModuleId StackTable::add_row(capture::Module row, const LoadedModule* module) {
  module_rows_.push_back(row);
  opened_.push_back(module);
  generated_.emplace_back();
  return writer_.add_module(std::move(row));
}

capture::ModuleId StackTable::add_module(const LiveProcess& process, const LoadedModule* module) {
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

capture::FrameId StackTable::add_frame(const LiveProcess& process, const AddressSpace& space, uint64_t address, bool kernel) {
  capture::Frame frame{{}, address};
  if (kernel) {
    if (!kernel_.valid()) { kernel_ = add_row({capture::ModuleKind::kKernel, "[kernel]", ""}, nullptr); }
    frame.module = kernel_;
  } else {
    Place place = space.place(address);
    frame.module = add_module(process, place.module);
    if (place.module != nullptr) { frame.address = place.svma; }
  }
  auto [entry, fresh] = frame_ids_.try_emplace({frame.address, frame.module.value}, static_cast<uint32_t>(frame_rows_.size()));
  if (fresh) {
    frame_rows_.push_back(frame);
    last_seen_ns_.push_back(0);
    writer_.add_frame(frame);
  }
  return {entry->second};
}

capture::StackId StackTable::add_node(capture::FrameId frame, capture::StackId caller) {
  auto [entry, fresh] = stack_ids_.try_emplace({frame.value, caller.value}, static_cast<uint32_t>(stack_frames_.size()));
  if (fresh) {
    stack_frames_.push_back(frame);
    writer_.add_stack({frame, caller});
  }
  return {entry->second};
}

capture::StackId StackTable::add(LiveThread& thread, const AddressSpace& space, std::span<const uint64_t> kernel,
                                 std::span<const WalkedFrame> user, uint64_t time_ns) {
  std::vector<LiveThread::Node>& last = thread.last_stack;
  if (thread.last_serial != space.serial()) {
    last.clear();
    thread.last_serial = space.serial();
  }
  size_t depth = kernel.size() + user.size();
  auto address_at = [&](size_t from_root) {
    size_t from_leaf = depth - 1 - from_root;
    return from_leaf < kernel.size() ? kernel[from_leaf] : user[from_leaf - kernel.size()].address;
  };
  size_t common = 0;
  while (common < last.size() && common < depth && last[common].address == address_at(common)) { ++common; }
  last.resize(depth);
  capture::StackId stack = common > 0 ? last[common - 1].stack : capture::StackId();
  for (size_t i = common; i < depth; ++i) {
    uint64_t address = address_at(i);
    capture::FrameId frame = add_frame(*thread.process, space, address, i >= user.size());
    last_seen_ns_[frame.value] = time_ns;
    stack = add_node(frame, stack);
    last[i] = {address, stack};
  }
  return stack;
}

}  // namespace wick
