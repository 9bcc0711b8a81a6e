// One rank's share of transposing a matrix: its tiles packed, exchanged, and transposed; and the
// time of it.
#include "app/transpose/transposer.hpp"

#include "app/base/runtime/clock.hpp"
#include "app/base/runtime/execution.hpp"
#include "app/bench/phases.hpp"
#include "kernels/peer_messages.hpp"
#include "kernels/portable.hpp"
#include "memory_spaces/capabilities.hpp"

#include <algorithm>
#include <utility>

namespace memstencil::transpose {

template <class Exec, class T>
Transposer<Exec, T>::Transposer(const Exec& exec, const Distribution& part, int tile,
                                const Matrices<T>& matrices, const Tiles<T>& tiles,
                                const Communicator& communicator, GpuExchange* gpu,
                                std::vector<T*> b_of_ranks)
    : exec_(exec),
      carrier_(part.ranks > 1 ? std::make_unique<Carrier<Exec>>(exec, communicator, gpu) : nullptr),
      part_(part),
      tile_(tile),
      matrices_(matrices),
      tiles_(tiles),
      communicator_(communicator),
      b_of_ranks_(std::move(b_of_ranks)) {}

template <class Exec, class T>
Job<T> Transposer<Exec, T>::job(const Tile& tile, int to) const {
  const matrix::Block a = part_.a();
  T* const b = to == part_.rank ? matrices_.b() : b_of_ranks_.at(static_cast<std::size_t>(to));
  const std::int64_t b_pitch = part_.b().pitch;
  return {.a = matrices_.a() + (tile.rows.first - a.first_row) * a.pitch + tile.columns.first,
          .b = b + (tile.columns.first - part_.rows_of_b(to).first) * b_pitch + tile.rows.first,
          .rows = tile.rows.count,
          .columns = tile.columns.count,
          .a_pitch = a.pitch,
          .b_pitch = b_pitch,
          .tile = tile_};
}

template <class Exec, class T>
std::vector<Job<T>> Transposer<Exec, T>::jobs_of_all_ranks() const {
  std::vector<Job<T>> jobs;
  static_assert(most_jobs_together >= most_peer_messages);
  for (int n = 0; n < part_.ranks; ++n) {
    const int to = (part_.rank + n) % part_.ranks;  // not all into the same GPU at a time
    const Job<T> each = job({part_.rows_of_a(part_.rank), part_.rows_of_b(to)}, to);
    if (each.rows > 0 && each.columns > 0) jobs.push_back(each);
  }
  return jobs;
}

template <class Exec, class T>
std::vector<Message> Transposer<Exec, T>::messages(std::int64_t step) const {
  if (!stores_into_others()) return tiles_.messages(step);
  const auto bytes = [&](int from, int to) {
    const std::int64_t line = 128 / sizeof(T);
    const std::int64_t elements = part_.rows_of_a(from).count * part_.rows_of_b(to).count;
    return static_cast<std::size_t>(elements / line * line) * sizeof(T);
  };
  std::vector<Message> out;
  std::size_t sent = 0, received = 0;
  for (int peer = 0; peer < part_.ranks; ++peer) {
    if (peer == part_.rank) continue;
    const Message message{.peer = peer,
                          .send = reinterpret_cast<const char*>(matrices_.a()) + sent,
                          .receive = reinterpret_cast<char*>(matrices_.b()) + received,
                          .send_bytes = bytes(part_.rank, peer),
                          .receive_bytes = bytes(peer, part_.rank)};
    if (message.send_bytes + message.receive_bytes > 0) out.push_back(message);
    sent += message.send_bytes;
    received += message.receive_bytes;
  }
  return out;
}

template <class Exec, class T>
std::vector<Job<T>> Transposer<Exec, T>::own_jobs(Variant variant, std::int64_t step) const {
  Job<T> own = job(tile(part_, part_.rank, part_.rank, step, std::max<std::int64_t>(1, steps())),
                   part_.rank);
  if (variant == Variant::Copy) {
    const matrix::Block a = part_.a();
    own = {matrices_.a(), matrices_.b(), a.rows, a.columns, a.pitch, a.pitch};
  }
  return own.rows > 0 && own.columns > 0 ? std::vector{own} : std::vector<Job<T>>();
}

template <class Exec, class T>
double Transposer<Exec, T>::bytes(Variant variant) const {
  const matrix::Block block = variant == Variant::Copy ? part_.a() : part_.b();
  return 2.0 * sizeof(T) * static_cast<double>(block.rows) * static_cast<double>(block.columns);
}

template <class Exec, class T>
double Transposer<Exec, T>::bytes_out() const {
  double bytes = 0;
  for (std::int64_t step = 0; step < steps(); ++step)
    for (const Message& message : messages(step)) bytes += static_cast<double>(message.send_bytes);
  return bytes;
}

template <class Exec, class T>
void Transposer<Exec, T>::run_all(Variant variant, const std::vector<Job<T>>& jobs) const {
  for (const Job<T>& job : jobs) run(exec_, variant, job);
}

template <class Exec, class T>
void Transposer<Exec, T>::transpose_arrived(Variant variant, std::int64_t step) const {
  std::vector<Job<T>> jobs = tiles_.jobs(step, matrices_.b());
  for (Job<T>& job : jobs) job.tile = tile_;
  run_all(variant, jobs);
}

template <class Exec, class T>
void Transposer<Exec, T>::pack(std::int64_t step) const {
  if (!stores_into_others() && step < steps()) tiles_.pack(exec_, step, matrices_.a());
}

template <class Exec, class T>
void Transposer<Exec, T>::pack_alone() const {
  for (std::int64_t step = 0; step < steps(); ++step) pack(step);
}

template <class Exec, class T>
void Transposer<Exec, T>::transpose_alone(Variant variant) const {
  for (std::int64_t step = 0; step < steps(); ++step) {
    run_all(variant, own_jobs(variant, step));
    if (!stores_into_others()) transpose_arrived(variant, step);
  }
}

template <class Exec, class T>
void Transposer<Exec, T>::exchange_alone() const {
  for (std::int64_t step = 0; step < steps(); ++step) {
    carrier_->start(messages(step));
    carrier_->finish();
  }
  carrier_->wait();
}

/// While the messages of a step are under way, the next step's are packed, a part of what
/// stays on this rank is transposed, and so are the messages of the step before; the other half
/// of each buffer holds them. All that is done before the step's messages have come: those of
/// the next would have to wait for it.
template <class Exec, class T>
void Transposer<Exec, T>::iterate(Variant variant, LapClock& clock, Phases& parts) const {
  if (variant == Variant::Copy)
    return parts.time("transpose", [&] {
      run_all(variant, own_jobs(variant));
      exec_.fence("transpose");
    });
  if (stores_into_others())
    return parts.time("transpose", [&] {
      run_together(exec_, variant, jobs_of_all_ranks());
      exec_.fence("transpose");
    });
  clock.start();
  pack(0);
  clock.lap();
  for (std::int64_t step = 0; step < steps(); ++step) {
    carrier_->start(messages(step));
    pack(step + 1);
    run_all(variant, own_jobs(variant, step));
    if (step > 0) transpose_arrived(variant, step - 1);
    carrier_->finish();
  }
  carrier_->join();
  clock.lap();
  transpose_arrived(variant, steps() - 1);
  carrier_->wait();
  clock.lap();
  const std::vector<double> laps = clock.finish();
  parts.add("pack", laps.at(0));
  parts.add("exchange", laps.at(1));
  parts.add("transpose", laps.at(2));
}

template <class Exec, class T>
Timing Transposer<Exec, T>::time(Variant variant, std::int64_t iterations,
                                 const Progress& progress) const {
  Timing timing{.seconds = {}, .parts = Phases({"pack", "exchange", "transpose"})};
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
  const auto clock = make_lap_clock(exec_);
  exec_.fence("transpose");  // before others store into this rank's B
  for (std::int64_t n = 1; n <= iterations; ++n) {
    communicator_.barrier();
    timing.seconds.push_back(host_seconds([&] { iterate(variant, *clock, timing.parts); }));
    if (progress) progress(n, iterations);
  }
  if (stores_into_others()) communicator_.barrier();  // what others write is there, too
  return timing;
}

template <class T, class Exec>
void warm_up(const Exec& exec, Variant variant, int tile) {
  const MemorySpace space = scratch_space(executor_of<Exec>);
  const Buffer a(space, 128), b(space, 128);
  const auto pitch = static_cast<std::int64_t>(128 / sizeof(T));
  const matrix::Block one{1, 1, pitch, 0, 0, 1, 1};  // with its padding, which vectors read
  matrix::fill(exec, one, matrix::Content::A, static_cast<T*>(a.data()));
  matrix::fill(exec, one, matrix::Content::A, static_cast<T*>(b.data()));
  run(exec, variant,
      Job<T>{static_cast<const T*>(a.data()), static_cast<T*>(b.data()), 1, 1, pitch, pitch, tile});
  exec.fence("transpose");
}

#define MEMSTENCIL_INSTANTIATE(Exec)                       \
  template class Transposer<Exec, float>;                  \
  template class Transposer<Exec, double>;                 \
  template void warm_up<float>(const Exec&, Variant, int); \
  template void warm_up<double>(const Exec&, Variant, int);
MEMSTENCIL_FOR_EXECUTION_SPACES(MEMSTENCIL_INSTANTIATE)
#undef MEMSTENCIL_INSTANTIATE

}  // namespace memstencil::transpose
