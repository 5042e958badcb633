// The files of tests/data/ueformat. See the README there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/vector.hpp"
#include "support/ueformat.hpp"

namespace rigcast::test {

/// Returns the animation "Bend" of tests/data/unreal/arm-motions.psa.
UeAnimSpec ueBend();

/// Returns the poses of reach.uepose.
UePosesSpec ueArmPoses();
/// Returns the world of yard.ueworld.
UeWorldSpec ueYard();

/// Returns the names and contents of the files.
Vector<std::pair<std::string, Vector<std::uint8_t>>> ueFixtures();

}  // namespace rigcast::test
