// Measured runs next to what the model predicts of them, from the rates of their machine.
#include "app/compare/predict/applications.hpp"

#include "kernels/jacobi/temporal_cuda_plan.hpp"

#include <cstdlib>

namespace memstencil::compare {

namespace {

using model::MachineRates;

/// All variants of the run, which share its phases.
model::TransposeCase transpose_case_of(const Record& record) {
  const double element = text(record, "type") == "double" ? 8 : 4;
  const double rows = number(record, "rows"), columns = number(record, "columns");
  model::TransposeCase run{placement_of(record),
                           rows * number_or(record, "pitch_a", columns) * element,
                           columns * number_or(record, "pitch_b", rows) * element, element,
                           static_cast<std::int64_t>(number(record, "iterations"))};
  for (const Record& variant : member(record, "variants")) {
    const std::string name = text(variant, "name");
    // A copy that follows a variant is its yardstick, and no part of the run's time.
    if (name == "copy" && !run.variants.empty()) continue;
    const double bytes = number_or(variant, "bytes", 2 * rows * columns * element);
    run.variants.push_back({name, number_or(variant, "link.sector_bytes", bytes), bytes});
  }
  return run;
}

/// Why no rate could predict it; empty otherwise.
std::string out_of_model(const Sample& s) {
  const Record& record = s.run->record;
  if (!s.by_gpu()) return "runs of a host";
  if (!s.space) return "a model of arrays in " + text(record, "memspace.effective");
  if (!value_of(s.what.memory, "pre-touch").empty()) return "runs with --pre-touch";
  // The model's costs are of memory with default pages, by the default call, or registered.
  for (const char* option : {"allocation", "pages"})
    if (const std::string how = value_of(s.what.memory, option);
        !how.empty() && !placement_of(record).registered)
      return fmt::format("runs with --{} {}", option, how);
  if (s.ranks > 1 && s.step == "transpose") return "transposes on several ranks";
  // Of another tile its steps take another time.
  const std::string kernel = text_or(record, "sweep_kernel");
  const auto has_tile = [&](const jacobi::TemporalTile& each) {
    return each.sweeps == s.fused && each.name == kernel.substr(5);
  };
  if (s.fused > 1 && kernel.starts_with("tile ") &&
      std::ranges::none_of(jacobi::temporal_tiles, has_tile))
    return fmt::format("{} sweeps fused with {}, which is gone", s.fused, kernel);
  return s.processors < s.ranks ? "ranks that share a GPU" : "";
}

model::Prediction not_predicted(const std::string& why) {
  return {.phases = {{"sweeps", {}, why}}};
}

}  // namespace

model::Placement placement_of(const Record& record) {
  const MemorySpace space = memory_space_from_name(text(record, "memspace.effective")).value();
  return {
      .space = space,
      .filled_by_host = text_or(record, "first_touch", text(record, "exec")) == "host",
      .prefetch = home(space) == Home::Migrates && text_or(record, "options.prefetch") == "true",
      .host_threads = static_cast<int>(number_or(record, "execution.host_threads", 16)),
      .registered = space == MemorySpace::HostPinned &&
                    text_or(record, "options.allocation") == "registered"};
}

model::GridCase grid_case_of(const Record& record) {
  const std::vector<double> extents = numbers(record, "extents"), ranks = numbers(record, "ranks");
  model::GridCase run{placement_of(record), *application(text(record, "program"))};
  int all = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    run.extents[d] = static_cast<std::int64_t>(extents[d]);
    run.ranks[d] = static_cast<int>(ranks[d]);
    all *= run.ranks[d];
  }
  run.of_node = (all - 1) / nodes_of(record) + 1;
  run.path = text_or(record, "halo");
  run.iterations = static_cast<std::int64_t>(number(record, "iterations"));
  run.fused = fused_of(text(record, "sweep")).value_or(1);
  run.packed = text_or(record, "layout") == "packed";
  const std::string kernel = text_or(record, "sweep_kernel"), steps = "steps of ";
  if (const std::size_t at = kernel.find(steps); at != kernel.npos)
    run.step_planes =
        std::clamp<std::int64_t>(std::atoll(kernel.c_str() + at + steps.size()), 1, run.extents[0]);
  run.warm_up =
      static_cast<std::int64_t>(std::clamp(number_or(record, "rehearsal", 0), 0.0, 128.0));
  return run;
}

