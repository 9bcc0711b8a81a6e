// Moved to app/base/program/start.hpp: this goes when nobody includes it.
#pragma once

#include "app/base/program/start.hpp"
