// Builds .mprt files, the map lists of Legion.
#pragma once

#include <cstdint>
#include <string>

#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast::test {

struct MprtSpec {
    std::string name;
    Vec3 position = {};
    Vec3 degrees = {};  // about x, y, z
    float scale = 1;
};

Vector<std::uint8_t> makeMprt(const Vector<MprtSpec>& props);

}  // namespace rigcast::test
