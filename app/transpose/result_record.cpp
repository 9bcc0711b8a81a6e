// The result of a transpose run: the members of its record (docs/reference/result-format.md).
#include "app/transpose/result_record.hpp"

namespace memstencil::transpose {

void describe(Archive& a, Repeat::Split& split) {
  a("pack", split.pack);
  a("exchange", split.exchange);
  a("transpose", split.transpose);
}

void describe(Archive& a, Repeat::Bound& bound) {
  a("seconds", bound.seconds);
  a("binds", bound.binds);
  a("path", bound.path);
  a("message_bytes", bound.message_bytes);
  a("message_seconds", bound.message_seconds);
  a("message_gbs", bound.message_gbs);
  a("memory_bytes", bound.memory_bytes);
  a("memory_seconds", bound.memory_seconds);
  a("alone", bound.alone);
}

void describe(Archive& a, Repeat::Mean& mean) {
  a("seconds", mean.seconds);
  a("ci95", mean.ci95);
  a("relative_half_width", mean.relative_half_width);
  a("gbs", mean.gbs);
}

void describe(Archive& a, Repeat::Variant& variant) {
  a("name", variant.name);
  a.optional("tile", variant.tile);
  a("gbs", variant.gbs);
  a("of_copy", variant.of_copy);
  a("verified", variant.verified);
  a("bytes", variant.bytes);
  a("iteration_seconds", variant.iteration_seconds);
  a("mean", variant.mean);
  a("seconds", variant.seconds);
  a.optional("energy", variant.energy);
  a.optional("split", variant.split);
  a.optional("of_bound", variant.of_bound);
}

void describe(Archive& a, Repeat::Limit& limit) {
  a("kind", limit.kind);
  a("gbs", limit.gbs);
  a("samples_gbs", limit.samples_gbs);
}

void describe(Archive& a, Repeat& run) {
  a("variants", run.variants);
  a("limit", run.limit);
  a.optional("bound", run.bound);
  a.optional("messages_registered", run.messages_registered);
  a("phases", run.phases);
}

void describe(Archive& a, Result::Skipped& skipped) {
  a("name", skipped.name);
  a("reason", skipped.reason);
}

void describe(Archive& a, Result& r) {
  describe_head(a, "transpose", r.origin);
  a("size", r.size);
  a.at_least("rows", r.rows, 1);
  a.at_least("columns", r.columns, 1);
  a("pitch_a", r.pitch_a);
  a("pitch_b", r.pitch_b);
  a("type", r.type);
  a("operation", r.operation);
  a("iterations", r.iterations);
  a.at_least("ranks", r.ranks, 1);
  a("exec", r.exec);
  a("execution", r.execution);
  a("memspace", r.memspace);
  a("first_touch", r.first_touch);
  a("messages", r.messages);
  a.optional("message_library", r.message_library);
  describe(a, static_cast<Repeat&>(r));
  a("skipped", r.skipped);
  a("verified", r.verified);
  a.any_group("options", r.options);
  a.part_of("options", r.memory_options);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
  a.optional("repeats", r.repeats);
}

}  // namespace memstencil::transpose
