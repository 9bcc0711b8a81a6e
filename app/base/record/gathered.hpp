// A described value of every rank, on every rank.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/archive.hpp"

#include <string>
#include <vector>

namespace memstencil {

/// In the order of the ranks. Collective.
template <class T>
std::vector<T> gathered(const Communicator& communicator, const T& mine) {
  std::vector<T> all;
  // By to_json(): the words of a library, or a host's name, need not be UTF-8.
  for (const std::string& each : communicator.all_gather(to_json(to_record(mine))))
    all.push_back(from_record<T>(Record::parse(each), "a rank"));
  return all;
}

}  // namespace memstencil
