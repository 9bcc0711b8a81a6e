// The model of grid codes: their phases, and their sweeps one after the other.
#include "app/compare/predict/applications.hpp"

#include "kernels/grid/grid.hpp"
#include "kernels/jacobi/temporal_cuda_plan.hpp"

namespace memstencil::compare::model {

namespace {

/// Fetching the residuals of all sweeps and adding them up: a copy and its wait.
constexpr double reduce_seconds = 30e-6;

/// Part of the copy bandwidth that himeno's fused sweeps of 56 bytes a point reach where it binds
/// them, by the sweeps of a pass (docs/lab/l2-halves.md, L and XL; the fourth as the others, 0.82 a
/// sweep: there it never binds). The GPU's kernels are built for these; what is fused further is
/// streamed.
constexpr std::array<double, 5> of_device_copy{0.0, 0.0, 1.77, 2.46, 3.28};
/// Sweeps in the ring of streamed ones, in the time of a single one: four a kernel, of whose 74
/// steps 64 are planes that arrive (docs/lab/streamed-sweeps.md).
constexpr double of_streamed = 2.3;
/// Seconds that a step of the fused kernel's blocks takes where its instructions bind it, by the
/// sweeps of a pass (docs/lab/l2-halves.md: himeno on the H200 at M; T = 4: at XL, with tiles of 16
/// rows; 132 multiprocessors at 1.98 GHz).
constexpr std::array<double, 5> fused_step{0.0, 0.0, 1.53e-6, 1.13e-6, 1.585e-6};
/// Fused sweeps of packed coefficients are faster by this factor (an H100: 1.09 at XL and L, 1.06
/// at M).
constexpr double of_packed = 1.09;
/// Over a link: rows of p that tiles of 128 x 2 points and 8 planes share cross once for each of
/// them (rows 4/2, planes 10/8, transfers of 32 bytes 144/128).
constexpr double reads_of_p_over_link = 2.8;
/// A cache-coherent link is read through the GPU's L2, which holds planes of p: each crosses once.
constexpr double reads_of_p_under_ats = 1.0;
/// The part of a plain copy's rate over the link that sweeps get: 0.89 to 0.99 in 11 runs at XL.
constexpr double of_link = 0.94;
/// Migration rate of fourteen arrays at once, of that of one. The driver moves blocks of 2 MiB, and
/// a block that holds several planes is asked for in parts (5.0 and 5.5 of 9.3 GB/s at M and L, 9.7
/// at XL, whose planes are blocks). Why is inferred, that it is so measured.
constexpr double faults_of_whole_blocks = 1.04;
constexpr double faults_of_parts = 0.57;
constexpr double fault_block_bytes = 2097152;
/// Start and end of a pass's kernels (79.3 us a sweep at M on an H100, where 0.99 of the copy would
/// take 75.6; 60.5 and 53.4 on an H200).
constexpr double device_launch = 6e-6;
constexpr double fused_launch = 5e-6;

/// Is it a pass of the GPU's fused kernel?
bool by_fused_kernel(int fused) {
  return fused > 1 && static_cast<std::size_t>(fused) < fused_step.size();
}

/// The steps of the fused kernel's busiest multiprocessor.
/// A rank in the middle has neighbours on both sides.
jacobi::TemporalSteps fused_steps(const GridCase& run, const MachineRates& rates) {
  constexpr double largest_array = 1e12;  // no GPU holds it, and the plan counts in int
  if (run.array_bytes() > largest_array) throw Missing("a plan of fused sweeps of so many points");
  Grid grid{};
  const Triple part = run.part();
  for (std::size_t d = 0; d < 3; ++d) {
    const bool before = run.ranks[d] > 2, behind = run.ranks[d] > 1;
    const std::int64_t below = before ? run.fused : 1, above = behind ? run.fused : 1;
    grid.owned.lo[d] = below;
    grid.owned.hi[d] = below + part[d] - 2;
    grid.extents[d] = grid.owned.hi[d] + above;
    grid.interior.lo[d] = before ? 0 : below;
    grid.interior.hi[d] = behind ? grid.extents[d] : grid.owned.hi[d];
  }
  const auto fastest =
      std::ranges::find(jacobi::temporal_tiles, run.fused, &jacobi::TemporalTile::sweeps);
  const bool staged = run.path == "staged";  // as Halo::edges_first()
  const auto plan =
      jacobi::plan_temporal(grid, run.fused, fastest->rows, rates.gpu_multiprocessors(),
                            staged ? EdgesFirst::Soonest : EdgesFirst::Yes);
  return jacobi::TemporalSteps(plan, run.fused);
}

/// The state of a run's pages, pass by pass.
class Passes {
public:
  Passes(const GridCase& run, const MachineRates& rates)
      : run_(run), rates_(rates), pages_(run, run.bytes(), rates) {}

  /// The next pass, and how many of at most `most` are like it.
  std::pair<TimeByCause, std::int64_t> next(int fused, std::int64_t most = 1) {
    TimeByCause time = (streams() ? streamed(fused) : direct(fused)) + faulting();
    time[Cause::Launch] += fused > 1 ? fused_launch : device_launch;
    return {time, pages_.move(time.total(), most)};
  }

  /// Over the link a second pass over what tiles share would cost more than fusing saves.
  bool streams() const { return pages_.path() == AccessPath::Link && run_.fused > 1; }

private:
  double over_link(const char* rate) const { return of_link * rates_[rate]; }

