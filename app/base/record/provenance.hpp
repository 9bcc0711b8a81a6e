// Moved to app/base/machine/provenance.hpp: this goes when nobody includes it.
#pragma once

#include "app/base/machine/provenance.hpp"
