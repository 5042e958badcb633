// The smallest possible format, as an example for authors of formats. A file contains "DOTS", the
// number of points, and their coordinates. Each point becomes a node.
#pragma once

#include "formats/format.hpp"

namespace rigcast::test {

extern const Format dotsFormat;
extern const FormatReader dotsReader;

}  // namespace rigcast::test
