// Moved to app/bench/gpu_exchange.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/gpu_exchange.hpp"
