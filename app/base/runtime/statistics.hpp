// Moved to app/base/record/statistics.hpp: this goes when nobody includes it.
#pragma once

#include "app/base/record/statistics.hpp"
