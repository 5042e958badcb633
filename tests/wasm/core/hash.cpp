#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/vector.hpp"

namespace rigcast {
namespace {

/// Number of slots in a table.
constexpr std::uint64_t slots = 1 << 12;

std::uint64_t slotOf(const std::string& name, const HashKey& key) { return hashOf(name, key) % slots; }

/// Returns names that all have the same slot if `key` is used.
Vector<std::string> collidingNames(const HashKey& key, std::size_t count) {
    Vector<std::string> names;
    for (std::uint32_t i = 0; names.size() < count; ++i) {
        const std::string name = "bone" + std::to_string(i);
        if (slotOf(name, key) == 0) names.push_back(name);
    }
    return names;
}

/// Expected values: `hash(b"...")` of Python 3.11 and later with PYTHONHASHSEED=0.
TEST(Hash, IsSipHash13) {
    EXPECT_EQ(hashOf("a", {}), 0x407448D2B89B1813u);
    EXPECT_EQ(hashOf("bone7", {}), 0xDADA5917F521706Bu);
    EXPECT_EQ(hashOf("0123456789abcdef!", {}), 0x9463628F6C8882CAu);
    EXPECT_NE(hashOf("a", {1, 0}), hashOf("a", {}));
    EXPECT_NE(hashOf("a", {0, 1}), hashOf("a", {}));
}

TEST(Hash, NamesThatCollideUnderOneKeyDoNotUnderAnother) {
    const Vector<std::string> names = collidingNames({1, 2}, 200);
    for (const HashKey& other : {HashKey{1, 3}, HashKey{2, 2}, hashKey()}) {
        std::set<std::uint64_t> used;
        for (const std::string& name : names) used.insert(slotOf(name, other));
        EXPECT_GT(used.size(), 170u);  // 195 distinct slots are expected
    }
}

/// The key is random, so 64 zero bits would mean that its source has failed.
TEST(Hash, TheKeyIsNotZero) {
    EXPECT_NE(hashKey().first, 0u);
    EXPECT_NE(hashKey().second, 0u);
}

}  // namespace
}  // namespace rigcast
