// Arrays of machines that no test runs on: their pages move to who touches them, stay, or are with
// the host alone.
#pragma once

#include "app/membench/placement/migration.hpp"
#include "app/membench/placement/patterns.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace memstencil::membench {

using Operations = std::vector<std::string>;

inline std::string text(Executor executor) { return std::string(name(executor)); }

/// A machine in which a page is with whoever touched it last: a copy takes 1 s, and 4 s more for
/// each of the two arrays that is not with its executor; a prefetch 2 s an array.
class MovingArrays : public PlacedArrays {
public:
  MovingArrays(Operations& operations, const ArraysWanted& wanted) : operations_(operations) {
    operations_.push_back("make " + std::string(name(wanted.space)) + " " +
                          std::to_string(wanted.bytes) + " " + std::string(name(wanted.advice)));
  }
  void touch(Executor source, Executor destination) override {
    operations_.push_back("touch " + text(source) + " " + text(destination));
    source_ = source;
    destination_ = destination;
  }
  double copy(Executor by) override {
    operations_.push_back("copy " + text(by));
    return 1.0 + 4.0 * moved_to(by);
  }
  double prefetch(Executor to) override {
    operations_.push_back("prefetch " + text(to));
    return 2.0 * moved_to(to);
  }
  void verify(Executor by) override { operations_.push_back("verify " + text(by)); }
  Residency source_residency() const override { return on(source_); }
  Residency destination_residency() const override { return on(destination_); }

protected:
  virtual Residency on(Executor side) const {
    Residency r{.known = true,
                .reason = {},
                .page_bytes = 4096,
                .sampled = 8,
                .absent = 0,
                .pages_on_node = {}};
    r.pages_on_node[side == Executor::Host ? 0 : 1] = 8;
    return r;
  }

private:
  int moved_to(Executor to) {
    const int moved = (source_ == to ? 0 : 1) + (destination_ == to ? 0 : 1);
    source_ = destination_ = to;
    return moved;
  }

  Operations& operations_;
  Executor source_ = Executor::Host, destination_ = Executor::Host;
};

/// A machine in which pages stay where they were touched first.
class StayingArrays final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;
  void touch(Executor source, Executor destination) override {
    source_ = source;
    destination_ = destination;
  }
  double copy(Executor) override { return 1.0; }
  Residency source_residency() const override { return on(source_); }
  Residency destination_residency() const override { return on(destination_); }

private:
  Executor source_ = Executor::Host, destination_ = Executor::Host;
};

/// CDMM: whoever touches them first, pages are with the host.
class PagesOfTheHost final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;

private:
  Residency on(Executor) const override { return MovingArrays::on(Executor::Host); }
};

/// HMM: pages that the GPU touches move to it by fault, and the host has no mapping of them then.
class FaultingArrays final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;

private:
  Residency on(Executor side) const override {
    Residency r = MovingArrays::on(side);
    if (side == Executor::Host) return r;
    r.pages_on_node.clear();
    r.absent = r.sampled;
    return r;
  }
};

/// A machine that tells nothing of its pages.
class SilentArrays final : public MovingArrays {
public:
  using MovingArrays::MovingArrays;

private:
  Residency on(Executor) const override {
    Residency r;
    r.reason = "move_pages: Operation not permitted";
    return r;
  }
};

template <class Arrays>
MakeArrays making(Operations& operations) {
  return [&operations](const ArraysWanted& wanted) {
    return std::make_unique<Arrays>(operations, wanted);
  };
}

inline Settings settings_of(std::size_t bytes, int repeats, int experiments) {
  Settings s;
  s.bytes = bytes;
  s.repeats = repeats;
  s.experiments = experiments;
  return s;
}

inline migration_probe::MigrationPlan plan_of(std::vector<MemorySpace> spaces) {
  return {
      .spaces = std::move(spaces),
      .gpu_node = 1,
      .managed_moves_by_fault = true,
      .refuse = [](const migration_probe::MigrationMode&, MemorySpace) { return std::string(); }};
}

/// The notes of a result, a line each.
inline std::string notes_of(const ProbeResult& result) {
  std::string all;
  for (const std::string& note : result.notes) all += note + "\n";
  return all;
}

}  // namespace memstencil::membench
