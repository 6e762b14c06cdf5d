// SPDX-License-Identifier: BSL-1.0
// The model checker that the counts are run under: GenMC for the program that it interprets, Relacy
// otherwise.
#pragma once

#if defined(FREEHOLD_MODEL_FOR_GENMC)
#include "model/genmc.hpp"
#else
#include "model/relacy.hpp"
#endif
