// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_json.h"

#include "export/json_writer.h"

namespace wick {
namespace {

void write_findings(JsonWriter& json, const Diagnosis& diagnosis) {
  json.key("checks").begin_array();
  for (const Finding& f : diagnosis.findings) {
    const char* verdict = verdict_name(f.verdict);
    json.line().begin_object().key("name").value(f.name).key("verdict").value(verdict[0] == '\0' ? "info" : verdict);
    json.key("why").value(f.why).key("command").value(f.command).end_object();
  }
  json.line().end_array();
}

void write_setting(JsonWriter& json, const char* name, const std::optional<int64_t>& value) {
  if (value) { json.key(name).value(*value); }
}

void write_machine(JsonWriter& json, const Machine& m, const Diagnosis& diagnosis) {
  json.key("machine").begin_object();
  json.key("host").value(m.host).key("kernel").value(m.kernel_release).key("arch").value(arch_name(host_arch()));
  json.key("cpu_model").value(m.cpu_model).key("cpus").value(m.online_cpus.size()).key("user").value(m.user);
  write_setting(json, "perf_event_paranoid", m.perf_event_paranoid);
  write_setting(json, "kptr_restrict", m.kptr_restrict);
  write_setting(json, "perf_event_max_sample_rate", m.max_sample_rate_hz);
  write_setting(json, "perf_event_mlock_kb", m.mlock_kb);
  write_setting(json, "perf_event_max_stack", m.max_stack);
  write_setting(json, "ptrace_scope", m.ptrace_scope);
  write_setting(json, "unprivileged_bpf_disabled", m.unprivileged_bpf_disabled);
  json.key("seccomp_mode").value(m.seccomp_mode).key("open_files").value(m.open_files_hard).end_object().line();
  write_findings(json, diagnosis);
}

void write_file(JsonWriter& json, const FileDiagnosis& file) {
  const elf::Inspection& in = file.facts;
  json.line().begin_object().key("path").value(file.path).key("arch").value(arch_name(in.arch));
  json.key("language").value(elf::language_name(in.language)).key("producer").value(in.producer);
  json.key("static").value(in.is_static).key("position_independent").value(in.position_independent);
  json.key("build_id").value(in.build_id).key("debug_file").value(file.debug_file);
  json.key("symbols").value(in.symtab_count).key("dynamic_symbols").value(in.dynsym_count);
  json.key("debug_bytes").value(in.dwarf.size_bytes).key("dwarf_version").value(in.dwarf.version);
  json.key("functions_with_unwind_table").value(in.unwind.functions).key("code_bytes").value(in.unwind.code_bytes);
  json.key("covered_bytes").value(in.unwind.covered_bytes).key("functions_judged").value(in.unwind.judged);
  json.key("functions_with_frame_pointer")
      .value(in.unwind.with_frame_pointer)
      .key("link_time_optimized")
      .value(in.link_time_optimized);
  json.key("build_with").begin_array();
  for (const std::string& flag : file.build_flags) { json.value(flag); }
  json.end_array().line();
  write_findings(json, file.diagnosis);
  json.end_object();
}

}  // namespace

std::string machine_json(const Machine& machine, const Diagnosis& diagnosis) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_machine(json, machine, diagnosis);
  json.line().end_object();
  return out + "\n";
}

std::string files_json(std::span<const FileDiagnosis> files) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("files").begin_array();
  for (const FileDiagnosis& file : files) { write_file(json, file); }
  json.line().end_array().line().end_object();
  return out + "\n";
}

}  // namespace wick
