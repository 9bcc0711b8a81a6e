// Moved to app/bench/phases.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/phases.hpp"
