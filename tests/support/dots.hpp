// The smallest possible format, an example for format authors: "DOTS", a number of points and their
// coordinates as nodes.
#pragma once

#include "formats/format.hpp"

namespace rigcast::test {

extern const Format dotsFormat;
extern const FormatReader dotsReader;

}  // namespace rigcast::test
