// Moved to app/bench/spread_note.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/spread_note.hpp"
