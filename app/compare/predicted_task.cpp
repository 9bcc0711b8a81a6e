// The task of a prediction, and its time in each memory space of a machine.
#include "app/compare/predicted_task.hpp"

#include "app/base/cli/numbers.hpp"
#include "app/base/record/text_report.hpp"
#include "app/base/runtime/failure.hpp"
#include "app/compare/model/himeno_model.hpp"
#include "app/compare/model/transpose_model.hpp"
#include "app/himeno/problem.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <utility>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// The thesis' way to run (section 4.3).
constexpr model::Access thesis_access{
    .executor = Executor::Device, .first_touch = Executor::Host, .prefetch = false};

Task himeno_task(const PredictedRun& run) {
  const std::int64_t sweeps = run.iterations.value_or(3000);
  model::HimenoCase one;
  one.extents = size_of(run);
  one.points = updated_points(one.extents);
  one.iterations = sweeps;
  one.access = thesis_access;
  return {.what = fmt::format("Himeno {}, {} sweeps", himeno::size_name(one.extents), sweeps),
          .step = "sweep",
          .speed = {"speed of the sweeps", Show::Number, "GFLOPS"},
          .work = himeno::original_flops(one.extents) / 1e9,
          .bytes = (model::arrays_of_p + model::arrays_of_coefficients) * one.array_bytes(),
          .predict = [one](MemorySpace space, const MachineRates& rates) {
            model::HimenoCase run_in = one;
            run_in.p = run_in.coefficients = space;
            return predict(run_in, rates);
          }};
}

/// "32768", "8191x12289": rows and columns.
std::pair<std::int64_t, std::int64_t> matrix_size(const std::string& text) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  try {
    const std::size_t x = text.find('x');
    const std::int64_t rows = parse_integer(text.substr(0, x), 1, most);
    return {rows, x == std::string::npos ? rows : parse_integer(text.substr(x + 1), 1, most)};
  } catch (const std::invalid_argument&) {
    throw Failure(
        ExitCode::Usage,
        fmt::format(
            "--size: '{}' is not a size: valid are N and ROWSxCOLUMNS, each 1 to 2147483647",
            text));
  }
}

/// The tuned kernel reads and writes whole sectors.
Task transpose_task(const PredictedRun& run) {
  const auto [rows, columns] = matrix_size(run.size.empty() ? "32768" : run.size);
  const double bytes = sizeof(float) * static_cast<double>(rows) * static_cast<double>(columns);
  model::TransposeCase one;
  one.a_bytes = one.b_bytes = bytes;
  one.iterations = run.iterations.value_or(100);
  one.variants = {{.name = "tuned", .link_bytes = 2 * bytes, .memory_bytes = 2 * bytes}};
  one.access = thesis_access;
  return {
      .what = fmt::format("{} transposes of {} x {} floats, tuned", one.iterations, rows, columns),
      .step = "transpose",
      .speed = {"speed of the transposes", Show::Number, "GB/s"},
      .work = 2 * bytes / 1e9,
      .bytes = 2 * bytes,
      .predict = [one](MemorySpace space, const MachineRates& rates) {
        model::TransposeCase run_in = one;
        run_in.space = space;
        return predict(run_in, rates);
      }};
}

/// The reason why the machine cannot run it there, or empty.
std::string why_not(MemorySpace space, const Task& task, const MachineRates& rates) {
  if (!gpu_reaches(space, *rates.translation))
    return fmt::format(
        "not served: address translation is \"{}\", so the GPU does not reach memory "
        "of malloc; use managed",
        rates.translation->kind);
  if (space == MemorySpace::Device && rates.device_bytes && task.bytes > *rates.device_bytes)
    return fmt::format("does not fit: {} of arrays, {} of GPU memory", bytes_text(task.bytes),
                       bytes_text(*rates.device_bytes));
  return "";
}

}  // namespace

std::array<std::int64_t, 3> size_of(const PredictedRun& run) {
  try {
    return himeno::parse_size(run.size.empty() ? "XL" : run.size);
  } catch (const std::invalid_argument& error) {
    throw Failure(ExitCode::Usage, fmt::format("--size: {}", error.what()));
  }
}

Task task_of(const PredictedRun& run) {
  return run.program == "himeno" ? himeno_task(run) : transpose_task(run);
}

std::vector<PredictedSpace> predicted_spaces(const Task& task, const MachineRates& rates) {
  std::vector<PredictedSpace> spaces;
  for (const MemorySpace space : all_memory_spaces) {
    const std::string refused = why_not(space, task, rates);
    spaces.push_back({space,
                      refused.empty() ? std::optional(task.predict(space, rates)) : std::nullopt,
                      refused});
  }
  return spaces;
}

}  // namespace memstencil::compare
