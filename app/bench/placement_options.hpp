// Moved to app/bench/placement.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/placement.hpp"
