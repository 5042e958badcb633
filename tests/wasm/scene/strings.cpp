#include <gtest/gtest.h>

#include <string>

#include "scene/scene.hpp"

namespace rigcast {
namespace {

TEST(StringTable, NumbersStringsInOrderOfInsertion) {
    StringTable table;
    EXPECT_EQ(table.find("a"), none);
    EXPECT_EQ(table.intern("b"), 0u);
    EXPECT_EQ(table.intern(""), 1u);
    EXPECT_EQ(table.intern("b"), 0u);
    EXPECT_TRUE(table.add("c"));
    EXPECT_FALSE(table.add("c"));
    EXPECT_EQ(table.find("c"), 2u);
    EXPECT_EQ(table.size(), 3u);
}

TEST(StringTable, ManyNamesAreAllFound) {
    StringTable table;
    for (std::uint32_t i = 0; i < 20000; ++i) ASSERT_EQ(table.intern("name" + std::to_string(i)), i);
    for (std::uint32_t i = 0; i < 20000; ++i) ASSERT_EQ(table.find("name" + std::to_string(i)), i);
    EXPECT_EQ(table.find("name20000"), none);
}

}  // namespace
}  // namespace rigcast
