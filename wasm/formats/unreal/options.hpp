// formatOptions.unreal, checked.
#pragma once

#include "formats/format.hpp"

namespace rigcast::unreal {

enum class ColorOrder : std::uint8_t { detect, rgba, bgra };
enum class Motion : std::uint8_t { file, rotationOnly, everything };

struct Options {
    double unitScale = 0.01;     // metres in a file unit
    bool conjugateRoot = false;  // the root's quaternion is stored like the others'
    ColorOrder colorOrder = ColorOrder::detect;
    bool yUp = false;  // the data are Y up already
    double yaw = 0;    // degrees about the up axis
    Motion motion = Motion::file;
};

/// What is given; BAD_OPTION for what is not understood.
Options readOptions(const Input& input, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
