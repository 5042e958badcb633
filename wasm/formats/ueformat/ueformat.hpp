// UEFormat, in which FModel and other tools export assets of Unreal Engine games.
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format ueModelFormat;
extern const FormatReader ueModelReader;
extern const Format ueAnimFormat;
extern const FormatReader ueAnimReader;
extern const Format uePoseFormat;
extern const FormatReader uePoseReader;
extern const Format ueWorldFormat;
extern const FormatReader ueWorldReader;

}  // namespace rigcast
