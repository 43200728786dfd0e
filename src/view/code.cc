// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "view/code.h"

#include "export/json_writer.h"
#include "export/viewer_columns.h"
#include "import/perf/perf_data.h"

namespace wick {
namespace {

void write_row(JsonWriter& json, const CodeRow& row) {
  json.line().begin_object().key("kind").value(code_row_name(row.kind)).key("depth").value(row.depth);
  json.key("line").value(row.line).key("instruction").value(row.instruction).key("end").value(row.end);
  json.key("file").value(row.file != nullptr ? *row.file : std::string()).key("text");
  row.text != nullptr ? json.value(*row.text) : json.null();
  json.end_object();
}

void write_instruction(JsonWriter& json, const CodeInstruction& i) {
  std::string text = i.called.empty() ? i.machine.text : i.machine.text + " <" + i.called + ">";
  bool is_jump = i.machine.kind == elf::Instruction::Kind::kJump && i.machine.target && i.called.empty();
  json.line().begin_object().key("address").value(viewer_address(i.machine.address)).key("size").value(i.machine.size);
  json.key("bytes").value(i.bytes).key("text").value(text).key("target");
  is_jump ? json.value(viewer_address(*i.machine.target)) : json.value(-1);
  json.end_object();
}

}  // namespace

const char* code_row_name(CodeRow::Kind kind) {
  switch (kind) {
    case CodeRow::Kind::kFile: return "file";
    case CodeRow::Kind::kLine: return "line";
    case CodeRow::Kind::kInlined: return "inlined";
    case CodeRow::Kind::kInstruction: return "instruction";
    case CodeRow::Kind::kGap: return "gap";
  }
  return "";
}

bool has_linked_addresses(const Profile& profile) {
  return profile.imported_from().empty() || profile.imported_from() == kPerfDataReader.what;
}

FunctionCode read_page_code(CodeReader& reader, FunctionId function) {
  FunctionCode code = reader.read(function);
  if (reader.has_other_builds(function)) {
    code.notes.push_back("there are several builds of " + code.module + ": instructions are those of one, lines add up all");
  }
  return code;
}

std::string code_json(const FunctionCode& code) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("name").value(code.name).key("module").value(code.module);
  json.line().key("rows").begin_array();
  for (const CodeRow& row : compute_code_rows(code)) { write_row(json, row); }
  json.end_array();
  json.line().key("instructions").begin_array();
  for (const CodeInstruction& i : code.instructions) { write_instruction(json, i); }
  json.end_array();
  json.line().key("notes").begin_array();
  for (const std::string& note : code.notes) { json.value(note); }
  json.end_array().end_object();
  return out;
}

}  // namespace wick
