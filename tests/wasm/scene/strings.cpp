// String tables under names that were made to collide.
#include <gtest/gtest.h>

#include <string>

#include "core/budget.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {
namespace {

/// Names that all belong into 64 places of 2^17, after how a table hashes them.
Vector<std::string> floodedNames(std::size_t count) {
    Vector<std::string> names;
    for (std::uint32_t i = 1; names.size() < count; ++i) {
        const std::string name = std::to_string(i);
        std::uint32_t hash = 2166136261u;
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
        if (((hash ^ hash >> 16) & 0x1FFFF) < 64) names.push_back(name);
    }
    return names;
}

TEST(StringTable, NumbersAreInTheOrderOfComing) {
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

TEST(StringTable, NamesMadeToCollideCostNoMoreThanALogarithm) {
    const Vector<std::string> names = floodedNames(5000);
    const Budget budget(1u << 30, UINT64_MAX);
    StringTable table;
    for (std::uint32_t i = 0; i < names.size(); ++i) ASSERT_EQ(table.intern(names[i]), i);
    for (std::uint32_t i = 0; i < names.size(); ++i) ASSERT_EQ(table.intern(names[i]), i);
    EXPECT_EQ(table.find(names[7] + "0"), none);
    EXPECT_LT(budget.steps(), 300 * names.size());
}

}  // namespace
}  // namespace rigcast
