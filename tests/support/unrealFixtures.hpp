// The files of tests/data/unreal. See the README there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/vector.hpp"

namespace rigcast::test {

/// Returns the names and contents of the files.
Vector<std::pair<std::string, Vector<std::uint8_t>>> unrealFixtures();

}  // namespace rigcast::test
