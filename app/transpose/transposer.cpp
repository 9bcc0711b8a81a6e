// One rank's share of transposing a matrix: its tiles packed, exchanged, and turned; and the time of it.
#include "app/transpose/transposer.hpp"

#include "app/common/ranks/carrier.hpp"
#include "app/common/runtime/clock.hpp"
#include "app/common/runtime/execution.hpp"
#include "app/common/runtime/profiled_phases.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/capabilities.hpp"

namespace memstencil::transpose {

namespace {

/// In place nobody could tell whether the copy onto itself was made: the upper half goes onto the lower one.
template <class T>
Job<T> copy_job(const matrix::Block& a, const Matrices<T>& matrices, Operation operation) {
  Job<T> job{.a = matrices.a(),
             .b = matrices.b(),
             .rows = a.rows,
             .columns = a.columns,
             .a_pitch = a.pitch,
             .b_pitch = a.pitch,
             .operation = operation};
  if (operation == Operation::InPlace) {
    job.rows = (a.rows + 1) / 2;
    job.b += job.rows * a.pitch;
    job.operation = Operation::Plain;
  }
  return job;
}

}  // namespace

template <class Exec, class T>
struct Transposer<Exec, T>::Beside {
  SecondQueue<Exec> queue{Priority::Between};  // before what stays, after messages
  Carrier<Exec> carrier;

  Beside(const Communicator& communicator, GpuExchange* gpu) : carrier(queue.exec(), communicator, gpu) {}
};

template <class Exec, class T>
Transposer<Exec, T>::~Transposer() = default;

template <class Exec, class T>
Transposer<Exec, T>::Transposer(const Exec& exec, const Distribution& part, Operation operation,
                                const Matrices<T>& matrices, const Tiles<T>& tiles,
                                const Communicator& communicator, GpuExchange* gpu)
    : exec_(exec),
      beside_(part.ranks > 1 ? std::make_unique<Beside>(communicator, gpu) : nullptr),
      part_(part),
      operation_(operation),
      matrices_(matrices),
      tiles_(tiles),
      communicator_(communicator) {}

template <class Exec, class T>
std::vector<Job<T>> Transposer<Exec, T>::own_jobs(Variant variant) const {
  const Slice columns = part_.rows_of_b(part_.rank);
  const Slice rows = part_.rows_of_a(part_.rank);
  const Job<T> job = variant == Variant::Copy ? copy_job(part_.a(), matrices_, operation_)
                                              : Job<T>{.a = matrices_.a() + columns.first,
                                                       .b = matrices_.b() + rows.first,
                                                       .rows = rows.count,
                                                       .columns = columns.count,
                                                       .a_pitch = part_.a().pitch,
                                                       .b_pitch = part_.b().pitch,
                                                       .operation = operation_};
  return job.rows > 0 && job.columns > 0 ? std::vector{job} : std::vector<Job<T>>();
}

template <class Exec, class T>
double Transposer<Exec, T>::bytes(Variant variant) const {
  double elements = static_cast<double>(part_.b().rows) * static_cast<double>(part_.b().columns);
  if (variant == Variant::Copy) {
    elements = 0;
    for (const Job<T>& job : own_jobs(variant))
      elements += static_cast<double>(job.rows) * static_cast<double>(job.columns);
  }
  const int matrices = operation_ == Operation::Accumulate ? 3 : 2;
  return elements * matrices * sizeof(T);
}

template <class Exec, class T>
double Transposer<Exec, T>::bytes_out() const {
  double bytes = 0;
  for (std::int64_t step = 0; step < steps(); ++step)
    for (const Message& message : tiles_.messages(part_, step))
      bytes += static_cast<double>(message.send_bytes);
  return bytes;
}

template <class Exec, class T>
void Transposer<Exec, T>::turn(Variant variant, std::int64_t step) const {
  for (const Job<T>& job : tiles_.turning(part_, step, matrices_.b(), operation_))
    run(beside_->queue.exec(), variant, job);
}

template <class Exec, class T>
void Transposer<Exec, T>::pack_alone() const {
  for (std::int64_t step = 0; step < steps(); ++step)
    tiles_.pack(beside_->queue.exec(), part_, step, matrices_.a());
}

template <class Exec, class T>
void Transposer<Exec, T>::turn_alone(Variant variant) const {
  for (const Job<T>& job : own_jobs(variant)) run(beside_->queue.exec(), variant, job);
  for (std::int64_t step = 0; step < steps(); ++step) turn(variant, step);
}

template <class Exec, class T>
void Transposer<Exec, T>::exchange_alone() const {
  Carrier<Exec>& carrier = beside_->carrier;
  for (std::int64_t step = 0; step < steps(); ++step) {
    carrier.start(tiles_.messages(part_, step));
    carrier.finish();
  }
  carrier.wait();
}

/// While the messages of a step are under way, the next step's are packed and those of the step before are
/// turned; the other half of each buffer holds them.
template <class Exec, class T>
void Transposer<Exec, T>::iterate(Variant variant, LapClock& clock, Phases& parts) const {
  clock.start();
  for (const Job<T>& job : own_jobs(variant)) run(exec_, variant, job);
  clock.lap();
  if (variant != Variant::Copy) {
    const auto pack = [&](std::int64_t step) {
      tiles_.pack(beside_->queue.exec(), part_, step, matrices_.a());
    };
    Carrier<Exec>& carrier = beside_->carrier;
    pack(0);
    clock.lap();
    for (std::int64_t step = 0; step < steps(); ++step) {
      carrier.start(tiles_.messages(part_, step));
      if (step + 1 < steps()) pack(step + 1);
      if (step > 0) turn(variant, step - 1);
      carrier.finish();
    }
    clock.lap();
    turn(variant, steps() - 1);
    carrier.wait();
  }
  exec_.fence("transpose");
  clock.lap();
  const std::vector<double> laps = clock.finish();
  parts.add("transpose", laps.front() + laps.back());
  if (variant == Variant::Copy) return;
  parts.add("pack", laps.at(1));
  parts.add("exchange", laps.at(2));
}

template <class Exec, class T>
Timing Transposer<Exec, T>::time(Variant variant, std::int64_t iterations, const Progress& progress) const {
  Timing timing{.seconds = {}, .parts = profiled_phases({"pack", "exchange", "transpose"})};
  if (part_.ranks == 1) {
    const Job<T> job = own_jobs(variant).front();
    const auto clock = make_lap_clock(exec_);
    clock->start();
    for (std::int64_t n = 1; n <= iterations; ++n) {
      run(exec_, variant, job);
      clock->lap();
      if (progress) progress(n, iterations);
    }
    timing.seconds = clock->finish();
    for (const double seconds : timing.seconds) timing.parts.add("transpose", seconds);
    return timing;
  }
  const auto clock = make_lap_clock(beside_->queue.exec());
  for (std::int64_t n = 1; n <= iterations; ++n) {
    communicator_.barrier();
    timing.seconds.push_back(host_seconds([&] { iterate(variant, *clock, timing.parts); }));
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
