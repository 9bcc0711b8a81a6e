// Moved to app/base/program/deliver.hpp: this goes when nobody includes it.
#pragma once

#include "app/base/program/deliver.hpp"
