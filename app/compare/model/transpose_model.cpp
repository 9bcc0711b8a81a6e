// The model of transpose: its phases and each of its iterations, predicted
// from the rates of a machine.
#include "app/compare/model/transpose_model.hpp"

#include <algorithm>
#include <map>

namespace memstencil::model {

namespace {

constexpr double unbounded = 1e15;
/// The bound of a variant on a GPU (docs/lab/transpose.md: an H100 and an H200 of 132
/// multiprocessors). That of naive-16 is taken from naive: it was not yet measured.
struct Bounds {
  double of_copy;         ///< part of the copy bandwidth, of floats
  double of_double_copy;  ///< of doubles
  double elements;        ///< a second, through shared memory
};
const std::map<std::string, Bounds> bounds_of{
    {"copy", {1.0, 1.0, unbounded}},       {"naive", {0.13, 0.19, unbounded}},
    {"tiled", {0.95, 0.95, 212e9}},        {"padded", {0.93, 0.95, 417e9}},
    {"diagonal", {0.90, 0.93, 386e9}},     {"diagonal-conflicts", {0.95, 0.95, 212e9}},
    {"naive-16", {0.13, 0.19, unbounded}}, {"portable", {0.96, 0.96, unbounded}},
    {"tuned", {0.96, 0.96, unbounded}},    {"vendor", {0.95, 0.93, unbounded}}};
constexpr Bounds any_bounds{0.9, 0.9, unbounded};
constexpr double bounds_multiprocessors = 132;
constexpr double of_any_host_copy = 0.9;
/// Scattered elements cross a link each in a transfer of its own, at this part of the speed of full
/// ones (0.073 of the copy, 4.5 times whose bytes they move).
constexpr double scattered_of_link = 0.36;
constexpr double device_launch = 5e-6;
constexpr double host_launch = 5e-6;
/// Seconds a byte and thread that the host takes to hash what it fills the matrices with.
constexpr double host_fill = 0.9e-9;

double near_seconds(const TransposeCase& run, const TransposeVariant& variant,
                    const MachineRates& rates) {
  if (run.access.executor == Executor::Host)
    return variant.memory_bytes /
           (rates[Rate::HostCopy] * (variant.name == "copy" ? 1.0 : of_any_host_copy));
  const auto found = bounds_of.find(variant.name);
  const Bounds& bounds = found == bounds_of.end() ? any_bounds : found->second;
  const double of_copy = run.element_bytes > 4.0 ? bounds.of_double_copy : bounds.of_copy;
  const double elements = run.a_bytes / run.element_bytes;
  return std::max(variant.memory_bytes / (rates[Rate::DeviceCopy] * of_copy),
                  elements / (bounds.elements * *rates.multiprocessors / bounds_multiprocessors));
}

/// An iteration by the phases of the program.
struct Parts {
  TimeByCause pack, exchange, transpose;

