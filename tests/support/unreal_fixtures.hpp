// The files of tests/data/unreal. See the README there.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rigcast::test {

/// File names and contents.
std::vector<std::pair<std::string, std::vector<std::uint8_t>>> unrealFixtures();

}  // namespace rigcast::test
