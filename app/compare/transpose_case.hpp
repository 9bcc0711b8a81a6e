// A transpose result as the model sees it: the case that is predicted, and what was measured.
#pragma once

#include "app/compare/model/transpose_model.hpp"
#include "app/compare/model/validation.hpp"
#include "app/transpose/distribution.hpp"
#include "app/transpose/result_record.hpp"

#include <string>

namespace memstencil::transpose {

/// Did --confidence stop a variant before the given number of iterations?
bool stopped_early(const Result& result);

/// The messages of one of several ranks, each with a GPU.
/// @param path as --exchange names it
/// @param stores are tiles turned straight into the others' B?
model::TransposeMessages messages_of(const Distribution& part, int ranks_of_node,
                                     const std::string& path, bool stores);

/// The case of rank 0. A copy that follows a variant is its yardstick, and no part of the run's
/// time.
/// @throws Failure(Other) for several shapes, or where a figure is
///   missing that the case needs
model::TransposeCase model_case(const Result& result);

/// The steps are those of the first variant.
/// @throws Failure(Other) where there is no variant, or one without its times
model::Measured measured(const Result& result);

}  // namespace memstencil::transpose
