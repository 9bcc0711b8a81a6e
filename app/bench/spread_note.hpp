// Moved to app/bench/memory_record.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/memory_record.hpp"
