// The model of himeno on several ranks: a pass of the slowest one, its messages included.
#include "app/compare/model/ranks_model.hpp"

#include <algorithm>

namespace memstencil::model {

namespace {

/// A single sweep in two parts on a GPU takes so much longer than in one: two kernels, and a queue
/// that waits for the other (docs/lab/many-gpus.md, two H200: M 49 us, of which half of one GPU's
/// sweep is 36).
constexpr double split_sweep = 7e-6;

/// One division as its slowest rank sees it.
class Ranks {
public:
  Ranks(const HimenoCase& whole, const std::array<int, 3>& ranks, int ranks_of_node,
        const MessageRates& messages)
      : ranks_(ranks),
        ranks_of_node_(ranks_of_node),
        messages_(messages),
        part_(largest_part(whole, ranks)) {}

  PassOnRanks pass(const MachineRates& rates) const {
    HimenoCase passes = part_;
    passes.iterations = 3L * part_.fused;
    TimeByCause sweeps = predict_sweeps(passes, rates).back();
    sweeps *= part_.fused;
    PassOnRanks out{.sweeps = sweeps.total(), .launch = sweeps[Cause::Launch]};
    for (int rank = 0; rank < ranks_[0] * ranks_[1] * ranks_[2]; ++rank)
      out.messages = std::max(out.messages, messages_of(rank));
    const bool beside = part_.fused == 1 && part_.access.executor == Executor::Device;
    out.total = out.messages == 0.0 ? out.sweeps
                : beside            ? std::max(out.sweeps + split_sweep, out.messages)
                                    : out.sweeps + out.messages;
    return out;
  }

private:
  double messages_of(int rank) const {
    const std::array<int, 3> stride{ranks_[1] * ranks_[2], ranks_[2], 1};
    double sum = 0.0;
    for (std::size_t d = 0; d < 3; ++d) {
      const int place = rank / stride[d] % ranks_[d];
      int here = 0, elsewhere = 0;
      for (const int side : {-1, 1}) {
        if (place + side < 0 || place + side >= ranks_[d]) continue;
        const int peer = rank + side * stride[d];
        ++(peer / ranks_of_node_ == rank / ranks_of_node_ ? here : elsewhere);
      }
      if (here + elsewhere > 0) sum += direction(d, here, elsewhere);
    }
    return sum;
  }

  /// Of the messages with so many neighbours on this node and on others.
  double direction(std::size_t d, int here, int elsewhere) const {
    double face = static_cast<double>(sizeof(float)) * part_.fused;
    for (std::size_t other = 0; other < 3; ++other)
      if (other != d) face *= static_cast<double>(part_.extents[other] - 2 + 2 * part_.fused);
    const auto sent = [face](const MessageRates::Path& path, int faces) {
      return faces > 0 ? path.latency + faces * face / path.rate : 0.0;
    };
    const double wire =
        std::max(sent(messages_.in_node, here), sent(messages_.between_nodes, elsewhere));
    const double packing =
        messages_.packing[d] > 0.0
            ? messages_.start_packing + 2 * (here + elsewhere) * face * messages_.packing[d]
            : 0.0;
    return wire + packing;
  }

  std::array<int, 3> ranks_;
  int ranks_of_node_;
  const MessageRates& messages_;
  HimenoCase part_;
};

}  // namespace

HimenoCase largest_part(const HimenoCase& whole, const std::array<int, 3>& ranks) {
  HimenoCase part = whole;
  part.points = 1.0;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t points = (whole.extents[d] - 3) / ranks[d] + 1;
    part.extents[d] = points + 2;
    part.points *= static_cast<double>(points);
  }
  return part;
}

PassOnRanks pass_on_ranks(const HimenoCase& whole, const std::array<int, 3>& ranks,
                          int ranks_of_node, const MachineRates& rates,
                          const MessageRates& messages) {
  return Ranks(whole, ranks, ranks_of_node, messages).pass(rates);
}

std::optional<MessageRates> measured_messages(const HimenoRanks& ranks, const MachineRates& rates) {
  constexpr double halo_bytes = 4 << 20;
  return measured_message_rates(rates, {ranks.path, "neighbours", halo_bytes},
                                ranks.on_several_nodes());
}

MessageRates messages_of(const HimenoRanks& ranks, const MachineRates& rates) {
  return measured_messages(ranks, rates)
      .value_or(assumed_message_rates(Executor::Device, ranks.path));
}

double halo_seconds(const HimenoCase& run, const MachineRates& rates,
                    const MessageRates& messages) {
  HimenoCase whole = run;
  whole.extents = run.ranks->whole;
  const PassOnRanks pass =
      pass_on_ranks(whole, run.ranks->ranks, run.ranks->ranks_of_node, rates, messages);
  return static_cast<double>(run.iterations) / run.fused * (pass.total - pass.sweeps);
}

double halo_seconds(const HimenoCase& run, const MachineRates& rates) {
  return run.ranks ? halo_seconds(run, rates, messages_of(*run.ranks, rates)) : 0.0;
}

}  // namespace memstencil::model
