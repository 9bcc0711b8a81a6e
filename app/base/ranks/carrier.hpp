// Moved to app/bench/carrier.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/carrier.hpp"
