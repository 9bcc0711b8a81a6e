// How fast a copy runs by who makes it and in whose memory its ends are: the eight patterns of thesis 003.
#include "app/model/copy_model.hpp"

#include <algorithm>

namespace memstencil::model {

namespace {

double copy_by_host(Executor source, Executor destination, const MachineRates& rates) {
  const bool from_far = source == Executor::Device;
  const bool to_far = destination == Executor::Device;
  const double read = rates[Rate::LinkToHost];
  const double write = rates[Rate::LinkToDevice];
  if (from_far && to_far) return 1.0 / (1.0 / read + 1.0 / write);
  if (from_far || to_far) return from_far ? read : write;
  return rates[Rate::HostCopy] / 2;
}

double copy_by_device(Executor source, Executor destination, const MachineRates& rates) {
  const bool from_far = source == Executor::Host;
  const bool to_far = destination == Executor::Host;
  const double read = rates[Rate::DeviceReadsHost];
  const double write = rates[Rate::DeviceWritesHost];
  if (from_far && to_far) return std::min(rates[Rate::LinkBothWays], rates[Rate::HostCopy]) / 2;
  if (from_far || to_far) return from_far ? read : write;
  return rates[Rate::DeviceCopy] / 2;
}

}  // namespace

double copy_rate(Executor source, Executor destination, Executor by, const MachineRates& rates) {
  return by == Executor::Host ? copy_by_host(source, destination, rates)
                              : copy_by_device(source, destination, rates);
}

}  // namespace memstencil::model
