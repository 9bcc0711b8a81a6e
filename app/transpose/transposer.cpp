// One rank's share of transposing a matrix: its tiles packed, exchanged, and turned; and the time of it.
#include "app/transpose/transposer.hpp"

#include "app/common/clock.hpp"
#include "app/common/profiled_phases.hpp"
#include "memory_spaces/capabilities.hpp"

namespace memstencil::transpose {

namespace {

template <class T>
bool copies(const Variant<T>& variant) {
  return variant.name == copy_name;
}

}  // namespace

template <class T>
Transposer<T>::Transposer(const Setup& setup, const Distribution& part, const Matrices<T>& matrices,
                          const Tiles<T>& tiles, const Communicator& communicator)
    : setup_(setup),
      part_(part),
      matrices_(matrices),
      tiles_(tiles),
      communicator_(communicator),
      kernels_(kernels<T>(setup.placement.executor)) {}

template <class T>
Job<T> Transposer<T>::copy_job() const {
  const matrix::Block a = part_.a();
  Job<T> job{.a = matrices_.a(),
             .b = matrices_.b(),
             .rows = a.rows,
             .columns = a.columns,
             .a_pitch = a.pitch,
             .b_pitch = a.pitch,
             .operation = setup_.operation};
  if (setup_.operation == Operation::InPlace) {
    // Onto itself nobody could tell whether it was copied: the upper half goes onto the lower one.
    job.rows = (a.rows + 1) / 2;
    job.b += job.rows * a.pitch;
    job.operation = Operation::Plain;
  }
  return job;
}

template <class T>
std::vector<Job<T>> Transposer<T>::jobs(const Variant<T>& variant) const {
  std::vector<Job<T>> out;
  const auto add = [&out](const Job<T>& job) {
    if (job.rows > 0 && job.columns > 0) out.push_back(job);
  };
  if (copies(variant)) {
    add(copy_job());
    return out;
  }
  const std::int64_t b_pitch = part_.b().pitch;
  const Slice mine = part_.rows_of_b(part_.rank);
  for (int from = 0; from < part_.ranks; ++from) {
    const Slice rows = part_.rows_of_a(from);
    if (from == part_.rank) {
      add({matrices_.a() + mine.first, matrices_.b() + rows.first, rows.count, mine.count, part_.a().pitch,
           b_pitch, setup_.operation});
    } else {
      const Tile<T> tile = tiles_.received(part_, from);
      // A tile is no longer in its place.
      const Operation operation =
          setup_.operation == Operation::InPlace ? Operation::Plain : setup_.operation;
      add({tile.data, matrices_.b() + rows.first, tile.rows, tile.columns, tile.columns, b_pitch, operation});
    }
  }
  return out;
}

template <class T>
double Transposer<T>::bytes(const Variant<T>& variant) const {
  double elements = 0;
  for (const Job<T>& job : jobs(variant))
    elements += static_cast<double>(job.rows) * static_cast<double>(job.columns);
  const int matrices = setup_.operation == Operation::Accumulate ? 3 : 2;
  return elements * matrices * sizeof(T);
}

template <class T>
void Transposer<T>::iterate(const Variant<T>& variant, const std::vector<Job<T>>& jobs, Phases& parts) const {
  if (!copies(variant)) {
    parts.time("pack", [&] { tiles_.pack(part_, matrices_.a()); });
    parts.time("exchange", [&] { tiles_.exchange(part_); });
  }
  parts.time("transpose", [&] {
    for (const Job<T>& job : jobs) variant.run(job);
    kernels_.fence();
  });
}

template <class T>
Timing Transposer<T>::time(const Variant<T>& variant, std::int64_t iterations,
                           const Progress& progress) const {
  Timing timing{.seconds = {}, .parts = profiled_phases({"pack", "exchange", "transpose"})};
  const auto all = jobs(variant);
  if (part_.ranks == 1) {
    const auto clock = kernels_.lap_clock();
    clock->start();
    for (std::int64_t n = 0; n < iterations; ++n) {
      variant.run(all.front());
      clock->lap();
      progress(n + 1);
    }
    timing.seconds = clock->finish();
    for (const double seconds : timing.seconds) timing.parts.add("transpose", seconds);
    return timing;
  }
  for (std::int64_t n = 0; n < iterations; ++n) {
    communicator_.barrier();
    timing.seconds.push_back(host_seconds([&] { iterate(variant, all, timing.parts); }));
    progress(n + 1);
  }
  return timing;
}

template <class T>
void Transposer<T>::once(const Variant<T>& variant) const {
  time(variant, 1, [](std::int64_t) {});
}

template <class T>
void warm_up(const Variant<T>& variant, const Setup& setup) {
  const MemorySpace space = scratch_space(setup.placement.executor);
  const Buffer a(space, 128), b(space, 128);
  const bool in_place = setup.operation == Operation::InPlace && !copies(variant);
  const Kernels<T>& k = kernels<T>(setup.placement.executor);
  const matrix::Block one{1, 1, 1, 0, 0, 1, 1};
  k.fill(one, matrix::Content::A, static_cast<T*>(a.data()));
  k.fill(one, matrix::Content::B0, static_cast<T*>(b.data()));
  const auto pitch = static_cast<std::int64_t>(128 / sizeof(T));
  variant.run({static_cast<const T*>(a.data()), static_cast<T*>(in_place ? a.data() : b.data()), 1, 1, pitch,
               pitch, in_place ? Operation::InPlace : Operation::Plain});
  k.fence();
}

template class Transposer<float>;
template class Transposer<double>;
template void warm_up(const Variant<float>&, const Setup&);
template void warm_up(const Variant<double>&, const Setup&);

}  // namespace memstencil::transpose
