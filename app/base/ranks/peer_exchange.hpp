// Moved to app/bench/peer_exchange.hpp: this goes when nobody includes it.
#pragma once

#include "app/bench/peer_exchange.hpp"
