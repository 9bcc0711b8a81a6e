// Measured runs next to what the model predicts of them, from the rates of their machine.
#include "app/compare/model_rows.hpp"

#include "app/compare/applications.hpp"
#include "app/compare/model/sources.hpp"
#include "app/compare/model/transposes.hpp"
#include "app/compare/tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

namespace memstencil::compare {

namespace {

using model::MachineRates;

/// The error that docs/model.md promises for most runs.
constexpr double wanted_error = 0.15;

/// The number that follows `before`, as 3 in "temporal:3"; `otherwise` where `before` is not there.
std::int64_t number_after(std::string_view before, const std::string& text, std::int64_t otherwise,
                          std::int64_t most) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return otherwise;
  std::int64_t found = 0;
  const auto [end, error] =
      std::from_chars(text.data() + at + before.size(), text.data() + text.size(), found);
  if (error != std::errc() || found < 1 || found > most)
    throw Failure(ExitCode::Other, fmt::format("'{}' is no sweep", text));
  return found;
}

model::Access access_of(const Sample& s) {
  return {text_or(s.run->record, "first_touch", s.executor) == "host",
          text_or(s.run->record, "options.prefetch") == "true"};
}

MemorySpace space_of(const Sample& s) {
  const std::string name = text(s.run->record, "memspace.effective");
  if (name == "host") return MemorySpace::SystemAllocated;
  const auto space = memory_space_from_name(name);
  if (!space) throw model::Missing("a model of arrays in " + name);
  return *space;
}

int threads_of(const Sample& s) {
  return std::clamp(static_cast<int>(number_or(s.run->record, "execution.host_threads", 16)), 1,
                    1'000'000);
}

/// The first rank's part, taken for an equal share.
model::GridCase grid_case_of(const Sample& s, const model::Stencil& stencil) {
  const Record& record = s.run->record;
  const std::vector<double> extents = numbers(record, "extents"), ranks = numbers(record, "ranks");
  if (extents.size() != 3 || ranks.size() != 3)
    throw Failure(ExitCode::Other, "'extents' or 'ranks' are not three");
  model::Triple whole{}, part{};
  model::Ranks of;
  double points = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    whole[d] = static_cast<std::int64_t>(extents[d]);
    of.ranks[d] = std::clamp(static_cast<int>(ranks[d]), 1, 100'000);
    part[d] = (whole[d] - 2) / of.ranks[d] + 2;
    points *= static_cast<double>(whole[d] - 2);
  }
  model::GridCase run = model::grid_case(stencil, part);
  run.points = points / s.ranks;
  if (s.ranks > 1) {
    of.whole = whole;
    of.of_node = (s.ranks + s.nodes - 1) / s.nodes;
    of.path = text_or(record, "halo");
    run.ranks = of;
  }
  run.iterations = s.steps;
  run.fused = static_cast<int>(number_after("temporal:", text_or(record, "sweep"), 1, 64));
  run.slab_planes = number_after("slabs of ", text_or(record, "sweep_kernel"), 0, whole[0]);
  run.warm_up =
      static_cast<std::int64_t>(std::clamp(number_or(record, "rehearsal", 0), 0.0, 128.0));
  run.access = access_of(s);
  run.host_threads = threads_of(s);
  run.space = space_of(s);
  return run;
}

/// Those of the run that a prediction is of.
enum class Variants { Own, All };

model::TransposeCase transpose_case_of(const Sample& s, Variants variants) {
  const Record& record = s.run->record;
  const double element = text(record, "type") == "double" ? 8 : 4;
  const double rows = number(record, "rows"), columns = number(record, "columns");
  const auto matrix = [&](double of, const char* pitch, double otherwise) {
    return of * number_or(record, pitch, otherwise) * element;
  };
  model::TransposeCase run{.a_bytes = matrix(rows, "pitch_a", columns),
                           .b_bytes = matrix(columns, "pitch_b", rows),
                           .element_bytes = element,
                           .iterations = s.steps,
                           .variants = {},
                           .access = access_of(s),
                           .host_threads = threads_of(s),
                           .space = space_of(s)};
  for (const Record& variant : member(record, "variants")) {
    const std::string name = text(variant, "name");
    if (variants == Variants::Own ? name != value_of(s.what.problem, "variant")
                                  : name == "copy" && !run.variants.empty())
      continue;  // a copy that follows a variant is its yardstick, and no part of the run's time
    const double bytes = number_or(variant, "bytes", s.bytes);
    run.variants.push_back({name, number_or(variant, "link.sector_bytes", bytes), bytes});
  }
  return run;
}

model::Prediction predict(const Sample& s, Variants variants, const MachineRates& rates) {
  const model::Stencil* stencil = application(s.run->program)->stencil;
  return stencil != nullptr ? predict(grid_case_of(s, *stencil), rates)
                            : predict(transpose_case_of(s, variants), rates);
}

/// Why no rate could predict it; empty otherwise.
std::string out_of_model(const Sample& s) {
  if (!s.by_gpu()) return "runs of a host";
  if (!value_of(s.what.memory, "pre-touch").empty()) return "runs with --pre-touch";
  if (s.ranks > 1 && s.step == "transpose") return "transposes on several ranks";
  return s.processors < s.ranks ? "ranks that share a GPU" : "";
}

struct Errors {
  std::size_t rows = 0, good = 0, left = 0;
  const Record* worst = nullptr;
  std::set<std::string> missing = {};
};

}  // namespace

