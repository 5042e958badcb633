// The options in `formatOptions.unreal`, parsed and checked.
#pragma once

#include "formats/format.hpp"

namespace rigcast::unreal {

enum class ColorOrder : std::uint8_t { detect, rgba, bgra };
enum class PlayedTracks : std::uint8_t { file, rotationOnly, everything };

struct Options {
    double unitScale = 0.01;     // metres per file unit
    bool conjugateRoot = false;  // true: the root's quaternion has the same sign convention as those of other bones
    ColorOrder colorOrder = ColorOrder::detect;
    bool yUp = false;  // true: the data is Y up, not Z up
    double yaw = 0;    // rotation about the up axis in degrees
    PlayedTracks tracks = PlayedTracks::file;
};

/// Reads the options. Reports BAD_OPTION for unknown or invalid options.
Options readOptions(const Input& input, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
