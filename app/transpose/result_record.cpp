// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#include "app/transpose/result_record.hpp"

namespace memstencil::transpose {

void describe(Archive& a, Result::Split& split) {
  a("pack", split.pack);
  a("exchange", split.exchange);
  a("transpose", split.transpose);
}

void describe(Archive& a, Result::Bound& bound) {
  a("seconds", bound.seconds);
  a("binds", bound.binds);
  a.defaulted("path", bound.path);
  a("message_bytes", bound.message_bytes);
  a("message_seconds", bound.message_seconds);
  a("message_gbs", bound.message_gbs);
  a("memory_bytes", bound.memory_bytes);
  a("memory_seconds", bound.memory_seconds);
  a("alone", bound.alone);
}

void describe(Archive& a, Result::Mean& mean) {
  a("seconds", mean.seconds);
  a("ci95", mean.ci95);
  a("relative_half_width", mean.relative_half_width);
  a("gbs", mean.gbs);
  a("stopped", mean.stopped);
}

void describe(Archive& a, Result::Variant& variant) {
  a("name", variant.name);
  a("gbs", variant.gbs);
  a("of_copy", variant.of_copy);
  a.defaulted("verified", variant.verified);
  a.optional("bytes", variant.bytes);
  a.optional("iteration_seconds", variant.iteration_seconds);
  a.optional("mean", variant.mean);
  a.defaulted("seconds", variant.seconds);
  a.optional("energy", variant.energy);
  a.optional("split", variant.split);
  a.optional("of_bound", variant.of_bound);
}

void describe(Archive& a, Result::Skipped& skipped) {
  a("name", skipped.name);
  a("reason", skipped.reason);
}

void describe(Archive& a, Result::Limit& limit) {
  a("kind", limit.kind);
  a.defaulted("gbs", limit.gbs);
  a.defaulted("samples_gbs", limit.samples_gbs);
}

void describe(Archive& a, Result::Size& row) {
  a("size", row.size);
  a("variant", row.variant);
  describe(a, row.gbs);
  a.defaulted("of_copy", row.of_copy);
  a.optional("mean", row.mean);
  a.defaulted("seconds", row.seconds);
}

void describe(Archive& a, Result::Repeat& repeat) {
  a("variants", repeat.variants);
  a("phases", repeat.phases);
}

void describe(Archive& a, Result& r) {
  describe_head(a, "transpose", r.origin);
  a.defaulted("size", r.size);
  a.at_least("rows", r.rows, 1);
  a.at_least("columns", r.columns, 1);
  a.optional("pitch_a", r.pitch_a);
  a.optional("pitch_b", r.pitch_b);
  a("type", r.type);
  a("operation", r.operation);
  a.defaulted("iterations", r.iterations);
  a.at_least("ranks", r.ranks, 1);
  a("exec", r.exec);
  a.defaulted("execution", r.execution);
  a("memspace", r.memspace);
  a("first_touch", r.first_touch);
  a.defaulted("messages", r.messages);
  a.optional("message_library", r.message_library);
  a.optional("messages_registered", r.messages_registered);
  a.optional("bound", r.bound);
  a("variants", r.variants);
  a.defaulted("skipped", r.skipped);
  a("limit", r.limit);
  a.defaulted("phases", r.phases);
  a.defaulted("verified", r.verified);
  a.any_group("options", r.options);
  a.part_of("options", r.memory_options);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
  a.optional("sizes", r.sizes);
  a.optional("repeats", r.repeats);
}

}  // namespace memstencil::transpose
