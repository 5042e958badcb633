// Files for tests and native tools.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "core/vector.hpp"

namespace rigcast::test {

inline std::optional<Vector<std::uint8_t>> readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    return Vector<std::uint8_t>(std::istreambuf_iterator<char>(file), {});
}

#ifdef RIGCAST_ROOT
inline std::filesystem::path rootFolder() { return RIGCAST_ROOT; }

/// Returns the folder of the fixtures.
inline std::filesystem::path dataFolder() { return rootFolder() / "tests" / "data"; }

/// Returns the folder of real files, which are optional and not in the repository. Returns an empty
/// path if it does not exist; tests that need the files then call GTEST_SKIP() << corpusAbsent.
inline std::filesystem::path corpusFolder() {
    const auto folder = rootFolder() / ".." / "shared" / "corpus";
    return std::filesystem::is_directory(folder) ? folder.lexically_normal() : std::filesystem::path{};
}
inline constexpr const char* corpusAbsent = "../shared/corpus is not there: real files are not tested";
#endif

}  // namespace rigcast::test
