// One predicted run: its time at the ends of all figures' ranges, and its record.
#include "app/compare/predict/predicted_run.hpp"

#include "app/base/record/text_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace memstencil::compare {

namespace {

using model::MachineRates;
using model::Prediction;

/// Points of a series that stand in a record: the first step, where pages move, and even ones.
constexpr std::int64_t most_recorded = 400;

/// The reason why the machine cannot run it there, or empty.
std::string refused(const Work& work, MemorySpace space, const MachineRates& rates) {
  if (rates.translation && !gpu_reaches(space, *rates.translation))
    return fmt::format(
        "not served: address translation is \"{}\", so the GPU does not reach memory "
        "of malloc",
        rates.translation->kind);
  auto room = home(space) == Home::Gpu ? rates.device_bytes : rates.host_bytes;
  if (home(space) == Home::Migrates && room) *room += rates.device_bytes.value_or(0);
  if (room && work.bytes > *room)
    return fmt::format("does not fit: {} of arrays, room for {}", bytes_text(work.bytes),
                       bytes_text(*room));
  if (work.fused > model::himeno.most_fused && home(space) != Home::Host)  // its own words
    return fmt::format(
        "--sweep {}: on the device there are single, temporal:2, temporal:3, temporal:4",
        plain_text(work.record.at("sweep")));
  return "";
}

bool is_steps(const model::Phase& phase) {
  return phase.name == "sweeps" || phase.name == "transpose";
}

double seconds_of(const Prediction& of, bool steps_alone) {
  return steps_alone ? of.steps.sum().total() : of.time().total();
}

std::vector<double> series_of(const model::Steps& steps) {
  const std::int64_t all = steps.size(), kept = std::min(all, most_recorded);
  std::vector<double> series;
  for (std::int64_t n = 0; n < kept; ++n)
    series.push_back(steps[kept == all ? n : n * (all - 1) / (kept - 1)].total());
  return series;
}

}  // namespace

PredictedRun::PredictedRun(const Work& work, model::Placement placement, const model::Ends& rates)
    : work_(work),
      rates_(rates),
      placement_(placement),
      why_not_(refused(work, placement.space, rates.front())) {
  placement_.prefetch = placement_.prefetches();
  placement_.host_threads = rates.front().host_threads.value_or(placement_.host_threads);
  if (!why_not_.empty()) return;
  for (const model::End end : {model::Usual, model::Fast, model::Slow})
    at_[end] = work_.predict(placement_, rates[end]);
  for (const model::Phase& each : at_.front().phases)
    if (is_steps(each) && !each.missing.empty()) why_not_ = "not predicted without " + each.missing;
}

Record PredictedRun::prediction(bool steps_alone) const {
  constexpr double counts = 0.01;
  const double usual = seconds_of(at_[0], steps_alone);
  std::vector<std::string> assumed;
  for (const std::string& figure : assumed_figures(rates_[0])) {
    const Prediction dear =
        work_.predict(placement_, dearer(rates_[0], model::factor_of_assumed, figure));
    if (seconds_of(dear, steps_alone) >= (1 + counts) * usual) assumed.push_back(figure);
  }
  const auto [least, most] =
      std::minmax({usual, seconds_of(at_[1], steps_alone), seconds_of(at_[2], steps_alone)});
  const model::TimeByCause time = steps_alone ? at_[0].steps.sum() : at_[0].time();
  Record causes = Record::object();
  for (const model::Cause cause : model::all_causes) causes[name(cause)] = time[cause];
  return {{"least_seconds", least}, {"most_seconds", most},         {"assumed", assumed},
          {"causes", causes},       {"steps", at_[0].steps.size()}, {"steps_alone", steps_alone}};
}

Record PredictedRun::limit() const {
  const bool link = placement_.space != MemorySpace::Device &&
                    access_path(placement_, rates_[0].gpu_translation()) == model::AccessPath::Link;
  const auto [kind, of] = link ? work_.over_link : std::pair{"copy", model::Rate::DeviceCopy};
  const double rate = rates_[0][of];
  return {{"kind", kind},
          {"gbs", rate / model::giga},
          {"fraction", work_.moved / at_[0].steps.sum().total() / rate}};
}

Run PredictedRun::as_run(const MachineDescription& machine, bool steps_alone) const {
  const Prediction& usual = at_[0];
  const double steps = seconds_of_steps();
  Record record = work_.record;
  record.update({{"exec", "device"},
                 {"memspace", {{"requested", name(space())}, {"effective", name(space())}}},
                 {"first_touch", placement_.filled_by_host ? "host" : "device"},
                 {"options", {{"prefetch", placement_.prefetch}}},
                 {"limit", limit()},
                 {"prediction", prediction(steps_alone)},
                 {"machine", {{"hostname", machine.name}, {"gpu", {{"name", machine.gpu}}}}}});
  if (rates_[0].device_bytes) record["machine"]["gpu"]["memory_bytes"] = *rates_[0].device_bytes;
  for (const model::Phase& each : usual.phases)
    record["phases"][each.name] = steps_alone && !is_steps(each) ? 0 : each.time.total();
  const double speed = work_.amount / steps;
  if (record.contains("sweep")) {
    record["sweeps"]["seconds"] = series_of(usual.steps);
    record["mflops"] = 1e3 * speed;
    record["bandwidth_gbs"] = work_.moved / steps / model::giga;
  } else {
    record["variants"][0].update({{"seconds", series_of(usual.steps)},
                                  {"gbs", {{"median", speed}}},
                                  {"fraction", record["limit"]["fraction"]}});
  }
  const std::string program = record.at("program");
  return {.file = "the description of " + machine.name,
          .folder = "",
          .program = program,
          .record = std::move(record),
          .side = machine.name};
}

}  // namespace memstencil::compare
