#include "scene/schema.hpp"

#include <gtest/gtest.h>

#include "support/files.hpp"
#include "support/formats.hpp"
#include "support/schema.hpp"

namespace rigcast {
namespace {

void expectPrinted(const std::filesystem::path& path, const std::string& text) {
    const auto committed = test::readFile(test::rootFolder() / path);
    ASSERT_TRUE(committed) << "npm run schema -- --write";
    EXPECT_EQ(std::string(committed->begin(), committed->end()), text) << "npm run schema -- --write";
}

TEST(Schema, TypesArePrintedFromIt) { expectPrinted("web/src/core/sceneTypes.ts", test::sceneTypes()); }
TEST(Schema, WordsArePrintedFromIt) { expectPrinted("web/src/core/sceneWords.ts", test::sceneWords()); }
TEST(Schema, ThePageIsPrintedFromIt) { expectPrinted("docs/scene.md", test::scenePage()); }
TEST(FormatTable, IsPrintedFromTheList) { expectPrinted("web/src/core/formatTable.ts", test::formatTable()); }
TEST(FormatTable, ModulesArePrintedFromTheList) { expectPrinted("web/src/core/moduleAddresses.ts", test::moduleAddresses()); }

TEST(Schema, WordsAreFoundByNumber) {
    EXPECT_EQ(wordAt("opaque, mask, blend", 0), "opaque");
    EXPECT_EQ(wordAt("opaque, mask, blend", 2), "blend");
    EXPECT_EQ(wordAt("opaque, mask, blend", 3), "");
    EXPECT_EQ(wordAt(wordsOf(WordsId::LightType), static_cast<std::size_t>(LightType::disc)), "disc");
}

}  // namespace
}  // namespace rigcast
