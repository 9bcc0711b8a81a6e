// A record of every rank, on every rank.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/record/record.hpp"

#include <vector>

namespace memstencil {

/// In the order of the ranks. Collective.
inline std::vector<Record> gathered(const Communicator& communicator, const Record& mine) {
  std::vector<Record> all;
  // By to_json(): the words of a library, or a host's name, need not be UTF-8.
  for (const std::string& each : communicator.all_gather(to_json(mine)))
    all.push_back(Record::parse(each));
  return all;
}

}  // namespace memstencil
