// One rank's share of transposing a matrix: its tiles packed, exchanged, and turned; and the time of it.
#include "app/transpose/transposer.hpp"

#include "app/common/runtime/clock.hpp"
#include "app/common/runtime/execution.hpp"
#include "app/common/runtime/profiled_phases.hpp"
#include "kernels/lap_clock.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/capabilities.hpp"

namespace memstencil::transpose {

template <class Exec, class T>
Transposer<Exec, T>::Transposer(const Exec& exec, const Distribution& part, Operation operation,
                                const Matrices<T>& matrices, const Tiles<T>& tiles,
                                const Communicator& communicator)
    : exec_(exec),
      part_(part),
      operation_(operation),
      matrices_(matrices),
      tiles_(tiles),
      communicator_(communicator) {}

template <class Exec, class T>
Job<T> Transposer<Exec, T>::copy_job() const {
  const matrix::Block a = part_.a();
  Job<T> job{.a = matrices_.a(),
             .b = matrices_.b(),
             .rows = a.rows,
             .columns = a.columns,
             .a_pitch = a.pitch,
             .b_pitch = a.pitch,
             .operation = operation_};
  if (operation_ == Operation::InPlace) {
    // Onto itself nobody could tell whether it was copied: the upper half goes onto the lower one.
    job.rows = (a.rows + 1) / 2;
    job.b += job.rows * a.pitch;
    job.operation = Operation::Plain;
  }
  return job;
}

template <class Exec, class T>
std::vector<Job<T>> Transposer<Exec, T>::jobs(Variant variant) const {
  std::vector<Job<T>> out;
  const auto add = [&out](const Job<T>& job) {
    if (job.rows > 0 && job.columns > 0) out.push_back(job);
  };
  if (variant == Variant::Copy) {
    add(copy_job());
    return out;
  }
  const std::int64_t b_pitch = part_.b().pitch;
  const Slice mine = part_.rows_of_b(part_.rank);
  for (int from = 0; from < part_.ranks; ++from) {
    const Slice rows = part_.rows_of_a(from);
    if (from == part_.rank) {
      add({matrices_.a() + mine.first, matrices_.b() + rows.first, rows.count, mine.count, part_.a().pitch,
           b_pitch, operation_});
    } else {
      const Tile<T> tile = tiles_.received(part_, from);
      // A tile is no longer in its place.
      const Operation operation = operation_ == Operation::InPlace ? Operation::Plain : operation_;
      add({tile.data, matrices_.b() + rows.first, tile.rows, tile.columns, tile.columns, b_pitch, operation});
    }
  }
  return out;
}

template <class Exec, class T>
double Transposer<Exec, T>::bytes(Variant variant) const {
  double elements = 0;
  for (const Job<T>& job : jobs(variant))
    elements += static_cast<double>(job.rows) * static_cast<double>(job.columns);
  const int matrices = operation_ == Operation::Accumulate ? 3 : 2;
  return elements * matrices * sizeof(T);
}

template <class Exec, class T>
void Transposer<Exec, T>::iterate(Variant variant, const std::vector<Job<T>>& jobs, Phases& parts) const {
  if (variant != Variant::Copy) {
    parts.time("pack", [&] { tiles_.pack(exec_, part_, matrices_.a()); });
    parts.time("exchange", [&] { tiles_.exchange(part_); });
  }
  parts.time("transpose", [&] {
    for (const Job<T>& job : jobs) run(exec_, variant, job);
    exec_.fence("transpose");
  });
}

template <class Exec, class T>
Timing Transposer<Exec, T>::time(Variant variant, std::int64_t iterations, const Progress& progress) const {
  Timing timing{.seconds = {}, .parts = profiled_phases({"pack", "exchange", "transpose"})};
  const auto all = jobs(variant);
  if (part_.ranks == 1) {
    const auto clock = make_lap_clock(exec_);
    clock->start();
    for (std::int64_t n = 1; n <= iterations; ++n) {
      run(exec_, variant, all.front());
      clock->lap();
      if (progress) progress(n, iterations);
    }
    timing.seconds = clock->finish();
    for (const double seconds : timing.seconds) timing.parts.add("transpose", seconds);
    return timing;
  }
  for (std::int64_t n = 1; n <= iterations; ++n) {
    communicator_.barrier();
    timing.seconds.push_back(host_seconds([&] { iterate(variant, all, timing.parts); }));
    if (progress) progress(n, iterations);
  }
  return timing;
}

template <class Exec, class T>
void Transposer<Exec, T>::once(Variant variant) const {
  time(variant, 1);
}

template <class T, class Exec>
void warm_up(const Exec& exec, Variant variant, Operation operation) {
  const MemorySpace space = scratch_space(executor_of<Exec>);
  const Buffer a(space, 128), b(space, 128);
  const bool in_place = operation == Operation::InPlace && variant != Variant::Copy;
  const matrix::Block one{1, 1, 1, 0, 0, 1, 1};
  matrix::fill(exec, one, matrix::Content::A, static_cast<T*>(a.data()));
  matrix::fill(exec, one, matrix::Content::B0, static_cast<T*>(b.data()));
  const auto pitch = static_cast<std::int64_t>(128 / sizeof(T));
  run(exec, variant,
      Job<T>{static_cast<const T*>(a.data()), static_cast<T*>(in_place ? a.data() : b.data()), 1, 1, pitch,
             pitch, in_place ? Operation::InPlace : Operation::Plain});
  exec.fence("transpose");
}

#define MEMSTENCIL_INSTANTIATE(Exec)                             \
  template class Transposer<Exec, float>;                        \
  template class Transposer<Exec, double>;                       \
  template void warm_up<float>(const Exec&, Variant, Operation); \
  template void warm_up<double>(const Exec&, Variant, Operation);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
