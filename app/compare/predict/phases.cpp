// The path by which the GPU reads and writes a memory space, the phases around the steps of a run,
// and the iterations of transpose.
#include "app/compare/predict/applications.hpp"

namespace memstencil::compare::model {

namespace {

/// A kernel that fills an array, with its start and end: fourteen take 0.5 ms at M.
constexpr double fill_launch = 35e-6;
/// It has one store a thread, and reaches this part of the copy bandwidth (6.98 ms for 15 GB).
constexpr double fill_of_copy = 0.75;

/// Seconds a byte and thread that the host takes to compute what it fills arrays with (15 GB by 16
/// threads in 0.84 s).
constexpr double host_fill = 0.9e-9;

/// Ranks of a node wait for each other in the driver: with n of them an allocation takes sqrt(n)
/// times as long as alone, and a release n times (XL on one, two and four H200: 42, 36 and 24 ms
/// for a rank's part, and 23, 24 and 25 ms).
double waiting_to_allocate(int ranks) { return std::sqrt(ranks); }
double waiting_to_free(int ranks) { return ranks; }

/// Is it memory that the host cannot reach, so that data pass through a buffer in host memory?
bool staged(MemorySpace space) { return home(space) == Home::Gpu; }

/// Does the host's operating system keep its pages, which a GPU reaches by ATS or HMM alone?
bool of_operating_system(MemorySpace space) {
  return home(space) == Home::Migrates && row_of(space).memory == Memory::Host;
}

TimeByCause initialise(const Arrays& a, const Placement& of, const MachineRates& rates) {
  const bool has_pages = home(of.space) != Home::Migrates || (of.prefetch && !of.filled_by_host);
  const char* fill = of.filled_by_host ? "first touch by host" : "first fill by device";
  TimeByCause time;
  if (!has_pages) time[Cause::FirstTouch] = rates.cost(fill, of.space).seconds(a.count, a.bytes);
  if (of.filled_by_host)
    return time + TimeByCause(Cause::HostMemory, a.bytes * (host_fill / of.host_threads));
  time[Cause::Launch] = a.count * fill_launch;
  if (home(of.space) == Home::Host)
    time[Cause::Link] = a.bytes / rates["device_writes_host"];
  else
    time[Cause::DeviceMemory] = a.bytes / (rates["device_copy"] * fill_of_copy);
  return time;
}

TimeByCause upload(const Arrays& a, const Placement& of, const MachineRates& rates) {
  if (of.filled_by_host && staged(of.space))
    return {Cause::Link, a.bytes / rates["link_to_device"]};
  if (!of.prefetch) return {};
  if (of.filled_by_host) return {Cause::Migration, a.bytes / rates["prefetch_to_device"]};
  return {Cause::FirstTouch, rates.cost("prefetch to device", of.space).seconds(a.count, a.bytes)};
}

TimeByCause download(const Arrays& a, const Placement& of, const MachineRates& rates) {
  if (home(of.space) == Home::Host) return {Cause::HostMemory, a.largest / rates["host_copy"]};
  if (staged(of.space) || (of_operating_system(of.space) && rates.gpu_translation().ats()))
    return {Cause::Link, a.largest / rates["link_to_host"]};
  return {Cause::Migration, a.largest / rates["faults_to_host"]};
}

constexpr double unbounded = 1e15;
/// The bound of a variant on a GPU (docs/lab/transpose.md: an H100 and an H200 of 132
/// multiprocessors).
struct Bounds {
  double of_copy;         ///< part of the copy bandwidth, of floats
  double of_double_copy;  ///< of doubles
  double elements;        ///< a second, through shared memory
};
const std::map<std::string, Bounds> bounds_of{
    {"copy", {1.0, 1.0, unbounded}},       {"naive", {0.13, 0.19, unbounded}},
    {"tiled", {0.95, 0.95, 212e9}},        {"padded", {0.93, 0.95, 417e9}},
    {"diagonal", {0.90, 0.93, 386e9}},     {"diagonal-conflicts", {0.95, 0.95, 212e9}},
    {"portable", {0.96, 0.96, unbounded}}, {"tuned", {0.96, 0.96, unbounded}},
    {"vendor", {0.95, 0.93, unbounded}}};
constexpr Bounds any_bounds{0.9, 0.9, unbounded};
constexpr double bounds_multiprocessors = 132;
/// Scattered elements cross a link each in a transfer of its own, at this part of the speed of full
/// ones (0.073 of the copy, 4.5 times whose bytes they move).
constexpr double scattered_of_link = 0.36;
constexpr double transpose_launch = 5e-6;

double near_seconds(const TransposeCase& run, const TransposeVariant& variant,
                    const MachineRates& rates) {
  // Only naive variants were found to be bound by tiles of 16 x 16 as by 32 x 32.
  const auto found = bounds_of.find(variant.name.starts_with("naive") ? "naive" : variant.name);
  const Bounds& bounds = found == bounds_of.end() ? any_bounds : found->second;
  const double of_copy = run.element_bytes > 4 ? bounds.of_double_copy : bounds.of_copy;
  const double elements = run.a_bytes / run.element_bytes;
  return std::max(
      variant.memory_bytes / (rates["device_copy"] * of_copy),
      elements / (bounds.elements * rates.gpu_multiprocessors() / bounds_multiprocessors));
}

/// Seconds of an iteration where this fraction of the matrices is read over the link.
TimeByCause local_time(const TransposeCase& run, const TransposeVariant& variant, double far,
                       const MachineRates& rates) {
  TimeByCause time(Cause::Launch, transpose_launch);
  if (far < 1) time[Cause::DeviceMemory] = (1 - far) * near_seconds(run, variant, rates);
  if (far > 0)
    time[Cause::Link] =
        far * variant.link_bytes /
        (rates["link_both_ways"] * (variant.name.starts_with("naive") ? scattered_of_link : 1.0));
  return time;
}

/// The iterations of all variants, while pages move.
Steps iterations(const TransposeCase& run, const MachineRates& rates) {
  Pages pages(run, run.bytes(), rates);
  Steps steps;
  for (const TransposeVariant& variant : run.variants)
    for (std::int64_t left = run.iterations; left > 0;) {
      TimeByCause time = local_time(run, variant, pages.far(), rates);
      if (pages.fault()) time[Cause::Migration] = run.bytes() / rates["faults_to_device"];
      const std::int64_t alike = pages.move(time.total(), left);
      steps.add(time, alike);
      left -= alike;
    }
  return steps;
}

}  // namespace

AccessPath access_path(const Placement& of, const Translation& translation) {
  if (home(of.space) == Home::Gpu) return AccessPath::Near;
  if (home(of.space) == Home::Host) return AccessPath::Link;
  const bool ats = of_operating_system(of.space) && translation.ats();
  if (ats && !translation.gpu_node) return AccessPath::Link;
  if (!of.filled_by_host || of.prefetch) return AccessPath::Near;
  if (ats) return translation.counters ? AccessPath::Counters : AccessPath::Link;
  return AccessPath::Faults;
}

bool gpu_reaches(MemorySpace space, const Translation& translation) {
  return !of_operating_system(space) || translation.kind != "none";
}

Pages::Pages(const Placement& of, double bytes, const MachineRates& rates)
    : path_(access_path(of, rates.gpu_translation())), bytes_(bytes) {
  // Under ATS a part of them stays far; otherwise managed pages come again in every pass.
  if (home(of.space) == Home::Migrates && rates.device_bytes && bytes > *rates.device_bytes) {
    thrash_ = !rates.gpu_translation().ats();
    stays_far_ = thrash_ ? 0 : 1 - *rates.device_bytes / bytes;
  }
  if (path_ != AccessPath::Counters) return;
  to_move_ = bytes * (1 - stays_far_);
  if (to_move_ > 0) rate_ = rates["counter_migration"];
}

std::int64_t Pages::move(double seconds, std::int64_t most) {
  if (std::exchange(first_, false)) most = 1;
  if (to_move_ == 0) return most;
  const double a_step = seconds * rate_;
  const auto steps = static_cast<std::int64_t>(
      std::clamp(std::floor(std::min(to_move_, bytes_ / 1000) / a_step), 1.0, double(most)));
  to_move_ = std::max(0.0, to_move_ - a_step * static_cast<double>(steps));
  return steps;
}

Prediction whole_run(const Arrays& a, const Placement& of, const MachineRates& rates,
                     const std::vector<Timed>& of_steps) {
  // Of the arrays, and of the buffer through which they pass.
  const auto with_buffer = [&](const char* arrays, const char* buffer, double waiting) {
    double time = rates.cost(arrays, of.space).seconds(a.count, a.bytes);
    if (staged(of.space)) time += rates.cost(buffer, MemorySpace::HostPinned).seconds(1, a.largest);
    return TimeByCause(Cause::Allocation, waiting * time);
  };
  const int ranks = of_operating_system(of.space) ? 1 : a.ranks_of_node;
  const double allocating = waiting_to_allocate(ranks), freeing = waiting_to_free(ranks);
  const bool by_device =
      home(of.space) == Home::Migrates && !of_operating_system(of.space) && !of.filled_by_host;
  const char* allocate = of.registered ? "allocate registered" : "allocate";
  const char* free = of.registered ? "free registered"
                     : by_device   ? "free after fill by device"
                                   : "free";
  std::vector<Timed> all{
      {"allocate", [&] { return with_buffer(allocate, "allocate registered", allocating); }},
      {"initialise", [&] { return initialise(a, of, rates); }},
      {"upload", [&] { return upload(a, of, rates); }}};
  all.insert(all.end(), of_steps.begin(), of_steps.end());
  all.push_back({"download", [&] { return download(a, of, rates); }});
  all.push_back({"free", [&] { return with_buffer(free, "free registered", freeing); }});
  Prediction out{.bytes = a.bytes};
  for (const auto& [name, time] : all) {
    out.phases.push_back({name});
    try {
      const Steps steps = time();
      out.phases.back().time = steps.sum();
      if (out.phases.back().is_steps()) out.steps = steps;
    } catch (const Missing& missing) {
      out.phases.back().missing = missing.what();
    }
  }
  return out;
}

Prediction predict(const TransposeCase& run, const MachineRates& rates) {
  return whole_run({2, run.bytes(), std::max(run.a_bytes, run.b_bytes)}, run, rates,
                   {{"transpose", [&] { return iterations(run, rates); }}});
}

}  // namespace memstencil::compare::model
