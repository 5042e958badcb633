// Unreal's ActorX interchange files: meshes with skeleton (PSK, PSKX) and motions (PSA).
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format pskFormat;
extern const FormatReader pskReader;
extern const Format psaFormat;
extern const FormatReader psaReader;

}  // namespace rigcast