  /// The time of a pass in device memory.
  double near_seconds(int fused, double bytes_a_point) const {
    if (bytes_a_point == 0) return 0;
    const auto n = std::min(static_cast<std::size_t>(fused), of_device_copy.size() - 1);
    const double of_copy = fused == 1 ? run_.stencil.of_copy : of_device_copy[n];
    return fused * run_.points() * bytes_a_point / (rates_["device_copy"] * of_copy);
  }

  double link_seconds(int fused) const {
    if (pages_.far() == 0) return 0;
    const Application& s = run_.stencil;
    const double reads_of_p =
        rates_.gpu_translation().ats() ? reads_of_p_under_ats : reads_of_p_over_link;
    const double read = pages_.far() * (s.coefficients + reads_of_p) * s.element_bytes;
    const double written = pages_.far() * s.element_bytes;
    return fused * run_.points() *
           std::max(read / over_link("device_reads_host"),
                    written / over_link("device_writes_host"));
  }

  TimeByCause direct(int fused) {
    const double link = link_seconds(fused);
    double near = near_seconds(fused, (1 - pages_.far()) * run_.stencil.near_bytes());
    if (by_fused_kernel(fused)) {
      if (!steps_) steps_ = static_cast<double>(fused_steps(run_, rates_).all);
      near =
          std::max(near, *steps_ * rates_.step_time * fused_step[static_cast<std::size_t>(fused)]);
      if (run_.packed) near /= of_packed;
    }
    // Regions are far or near as a whole, and sweeps meet them one after the other.
    return TimeByCause(Cause::Link, link) + TimeByCause(Cause::DeviceMemory, near);
  }

  /// kernels/jacobi/streamed_sweep.cpp: the planes of a pass come beside its sweeps, and those of
  /// the next pass follow; the link waits for about one step.
  TimeByCause streamed(int fused) const {
    const auto planes = static_cast<double>(run_.part()[0]);
    const double step = std::min(static_cast<double>(run_.step_planes), planes);
    const double arriving = (1 + step / planes) * run_.array_bytes() *
                            (1 + run_.stencil.coefficients) / over_link("link_to_device");
    const double sweeping = near_seconds(1, run_.stencil.near_bytes()) * fused / of_streamed;
    return arriving > sweeping ? TimeByCause(Cause::Link, arriving)
                               : TimeByCause(Cause::DeviceMemory, sweeping);
  }

  TimeByCause faulting() const {
    if (!pages_.fault()) return {};
    const double plane = run_.array_bytes() / static_cast<double>(run_.part()[0]);
    const double of_faults = plane < fault_block_bytes ? faults_of_parts : faults_of_whole_blocks;
    TimeByCause time(Cause::Migration, run_.bytes() / (rates_["faults_to_device"] * of_faults));
    // Written data must be brought back before its page can be given away.
    if (pages_.thrash()) time[Cause::Migration] += run_.array_bytes() / rates_["link_to_host"];
    return time;
  }

  const GridCase& run_;
  const MachineRates& rates_;
  Pages pages_;
  std::optional<double> steps_ = {};  ///< of a fused pass, once it is planned
};

}  // namespace

Triple GridCase::part() const {
  Triple part{};
  for (std::size_t d = 0; d < 3; ++d) part[d] = (extents[d] - 3) / ranks[d] + 3;
  return part;
}

double GridCase::points() const {
  double points = 1;
  for (const std::int64_t extent : part()) points *= static_cast<double>(extent - 2);
  return points;
}

double GridCase::array_bytes() const {
  const auto [i, j, k] = part();
  return static_cast<double>(i) * static_cast<double>(j) * static_cast<double>(row_pitch(k)) *
         stencil.element_bytes;
}

double GridCase::flops() const {
  double flops = stencil.flops;
  for (const std::int64_t extent : extents)
    flops *= static_cast<double>(extent - stencil.uncounted);
  return flops;
}

Prediction predict(const GridCase& run, const MachineRates& rates) {
  const auto halo = [&] {
    if (run.ranks == std::array{1, 1, 1}) return TimeByCause();
    const PassOnRanks pass = pass_on_ranks(run, rates);
    const double passes = static_cast<double>(run.iterations) / run.fused;
    return TimeByCause(Cause::Messages, passes * (pass.total - pass.sweeps));
  };
  return whole_run({run.stencil.arrays(), run.bytes(), run.array_bytes(), run.of_node}, run, rates,
                   {{"sweeps", [&] { return predict_sweeps(run, rates); }},
                    {"halo", halo},
                    {"reduce", [] { return TimeByCause(Cause::Launch, reduce_seconds); }}});
}

double edges_share(const GridCase& run, const MachineRates& rates) {
  if (!by_fused_kernel(run.fused) || run.ranks[2] > 1) return 1;
  const jacobi::TemporalSteps steps = fused_steps(run, rates);
  return static_cast<double>(steps.edges) / static_cast<double>(steps.all);
}

Steps predict_sweeps(const GridCase& run, const MachineRates& rates) {
  Passes passes(run, rates);
  for (std::int64_t n = 0; n < run.warm_up; n += run.fused) passes.next(run.fused);
  Steps sweeps;
  for (std::int64_t left = run.iterations; left > 0;) {
    const int fused = left >= run.fused  ? run.fused
                      : passes.streams() ? static_cast<int>(left)  // a shorter ring
                                         : 1;
    const auto [time, alike] = passes.next(fused, left / fused);
    sweeps.add(time * (1.0 / fused), alike * fused);
    left -= alike * fused;
  }
  return sweeps;
}

}  // namespace memstencil::compare::model
