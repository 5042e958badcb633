// The Cast format: a container by DTZxPorter that stores models, materials, animations and scenes
// as a tree of nodes with typed properties.
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format castFormat;
extern const FormatReader castReader;
/// Lists of placed Cast files.
extern const Format mprtFormat;
extern const FormatReader mprtReader;

}  // namespace rigcast
