// Tests that committed recordings equal the output of their generator and have no findings.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "support/open.hpp"
#include "support/takes.hpp"

namespace rigcast {
namespace {

Vector<std::uint8_t> committed(const std::string& path) {
    std::ifstream file(std::string(RIGCAST_ROOT) + "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(MrtkFixtures, equalTheOutputOfTheirGenerator) {
    EXPECT_EQ(committed("web/src/viewer/demo/wavingHands.bin"), wavingHands());
    EXPECT_EQ(committed("tests/data/mrtk/everyCurve.bin"), everyCurve());
}

TEST(MrtkFixtures, wavingHandsIsSound) {
    const auto bytes = wavingHands();
    Scene scene;
    Arena arena;
    Diagnostics diagnostics;
    const OpenResult result = openScene({.bytes = bytes, .name = "wavingHands.bin", .supplied = {}}, {}, scene, arena, diagnostics);
    EXPECT_TRUE(result.hasScene);
    test::expectSound(scene, arena);
    EXPECT_EQ(diagnostics.total(Severity::error) + diagnostics.total(Severity::warning), 0u);
    for (const Finding& finding : diagnostics.findings()) EXPECT_NE(finding.code, Code::BONE_LENGTH) << finding.detail;
    EXPECT_EQ(scene.clips.at(0).events.size(), 3u);
}

}  // namespace
}  // namespace rigcast
