// Moved to app/base/program/version_text.hpp: this goes when nobody includes it.
#pragma once

#include "app/base/program/version_text.hpp"
