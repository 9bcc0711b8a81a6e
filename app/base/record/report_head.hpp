// Moved to app/base/machine/report_head.hpp: this goes when nobody includes it.
#pragma once

#include "app/base/machine/report_head.hpp"
