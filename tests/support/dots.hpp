// The smallest possible format, an example for authors of formats: "DOTS", a number of points, and
// their coordinates, which become nodes.
#pragma once

#include "formats/format.hpp"

namespace rigcast::test {

extern const Format dotsFormat;
extern const FormatReader dotsReader;

}  // namespace rigcast::test
