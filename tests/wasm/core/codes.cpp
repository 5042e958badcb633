#include <gtest/gtest.h>

#include "support/codes.hpp"
#include "support/files.hpp"

namespace rigcast {
namespace {

TEST(CodesModule, IsPrintedFromTheTable) {
    const auto committed = test::readFile(test::rootFolder() / "web" / "src" / "core" / "codeTable.ts");
    ASSERT_TRUE(committed) << "npm run codes -- --write";
    EXPECT_EQ(std::string(committed->begin(), committed->end()), test::codesModule()) << "npm run codes -- --write";
}

}  // namespace
}  // namespace rigcast
