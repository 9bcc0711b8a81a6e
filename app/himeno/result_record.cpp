// The result of a himeno run: the members of its record (docs/reference/result-format.md).
#include "app/himeno/result_record.hpp"

namespace memstencil::himeno {

void describe(Archive& a, TriedSweep& tried) {
  a("sweep", tried.sweep);
  a("tile", tried.tile);
  a.defaulted("layout", tried.layout);
  a.optional("failed", tried.failed);
  a.optional("refused", tried.refused);
  a.optional("sweep_seconds", tried.sweep_seconds);
  a.optional("count", tried.count);
  a.optional("fraction", tried.fraction);
}

void describe(Archive& a, OptionsOfCase& options) {
  describe(a, options.memory);
  a("pre-touch", options.pre_touch);
  if (options.pre_touch == "") options.pre_touch.reset();  // as the option is echoed without one
  a("coefficients", options.coefficients);
  a("seconds", options.seconds);
}

void describe(Archive& a, Result::Limit& limit) {
  a("kind", limit.kind);
  a.defaulted("gbs", limit.gbs);
  a.defaulted("mflops", limit.mflops);
  a("fraction", limit.fraction);
  a.defaulted("samples_gbs", limit.samples_gbs);
}

void describe(Archive& a, Result::SweepSeconds& seconds) {
  describe(a, seconds.spread);
  a.defaulted("count", seconds.count);
  a("first", seconds.first);
  a.defaulted("last", seconds.last);
}

void describe(Archive& a, Result::Samples& samples) { a.not_empty("seconds", samples.seconds); }

void describe(Archive& a, Result::Repeat& repeat) {
  a("gosa", repeat.gosa);
  a("mflops", repeat.mflops);
  a("mflops_end_to_end", repeat.mflops_end_to_end);
  a.optional("solve_seconds", repeat.solve_seconds);
  a.optional("total_seconds", repeat.total_seconds);
  a("limit_gbs", repeat.limit_gbs);
  a.optional("energy", repeat.energy);
  a("phases", repeat.phases);
  a("sweeps", repeat.sweeps);
}

void describe(Archive& a, Scaling& scaling) {
  a("exchanges", scaling.exchanges);
  a("exchange_seconds", scaling.exchange_seconds);
  a("transfer_seconds", scaling.transfer_seconds);
  a("waiting_seconds", scaling.waiting_seconds);
  a("hidden_seconds", scaling.hidden_seconds);
  a.optional("edges_first", scaling.edges_first);
  a.optional("edges_share", scaling.edges_share);
  a("processors", scaling.processors);
}

void describe(Archive& a, Result& r) {
  describe_head(a, "himeno", r.origin);
  a("size", r.size);
  a.at_least("extents", r.extents, 3);
  a.at_least("iterations", r.iterations, 1);
  a.defaulted("rehearsal", r.rehearsal);
  a.at_least("ranks", r.ranks, 1);
  a("exec", r.exec);
  a.defaulted("execution", r.execution);
  a("memspace", r.memspace);
  a.defaulted("layout", r.layout);
  a("first_touch", r.first_touch);
  a("sweep", r.sweep);
  a("sweep_kernel", r.sweep_kernel);
  a.defaulted("halo", r.halo);
  a.defaulted("fma", r.fma);
  a.defaulted("gosa", r.gosa);
  a("mflops", r.mflops);
  a("mflops_end_to_end", r.mflops_end_to_end);
  a.optional("solve_seconds", r.solve_seconds);
  a.optional("total_seconds", r.total_seconds);
  a("bandwidth_gbs", r.bandwidth_gbs);
  a("limit", r.limit);
  a.optional("energy", r.energy);
  a.with_names(
      "phases", r.phases,
      {"allocate", "initialise", "upload", "sweeps", "halo", "reduce", "download", "free"});
  a("sweep_seconds", r.sweep_seconds);
  a("sweeps", r.sweeps);
  a.optional("drift", r.drift);
  a.defaulted("verified", r.verified);
  a.any_group("options", r.options);
  a.part_of("options", r.options_of_case);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
  a.optional("halo_library", r.halo_library);
  a.optional("halo_registered", r.halo_registered);
  a.optional("division", r.division);
  a.optional("scaling", r.scaling);
  a.optional("note", r.note);
  a.optional("staging", r.staging);
  a.optional("residency", r.residency);
  a.optional("trial", r.trial);
  a.optional("gosa_history", r.gosa_history);
  a.optional("repeats", r.repeats);
  a.optional("mflops_spread", r.mflops_spread);
}

void describe(Archive& a, TuneResult::Limit& limit) {
  a.defaulted("kind", limit.kind);
  a.defaulted("gbs", limit.gbs);
}

void describe(Archive& a, TuneResult::Fastest& fastest) {
  a("sweep", fastest.sweep);
  a("tile", fastest.tile);
  a.defaulted("layout", fastest.layout);
}

void describe(Archive& a, TuneResult& r) {
  describe_head(a, "himeno", r.origin);
  a("size", r.size);
  a.at_least("extents", r.extents, 3);
  a.at_least("ranks", r.ranks, 1);
  a("exec", r.exec);
  a.defaulted("execution", r.execution);
  a("memspace", r.memspace);
  a("limit", r.limit);
  a("tune", r.tune);
  a.defaulted("fastest", r.fastest);
  a.defaulted("verified", r.verified);
  a.any_group("options", r.options);
  a.part_of("options", r.options_of_case);
  a("machine", r.machine);
  a.optional("provenance", r.provenance);
}

}  // namespace memstencil::himeno