  TimeByCause sum() const { return pack + exchange + transpose; }
};

TimeByCause part_of(TimeByCause time, double factor) { return time *= factor; }

/// The measured rates, otherwise assumed ones.
MessageRates rates_of(const TransposeMessages& m, const MachineRates& rates) {
  return measured_messages(m, rates).value_or(assumed_bulk_rates(m.path));
}

/// Seconds of an iteration's messages, with nothing beside them.
double message_seconds(const TransposeMessages& m, const MessageRates& rates) {
  const auto steps = static_cast<double>(m.steps);
  return steps * std::max(rates.in_node.seconds((m.bytes - m.bytes_elsewhere) / steps),
                          rates.between_nodes.seconds(m.bytes_elsewhere / steps));
}

/// @param local the variant's time on the rank's own rows of B, were they all there
/// @param messages seconds, alone
Parts on_ranks(const TransposeCase& run, const TransposeVariant& variant, const TimeByCause& local,
               double messages) {
  if (variant.name == "copy") return {{}, {}, local};  // it stays on its rank
  const TransposeMessages& m = *run.messages;
  if (m.stores) {
    Parts out{{}, {}, local};
    out.transpose[Cause::Messages] = std::max(0.0, messages - local.total());
    return out;
  }
  const auto steps = static_cast<double>(m.steps);
  const double received = m.bytes / run.a_bytes;
  const double packed = 2.0 * m.bytes / variant.memory_bytes;
  Parts out{part_of(local, packed / steps), {}, part_of(local, received / steps)};
  const TimeByCause beside = part_of(local, 1.0 + packed - (packed + received) / steps);
  if (beside.total() > messages)
    out.exchange = beside;
  else
    out.exchange[Cause::Messages] = messages;
  return out;
}

struct Iterations {
  Steps steps;
  Parts sum;
};

/// The iterations of all variants, while pages move.
Iterations iterations(const TransposeCase& run, const MachineRates& rates) {
  const AccessPath how = access_path(run.space, run.access, *rates.translation);
  const double bytes = run.a_bytes + run.b_bytes;
  const bool on_device = run.access.executor == Executor::Device;
  const double messages =
      run.messages ? message_seconds(*run.messages, rates_of(*run.messages, rates)) : 0.0;
  double far = how == AccessPath::Counters ? bytes : 0.0;
  bool first = true;
  Iterations out;
  for (const TransposeVariant& variant : run.variants)
    for (std::int64_t left = run.iterations; left > 0;) {
      const std::int64_t alike = !first && far == 0.0 ? left : 1;
      const double behind = how == AccessPath::Link ? 1.0 : far / bytes;
      TimeByCause time(near_memory(run.access.executor),
                       (1.0 - behind) * near_seconds(run, variant, rates));
      time[Cause::Link] = behind * variant.link_bytes /
                          (rates[Rate::LinkBothWays] *
                           (variant.name.starts_with("naive") ? scattered_of_link : 1.0));
      time[Cause::Launch] = on_device ? device_launch : host_launch;
      if (how == AccessPath::Faults && first)
        time[Cause::Migration] =
            bytes / rates[on_device ? Rate::FaultsToDevice : Rate::FaultsToHost];
      const Parts parts =
          run.messages ? on_ranks(run, variant, time, messages) : Parts{{}, {}, time};
      far = std::max(0.0, far - time.total() * rates[Rate::CounterMigration]);
      out.steps.add(parts.sum(), alike);
      const auto count = static_cast<double>(alike);
      out.sum.pack += part_of(parts.pack, count);
      out.sum.exchange += part_of(parts.exchange, count);
      out.sum.transpose += part_of(parts.transpose, count);
      left -= alike;
      first = false;
    }
  return out;
}

}  // namespace

std::optional<MessageRates> measured_messages(const TransposeMessages& m,
                                              const MachineRates& rates) {
  return measured_message_rates(rates,
                                {m.path, "all-to-all", m.bytes / static_cast<double>(m.steps)},
                                m.bytes_elsewhere > 0.0);
}

Prediction predict(const TransposeCase& run, const MachineRates& rates) {
  const double bytes = run.a_bytes + run.b_bytes;
  const double largest = std::max(run.a_bytes, run.b_bytes);
  const int arrays = run.b_bytes > 0.0 ? 2 : 1;
  const bool pass_through = staged(run.space, run.access);
  const auto with_staging = [&](auto act) {
    TimeByCause time = act(run.space, arrays, bytes);
    if (pass_through) time += act(staging_space(run.access), 1, largest);
    return time;
  };
  const auto allocate = [&](MemorySpace space, int count, double size) {
    return allocation(space, count, size, rates);
  };
  const auto free = [&](MemorySpace space, int count, double size) {
    return release(space, count, size, run.access, rates);
  };
  const Iterations all = iterations(run, rates);
  Prediction out;
  out.sweeps = all.steps;
  if (const auto& m = run.messages)
    out.notes.push_back(note_on(m->path, rates_of(*m, rates), m->bytes_elsewhere > 0.0));
  out.phases = {{"allocate", with_staging(allocate)},
                {"initialise", initialisation(run.space, arrays, bytes, run.access,
                                              host_fill / run.host_threads, rates)},
                {"upload", upload(run.space, bytes, run.access, rates)},
                {"pack", all.sum.pack},
                {"exchange", all.sum.exchange},
                {"transpose", all.sum.transpose},
                {"download", download(run.space, largest, run.access, rates)},
                {"free", with_staging(free)}};
  return out;
}

}  // namespace memstencil::model
