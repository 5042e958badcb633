#include "core/budget.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/vector.hpp"

namespace rigcast {
namespace {

TEST(Budget, CountsEveryAllocation) {
    const Budget budget(1 << 20, 0);
    {
        const Vector<float> floats(1000);
        EXPECT_GE(budget.peak(), 4000u);
        EXPECT_LT(budget.peak(), 4200u);
        // volatile, because compilers can omit allocations that are never read
        const std::string text(5000, 'x');
        const char* volatile seen = text.data();
        const auto number = std::make_unique<std::uint64_t[]>(100);
        const std::uint64_t* volatile seenToo = number.get();
        EXPECT_TRUE(seen != nullptr && seenToo != nullptr);
        EXPECT_GE(budget.peak(), 9800u);
        EXPECT_LT(budget.peak(), 10100u);
    }
    EXPECT_EQ(Budget::remaining(), 1u << 20);  // all memory was freed
}

TEST(Budget, ExceedingTheBudgetSetsExhausted) {
    const Budget budget(10000, 0);
    { const Vector<std::uint8_t> fits(9000); }
    EXPECT_FALSE(Budget::exhausted());
    { const Vector<std::uint8_t> tooMuch(11000); }
    EXPECT_TRUE(Budget::exhausted());
}

TEST(Budget, AffordsReservesNothing) {
    Budget budget(1000, 0);
    EXPECT_TRUE(Budget::affords(1000));
    EXPECT_EQ(Budget::remaining(), 1000u);
    EXPECT_FALSE(Budget::exhausted());
    EXPECT_FALSE(Budget::affords(1001));
    EXPECT_TRUE(Budget::exhausted());
    budget.extend(500);
    EXPECT_FALSE(Budget::exhausted());
    EXPECT_TRUE(Budget::affords(1500));
}

TEST(Budget, SpendTakesNothingIfTheWorkDoesNotFit) {
    const Budget budget(0, 100);
    EXPECT_TRUE(Budget::spend(60));
    EXPECT_FALSE(Budget::spend(41));
    EXPECT_TRUE(Budget::spend(40));
    EXPECT_FALSE(Budget::spend(UINT64_MAX));
    EXPECT_EQ(budget.steps(), 100u);
}

TEST(Budget, RefusesNothingWithoutABudget) {
    EXPECT_TRUE(Budget::affords(UINT32_MAX / 2));
    EXPECT_TRUE(Budget::spend(UINT64_MAX));
    EXPECT_FALSE(Budget::exhausted());
}

TEST(Budget, InnermostBudgetApplies) {
    const Budget outer(1000, 10);
    {
        const Budget inner(100000, 100);
        EXPECT_TRUE(Budget::affords(50000));
        EXPECT_TRUE(Budget::spend(50));
    }
    EXPECT_FALSE(Budget::affords(50000));
    EXPECT_FALSE(Budget::spend(50));
}

}  // namespace
}  // namespace rigcast
