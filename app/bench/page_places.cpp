// The places of a run's pages: with the host or with the GPU, before and after what is timed.
#include "app/bench/page_places.hpp"

#include <array>

namespace memstencil {

namespace {

ResidencyRecord::Shares shares(const PagePlaces& places, int gpu_node) {
  const double all = places.all();
  ResidencyRecord::Shares out{
      .on_host = places.on_host / all, .on_gpu = {}, .not_mapped = places.not_mapped / all};
  if (gpu_node >= 0) out.on_gpu = places.on_gpu / all;
  return out;
}

/// The share that is not with the executor. All pages have been touched, so that
/// what the host has not mapped is with a GPU.
double far(const PagePlaces& places, Executor executor) {
  return (executor == Executor::Device ? places.on_host : places.on_gpu + places.not_mapped) /
         places.all();
}

}  // namespace

void PagePlaces::add(const Residency& residency, int gpu_node) {
  const auto of_gpu = residency.pages_on_node.find(gpu_node);
  const std::size_t gpu = of_gpu == residency.pages_on_node.end() ? 0 : of_gpu->second;
  on_gpu += static_cast<double>(gpu);
  not_mapped += static_cast<double>(residency.absent);
  on_host += static_cast<double>(residency.sampled - residency.absent - gpu);
}

PagePlaces& PagePlaces::operator+=(const PagePlaces& more) {
  on_host += more.on_host;
  on_gpu += more.on_gpu;
  not_mapped += more.not_mapped;
  return *this;
}

void PageMoves::sum(const Communicator& communicator) {
  std::array<double, 7> numbers{
      before.on_host, before.on_gpu,    before.not_mapped,          after.on_host,
      after.on_gpu,   after.not_mapped, unknown.empty() ? 0.0 : 1.0};
  communicator.sum(numbers);
  before = {numbers[0], numbers[1], numbers[2]};
  after = {numbers[3], numbers[4], numbers[5]};
  if (unknown.empty() && numbers[6] > 0) unknown = "another rank cannot ask";
}

std::optional<bool> moved_to(Executor executor, const PageMoves& moves) {
  if (!moves.unknown.empty() || moves.before.all() == 0) return std::nullopt;
  constexpr double worth_saying = 0.01;
  const double at_first = far(moves.before, executor);
  if (at_first < worth_saying) return std::nullopt;
  return at_first - far(moves.after, executor) > worth_saying;
}

ResidencyRecord residency_record(const PageMoves& moves, int gpu_node, Executor executor) {
  ResidencyRecord record;
  if (!moves.unknown.empty()) {
    record.unknown = moves.unknown;
    return record;
  }
  record.pages = static_cast<std::int64_t>(moves.before.all());
  record.before = shares(moves.before, gpu_node);
  record.after = shares(moves.after, gpu_node);
  record.moved = moved_to(executor, moves);
  return record;
}

}  // namespace memstencil
