// A himeno result as the model sees it: the case that is predicted, and what was measured.
#pragma once

#include "app/compare/model/himeno_model.hpp"
#include "app/compare/model/validation.hpp"
#include "app/himeno/result_record.hpp"

namespace memstencil::himeno {

/// Of several ranks the first rank's part, taken for an equal share.
/// @throws Failure(Other) for a memory space or a sweep that is none
model::HimenoCase model_case(const Result& result);

/// Of several ranks without the halo.
model::Measured measured(const Result& result);

}  // namespace memstencil::himeno
