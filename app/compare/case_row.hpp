// A case of a side, as a row of the answer.
#pragma once

#include "app/compare/side.hpp"

namespace memstencil::compare {

Record case_row(const Side& side, const Group& group);

}  // namespace memstencil::compare