model::Prediction predict_run(const Record& record, const MachineRates& rates) {
  return record.contains("sweep") ? predict(grid_case_of(record), rates)
                                  : predict(transpose_case_of(record), rates);
}

std::optional<double> predicted_rate(const model::Prediction& prediction, const Sample& sample) {
  if (sample.step != "sweep") return {};
  double predicted = 0;
  for (const model::Phase& phase : prediction.phases)
    if (phase.name == "sweeps" || phase.name == "halo" || phase.name == "reduce") {
      if (!phase.missing.empty()) return {};
      predicted += phase.time.total();
    }
  return sample.speed * (sample.all_steps + sample.once[Part::Messages]) / predicted;
}

model::Prediction predict(const Sample& s, const MachineRates& rates) {
  if (const std::string why = out_of_model(s); !why.empty()) return not_predicted(why);
  return naming(*s.run, [&] {
    const model::Prediction predicted = predict_run(s.run->record, rates);
    return std::isfinite(predicted.time().total()) ? predicted
                                                   : not_predicted("figures that are not 0");
  });
}

model::Prediction predict(const Side& side, const ProbedRates& probed, const Sample& sample) {
  const std::string gpu = text_or(sample.run->record, "machine.gpu.name");
  const auto measured = probed.find(gpu);
  const bool described = side.description && side.gpu() == gpu;
  if (measured == probed.end() && !described && out_of_model(sample).empty())
    return not_predicted("no results of membench, and no --machine");
  MachineRates rates;
  if (described) rates = model::described_rates(*side.description);
  if (measured != probed.end()) rates = overlay(rates, measured->second);
  return predict(sample, rates);
}

Record model_rows(const std::vector<Side>& sides) {
  Record rows = Record::array();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::set<std::string> known;
    const ProbedRates probed = model::probed_rates(sides[s].runs);
    if (probed.empty()) continue;
    for (const Group& group : sides[s].groups) {
      const Sample& sample = group.middle();
      // All variants of a transpose share its phases: they are predicted together.
      if (value_of(group.what.problem, "variant") == "copy" ||
          !known.insert(sample.run->file).second)
        continue;
      Case what = group.what;
      const Record* variants = find(sample.run->record, "variants");
      const bool alike = variants == nullptr || variants->size() <= 2;  // one, and copy
      for (auto& [key, value] : what.problem)
        if (key == "variant" && !alike) value = "all variants";
      const model::Prediction of = predict(sides[s], probed, sample);
      double measured = 0;
      for (const auto& [phase, seconds] : member(sample.run->record, "phases").items())
        measured += seconds.get<double>();
      Record row{{"side", sides[s].name},
                 {"case", label(what)},
                 {"program", group.what.program},
                 {"measured", measured},
                 {"predicted", Record()},
                 {"error", Record()},
                 {"median_step_measured", alike ? Record(sample.median) : Record()},
                 {"median_step_predicted", Record()},
                 {"causes", Record::object()},
                 {"not_predicted", of.why_not()},
                 {"missing", of.missing()}};
      if (of.missing().empty()) {
        const model::TimeByCause time = of.time();
        row["predicted"] = time.total();
        row["error"] = time.total() / measured - 1;
        if (alike) row["median_step_predicted"] = of.steps.median();
        for (const model::Cause cause : model::all_causes) row["causes"][name(cause)] = time[cause];
      }
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace memstencil::compare
