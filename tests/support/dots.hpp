// The smallest format there can be: "DOTS", a number of points and their coordinates, as nodes. Not of this world; it shows what a format takes.
#pragma once

#include "formats/format.hpp"

namespace rigcast::test {

extern const Format dotsFormat;
extern const FormatReader dotsReader;

}  // namespace rigcast::test
