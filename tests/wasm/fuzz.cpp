// Runs every fuzz target once on the fixtures and on damaged copies of them. `npm run fuzz`
// continues with random input.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "support/files.hpp"

// CMake compiles the targets of tests/fuzz with these names and lists them in RIGCAST_FUZZ_TARGETS.
#define RIGCAST_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t*, std::size_t);
RIGCAST_FUZZ_TARGETS
#undef RIGCAST_TARGET

namespace rigcast {
namespace {

constexpr std::size_t largest = 16 * 1024;
constexpr std::size_t copies = 128;

void replay(int (*target)(const std::uint8_t*, std::size_t)) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::dataFolder()))
        if (entry.is_regular_file() && entry.file_size() <= largest) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    ASSERT_GT(paths.size(), 20u);
    for (const auto& path : paths) {
        SCOPED_TRACE(path.string());
        const auto bytes = test::readFile(path);
        ASSERT_TRUE(bytes);
        target(bytes->data(), bytes->size());
        for (std::size_t i = 0; i < copies; ++i) {
            // Truncates at one offset and damages another. Uses a separate vector, so that
            // AddressSanitizer detects reads beyond its end.
            std::vector<std::uint8_t> damaged(bytes->begin(),
                                              bytes->begin() + static_cast<std::ptrdiff_t>(bytes->size() * (i + 1) / copies));
            if (!damaged.empty()) damaged[(i * 2654435761u) % damaged.size()] ^= static_cast<std::uint8_t>(1u << (i % 8));
            target(damaged.data(), damaged.size());
        }
    }
}

#define RIGCAST_TARGET(name) \
    TEST(Fuzz, name) { replay(fuzz_##name); }
RIGCAST_FUZZ_TARGETS
#undef RIGCAST_TARGET

}  // namespace
}  // namespace rigcast