std::optional<double> PredictedRun::rate(const Sample& sample) const {
  if (!prediction) return {};
  double predicted = 0, measured = sample.all_steps;
  for (const model::Phase& phase : prediction->phases) {
    const bool step = phase.name == "sweeps" || phase.name == "halo" || phase.name == "reduce" ||
                      phase.name == "transpose";
    if (step && !phase.missing.empty()) return {};
    if (step) predicted += phase.time.total();
  }
  if (sample.step == "sweep") measured += sample.once[Part::Messages];
  return predicted > 0 ? std::optional(sample.speed * measured / predicted) : std::nullopt;
}

Predictor::Predictor(const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    SideRates of;
    if (side.description) of.rates = model::described_rates(*side.description);
    for (const Run* run : side.runs) {
      if (run->program != "membench" || find(run->record, "machine.gpu") == nullptr) continue;
      const MachineRates probed = model::probed_rates(*run);
      of.rates = of.rates ? overlay(*of.rates, probed) : probed;
      of.measured = true;
    }
    rates_.push_back(std::move(of));
  }
}

PredictedRun Predictor::run(std::size_t side, const Sample& sample, bool whole_run) const {
  PredictedRun out{.prediction = {}, .missing = out_of_model(sample)};
  if (!out.missing.empty()) return out;
  if (!rates_[side].rates) {
    out.missing = "no results of membench, and no --machine";
    return out;
  }
  return naming(*sample.run, [&] {
    try {
      out.prediction =
          predict(sample, whole_run ? Variants::All : Variants::Own, *rates_[side].rates);
      out.missing = fmt::format("{}", fmt::join(out.prediction->missing(), "; "));
    } catch (const model::Missing& missing) {
      out.missing = missing.what();
    }
    if (out.prediction && !std::isfinite(out.prediction->time().total()))
      throw Failure(ExitCode::Other, "with its figures the model predicts no number");
    return out;
  });
}

Record model_rows(const std::vector<Side>& sides, const Predictor& predictor) {
  Record rows = Record::array();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    std::set<const Run*> known;
    for (const Group& group : sides[s].groups) {
      const Sample& sample = group.middle();
      // All variants of a transpose share its phases: they are predicted together.
      if (!predictor.measured(s) || value_of(group.what.problem, "variant") == "copy" ||
          !known.insert(sample.run).second)
        continue;
      const PredictedRun of = predictor.run(s, sample, true);
      double measured = 0;
      for (const auto& [phase, seconds] : member(sample.run->record, "phases").items())
        measured += seconds.get<double>();
      Record row{{"side", sides[s].name},
                 {"case", label(group.what)},
                 {"program", group.what.program},
                 {"measured", measured},
                 {"predicted", Record()},
                 {"error", Record()},
                 {"median_step_measured", sample.median},
                 {"median_step_predicted", Record()},
                 {"causes", Record::object()},
                 {"not_predicted", of.missing},
                 {"missing",
                  of.prediction ? Record(of.prediction->missing()) : Record::array({of.missing})}};
      if (of.missing.empty()) {
        const model::TimeByCause time = of.prediction->time();
        row["predicted"] = time.total();
        row["error"] = time.total() / measured - 1;
        row["median_step_predicted"] = of.prediction->steps.median();
        for (const model::Cause cause : model::all_causes) row["causes"][name(cause)] = time[cause];
      }
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<std::string> model_sentences(const Record& rows) {
  std::vector<std::string> order;
  std::map<std::string, Errors> sides;
  for (const Record& row : rows) {
    const std::string side = text(row, "side");
    if (sides.count(side) == 0) order.push_back(side);
    Errors& of = sides[side];
    const auto error = number_if(row, "error");
    if (!error) {
      ++of.left;
      for (const Record& each : row.at("missing")) of.missing.insert(each.get<std::string>());
      continue;
    }
    ++of.rows;
    of.good += std::abs(*error) < wanted_error ? 1 : 0;
    if (of.worst == nullptr || std::abs(*error) > std::abs(number(*of.worst, "error")))
      of.worst = &row;
  }
  std::vector<std::string> all;
  for (const std::string& side : order) {
    const Errors& of = sides[side];
    std::string sentence = fmt::format("{}: {} of {} cases within {:.0f} % of their wall time",
                                       side, of.good, of.rows, 100 * wanted_error);
    if (of.worst != nullptr)
      sentence += fmt::format("; the worst is {:+.1f} %, {}", 100 * number(*of.worst, "error"),
                              text(*of.worst, "case"));
    if (of.left > 0)
      sentence +=
          fmt::format("; not predicted: {} (missing: {})", of.left, fmt::join(of.missing, "; "));
    all.push_back(sentence + ".");
  }
  return all;
}

}  // namespace memstencil::compare
