#include "scene/schema.hpp"

#include <gtest/gtest.h>

namespace rigcast {
namespace {

TEST(Schema, WordsAreFoundByNumber) {
    EXPECT_EQ(wordAt("opaque, mask, blend", 0), "opaque");
    EXPECT_EQ(wordAt("opaque, mask, blend", 2), "blend");
    EXPECT_EQ(wordAt("opaque, mask, blend", 3), "");
    EXPECT_EQ(wordAt(wordsOf(WordsId::LightType), static_cast<std::size_t>(LightType::disc)), "disc");
}

}  // namespace
}  // namespace rigcast
