// Unreal's ActorX formats: meshes with skeletons (PSK, PSKX) and animations (PSA).
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format pskFormat;
extern const FormatReader pskReader;
extern const Format psaFormat;
extern const FormatReader psaReader;

}  // namespace rigcast
