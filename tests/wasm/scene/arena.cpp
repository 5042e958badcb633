#include "scene/arena.hpp"

#include <gtest/gtest.h>

#include "core/vector.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

using test::put;

TEST(Arena, PlacesColumnsConsecutivelyAtMultiplesOfEight) {
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    const auto bytes = put<std::uint8_t>(arena, block, {1, 2, 3});
    const auto shorts = put<std::uint16_t>(arena, block, {4, 5, 6, 7, 8});
    const auto floats = put(arena, block, {9.f});
    EXPECT_EQ(bytes.offset, 0u);
    EXPECT_EQ(shorts.offset, 8u);
    EXPECT_EQ(floats.offset, 24u);
    EXPECT_EQ(arena.blocks()[block].size, 32u);
}

TEST(Arena, PaddingIsZero) {
    Arena arena;
    put<std::uint8_t>(arena, arena.addBlock(), {1, 2, 3});
    const auto& piece = arena.blocks()[0].pieces[0];
    for (std::size_t i = 3; i < 8; ++i) EXPECT_EQ(piece.data.get()[i], 0);
}

TEST(Arena, PiecesNeverMove) {
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    const auto first = arena.allocate<float>(block, 4);
    first.values[3] = 7;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(arena.allocate<float>(i % 2 ? block : arena.addBlock(), 100));
    EXPECT_EQ(arena.values(first.column).data(), first.values.data());
    EXPECT_EQ(first.values[3], 7);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool isSanitized = true;
#elif defined(__has_feature)
constexpr bool isSanitized = __has_feature(address_sanitizer);
#else
constexpr bool isSanitized = false;
#endif

TEST(Arena, SmallColumnsShareMemory) {
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    Vector<Column<float>> columns;
    for (int i = 0; i < 10000; ++i) columns.push_back(put(arena, block, {static_cast<float>(i)}));
    const auto& pieces = arena.blocks()[block].pieces;
    std::uint32_t end = 0, room = 0;
    for (const auto& piece : pieces) {
        EXPECT_EQ(piece.offset, end);
        EXPECT_LE(piece.size, piece.capacity);
        room += piece.capacity;
        end += piece.size;
    }
    EXPECT_EQ(end, 80000u);
    EXPECT_EQ(arena.blocks()[block].size, end);
    EXPECT_LE(room, 2 * 80000u);
    // With sanitizers, each column is in its own piece (arena.cpp).
    if (!isSanitized) {
        EXPECT_LE(pieces.size(), 32u);
    }
    for (int i = 0; i < 10000; ++i) ASSERT_EQ(arena.values(columns[static_cast<std::size_t>(i)])[0], static_cast<float>(i));
}

TEST(Arena, AllocatesUpToTheWholeBudget) {
    const Budget budget(100000, 0);
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    while (arena.allocate<float>(block, 500)) ASSERT_LE(budget.peak(), 100000u);
    EXPECT_TRUE(arena.exhausted());
    EXPECT_LT(Budget::remaining(), 2000u);
    EXPECT_GT(arena.blocks()[block].size, 90000u);
}

TEST(Arena, SlicesReturnValuesOfTheColumn) {
    Arena arena;
    const auto column = put(arena, arena.addBlock(), {0.f, 1.f, 2.f, 3.f, 4.f});
    EXPECT_EQ(test::valuesOf(arena, column.slice(1, 3)), (Vector<float>{1, 2, 3}));
    EXPECT_EQ(arena.values(column.slice(5, 0)).size(), 0u);
}

TEST(Arena, ReturnsNoValuesForColumnsOutsideAPiece) {
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    put(arena, block, {1.f, 2.f});
    put(arena, block, {3.f, 4.f});
    EXPECT_TRUE(arena.values(Column<float>{block, 4, 2}).empty());   // beyond the end of the first piece
    EXPECT_TRUE(arena.values(Column<float>{block, 16, 1}).empty());  // after the last column
    EXPECT_TRUE(arena.values(Column<float>{block, 2, 1}).empty());   // not aligned
    EXPECT_TRUE(arena.values(Column<float>{7, 0, 1}).empty());
    EXPECT_TRUE(arena.values(Column<float>{}).empty());
    EXPECT_TRUE(arena.values(Column<float>{block, 0, 0xFFFFFFFF}).empty());
}

TEST(Arena, BudgetIsNeverExceeded) {
    const Budget budget(1000, 0);
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    EXPECT_TRUE(arena.allocate<float>(block, 100));
    EXPECT_FALSE(arena.exhausted());
    EXPECT_FALSE(arena.allocate<float>(block, 200));
    EXPECT_TRUE(arena.exhausted());
    EXPECT_TRUE(arena.allocate<float>(block, 50));
    EXPECT_LE(budget.peak(), 1000u);
}

TEST(Arena, RefusesCountsThatOverflow) {
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    EXPECT_FALSE(arena.allocate<float>(block, std::uint64_t{1} << 32));
    EXPECT_FALSE(arena.allocate<float>(block, std::uint64_t{1} << 62));
    EXPECT_FALSE(arena.allocate<double>(block, 0xFFFFFFFF));
    EXPECT_TRUE(arena.exhausted());
}

TEST(Arena, CopyReturnsAnAbsentColumnBeyondTheBudget) {
    Arena arena;
    const std::uint32_t block = arena.addBlock();
    const Budget budget(8, 0);
    EXPECT_FALSE(put(arena, block, {1.f, 2.f, 3.f}).present());
}

TEST(Arena, EmptyColumnsArePresent) {
    Arena arena;
    const auto column = put<float>(arena, arena.addBlock(), {});
    EXPECT_TRUE(column.present());
    EXPECT_EQ(column.count, 0u);
}

}  // namespace
}  // namespace rigcast
