// Prediction against measurement.
#include "app/model/validation.hpp"

#include "app/common/failure.hpp"
#include "app/common/numbers.hpp"
#include "app/common/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace memstencil::model {

namespace {

MemorySpace space_named(const std::string& text) {
  // In a build for the host all spaces are this one.
  if (text == "host") return MemorySpace::SystemAllocated;
  const auto space = memory_space_from_name(text);
  if (!space) throw Failure(ExitCode::Other, "a result names a memory space that is none: " + text);
  return *space;
}

int sweeps_fused(const std::string& sweep) {
  constexpr std::string_view temporal = "temporal:";
  return sweep.starts_with(temporal)
             ? static_cast<int>(parse_integer(std::string_view(sweep).substr(temporal.size()), 1, 1000))
             : 1;
}

/// "streamed, slabs of 344 planes"
std::int64_t planes_of_slabs(const std::string& kernel) {
  constexpr std::string_view before = "slabs of ";
  const std::size_t at = kernel.find(before);
  return at == std::string::npos ? 0 : std::stoll(kernel.substr(at + before.size()));
}

Access access_of(const Record& record) {
  const auto executor = [](const Record& name) { return name == "host" ? Executor::Host : Executor::Device; };
  return {executor(record["exec"]), executor(record["first_touch"]),
          record["options"].value("prefetch", false)};
}

Record against(double predicted, double measured) {
  return {{"predicted", predicted},
          {"measured", measured},
          {"error", measured > 0.0 ? Record(predicted / measured - 1.0) : Record()}};
}

Record row(const std::string& phase, double predicted, double measured) {
  Record out{{"phase", phase}};
  out.update(against(predicted, measured));
  return out;
}

/// Errors of what takes next to no time say nothing.
std::string line(const std::string& what, const Record& r, double total) {
  const bool tells = !r["error"].is_null() && r["measured"].get<double>() > 1e-3 * total;
  const std::string error = tells ? fmt::format("{:+.1f}%", 100.0 * r["error"].get<double>()) : "";
  return fmt::format("{:<14} {:>10} {:>10} {:>9}\n", what, seconds_text(r["predicted"].get<double>()),
                     seconds_text(r["measured"].get<double>()), error);
}

}  // namespace

TransposeCase transpose_case(const Record& record) {
  if (record.value("program", "") != "transpose" || !record.contains("phases") || record.contains("sizes") ||
      record["ranks"] != 1)
    throw Failure(ExitCode::Other, "only a transpose of one shape on one rank can be predicted");
  const double element = record["type"] == "double" ? sizeof(double) : sizeof(float);
  const auto bytes = [&](const char* rows, const char* pitch) {
    return record[rows].get<double>() * record[pitch].get<double>() * element;
  };
  TransposeCase run{.a_bytes = bytes("rows", "pitch_a"),
                    .b_bytes = record["operation"] == "in-place" ? 0.0 : bytes("columns", "pitch_b"),
                    .element_bytes = element,
                    .iterations = record["iterations"].get<std::int64_t>(),
                    .variants = {},
                    .access = access_of(record)};
  run.host_threads = record.value(Record::json_pointer("/execution/host_threads"), run.host_threads);
  run.space = space_named(record["memspace"]["effective"].get<std::string>());
  for (const Record& variant : record["variants"]) {
    if (variant["name"] == "copy" && !run.variants.empty()) continue;
    const auto asked = variant["bytes"].get<double>();
    run.variants.push_back({variant["name"].get<std::string>(),
                            variant.value(Record::json_pointer("/link/sector_bytes"), asked), asked});
  }
  return run;
}

HimenoCase himeno_case(const Record& record) {
  if (record.value("program", "") != "himeno" || !record.contains("phases"))
    throw Failure(ExitCode::Other, "only the result of a himeno run can be predicted");
  HimenoCase run{};
  double ranks = 1.0;
  run.points = 1.0;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto global = record["extents"][d].get<std::int64_t>();
    const auto parts = record["ranks"][d].get<std::int64_t>();
    run.extents[d] = (global - 2) / parts + 2;
    run.points *= static_cast<double>(global - 2);
    ranks *= static_cast<double>(parts);
  }
  run.points /= ranks;
  run.iterations = record["iterations"].get<std::int64_t>();
  run.rehearsal = record.value("rehearsal", run.rehearsal);
  run.fused = sweeps_fused(record["sweep"].get<std::string>());
  run.slab_planes = planes_of_slabs(record["sweep_kernel"].get<std::string>());
  run.access = access_of(record);
  run.host_threads = record.value(Record::json_pointer("/execution/host_threads"), run.host_threads);
  const Record& memory = record["memspace"];
  if (memory.contains("place")) {
    run.p = space_named(memory["place"]["p"].get<std::string>());
    run.coefficients = space_named(memory["place"]["coefficients"].get<std::string>());
  } else {
    run.p = run.coefficients = space_named(memory["effective"].get<std::string>());
  }
  return run;
}

Measured measured_himeno(const Record& record) {
  const Record& sweeps = record["sweep_seconds"];
  Measured out{.phases = record["phases"],
               .left_out = {},
               .first_step = sweeps["first"].get<double>(),
               .median_step = sweeps["median"].get<double>(),
               .median_of = record["iterations"].get<std::int64_t>()};
  if (record["ranks"] != Record{1, 1, 1}) out.left_out = {"halo"};
  return out;
}

Measured measured_transpose(const Record& record) {
  const Record& variant = record["variants"][0];
  Measured out{.phases = record["phases"],
               .left_out = {},
               .first_step = variant["seconds"][0].get<double>(),
               .median_step = variant["iteration_seconds"]["median"].get<double>(),
               .median_of = record["iterations"].get<std::int64_t>()};
  if (record["ranks"] != 1) out.left_out = {"pack", "exchange"};
  return out;
}

Record validate(const Prediction& prediction, const Measured& measured) {
  Record phases = Record::array();
  double predicted_total = 0.0;
  double measured_total = 0.0;
  for (const PhasePrediction& phase : prediction.phases) {
    const auto& left_out = measured.left_out;
    if (std::find(left_out.begin(), left_out.end(), phase.phase) != left_out.end()) continue;
    const double predicted = phase.split.total();
    const double seconds = measured.phases[phase.phase].get<double>();
    phases.push_back(row(phase.phase, predicted, seconds));
    predicted_total += predicted;
    measured_total += seconds;
  }
  const Record whole = prediction_record(prediction);
  return {
      {"phases", phases},
      {"total", against(predicted_total, measured_total)},
      {"first_step", against(prediction.sweeps.front().total(), measured.first_step)},
      {"median_step", against(prediction.sweeps.median_of_first(measured.median_of), measured.median_step)},
      {"causes", whole["causes"]},
      {"notes", whole["notes"]}};
}

std::string validation_text(const Record& v) {
  std::string out = fmt::format("{:<14} {:>10} {:>10} {:>9}\n", "", "predicted", "measured", "error");
  const auto total = v["total"]["measured"].get<double>();
  for (const Record& phase : v["phases"]) out += line(phase["phase"].get<std::string>(), phase, total);
  out += line("total", v["total"], total) + line("first step", v["first_step"], 0.0) +
         line("median step", v["median_step"], 0.0);
  std::string causes;
  for (const auto& [cause, seconds] : v["causes"].items())
    causes += (causes.empty() ? "" : ", ") + cause + " " + seconds_text(seconds.get<double>());
  return out + "predicted time by cause: " + causes + "\n";
}

}  // namespace memstencil::model
