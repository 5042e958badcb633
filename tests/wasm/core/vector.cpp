// Tests growing, moving and erasing of vectors, for elements that are moved as bytes and for other
// elements.
#include "core/vector.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include <cstdlib>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <utility>

namespace rigcast {
namespace {

using Strings = Vector<std::string>;
const std::string longText(100, 'x');  // longer than the string's internal buffer

TEST(CoreVector, KeepsItsElementsWhileGrowing) {
    Vector<std::uint32_t> numbers;
    Strings texts;
    for (std::uint32_t i = 0; i < 1000; i++) {
        numbers.push_back(i);
        texts.push_back(std::to_string(i));
    }
    ASSERT_EQ(numbers.size(), 1000u);
    EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0u), 499'500u);
    EXPECT_EQ(texts.front(), "0");
    EXPECT_EQ(texts.back(), "999");
    texts.pop_back();
    EXPECT_EQ(texts.back(), "998");
}

TEST(CoreVector, GrowsRarelyForManyAppends) {
    const std::uint8_t piece[3] = {1, 2, 3};
    Vector<std::uint8_t> bytes;
    int moves = 0;
    for (std::size_t room = 0, i = 0; i < 10'000; i++) {
        bytes.insert(bytes.end(), piece, piece + 3);
        moves += bytes.capacity() != std::exchange(room, bytes.capacity());
    }
    EXPECT_EQ(bytes.size(), 30'000u);
    EXPECT_LE(moves, 20);
}

TEST(CoreVector, GrowsRarelyForManySmallResizes) {
    Vector<std::uint32_t> numbers;
    int moves = 0;
    for (std::size_t room = 0, count = 1; count <= 10'000; count++) {
        numbers.resize(count);
        if (count % 2) numbers.resize(++count, 7);
        moves += numbers.capacity() != std::exchange(room, numbers.capacity());
    }
    EXPECT_LE(moves, 20);
    EXPECT_EQ(Vector<std::uint32_t>(1000).capacity(), 1000u);  // exact, because all elements were requested at once
}

TEST(CoreVector, MovesItsOwnElementsWhileGrowing) {
    Strings texts{longText};
    Vector<Vector<int>> lists{{1, 2, 3}};
    for (int i = 0; i < 20; i++) {
        texts.push_back(std::move(texts[static_cast<std::size_t>(i)]));
        lists.push_back(std::move(lists[static_cast<std::size_t>(i)]));
    }
    EXPECT_EQ(texts.back(), longText);
    EXPECT_EQ(texts.front(), "");
    EXPECT_EQ(lists.back(), (Vector<int>{1, 2, 3}));
    EXPECT_TRUE(lists.front().empty());
}

TEST(CoreVector, HoldsElementsThatCannotMoveAsBytes) {
    Vector<std::map<int, int>> maps;
    Vector<std::function<int()>> functions;
    for (int i = 0; i < 20; i++) {
        maps.push_back({{i, 2 * i}});
        functions.push_back([i, list = std::string(100, 'x')] { return i + static_cast<int>(list.size()); });
    }
    for (int i = 0; i < 20; i++) {
        EXPECT_EQ(maps[static_cast<std::size_t>(i)].at(i), 2 * i);
        EXPECT_EQ(functions[static_cast<std::size_t>(i)](), i + 100);
    }
}

TEST(CoreVector, AppendsCopiesOfItsOwnElementsWhileGrowing) {
    Strings texts{longText};
    Vector<Vector<int>> lists{{1, 2, 3}};
    for (int i = 0; i < 100; i++) {
        texts.push_back(texts.front());
        lists.push_back(lists[0]);
    }
    EXPECT_EQ(texts, Strings(101, longText));
    EXPECT_EQ(lists, Vector<Vector<int>>(101, {1, 2, 3}));
}

struct Parts {
    using Relocation = Bytewise;
    std::string text;
    Vector<int> list;
    bool operator==(const Parts& other) const { return text == other.text && list == other.list; }
};

TEST(CoreVector, AppendsItsOwnElementsWhileGrowing) {
    const Parts parts{longText, {1, 2, 3}}, none{"", {}};
    Vector<Parts> vector{parts};
    for (std::size_t i = 0; i < 100; i++) {
        vector.push_back(vector[i]);             // copied
        vector.push_back(std::move(vector[i]));  // moved
        ASSERT_EQ(vector[i], none);
        vector[i] = parts;
    }
    EXPECT_EQ(vector, Vector<Parts>(201, parts));
}

TEST(CoreVector, ResizeAddsZeroOrDefaultElements) {
    struct Made {
        int seven = 7;
    };
    Vector<double> numbers{1, 2, 3};
    numbers.resize(1);
    numbers.resize(3);
    EXPECT_EQ(numbers, (Vector<double>{1, 0, 0}));
    numbers.resize(5, 4.5);
    EXPECT_EQ(numbers, (Vector<double>{1, 0, 0, 4.5, 4.5}));
    EXPECT_EQ(Vector<Made>(2).back().seven, 7);
    numbers.assign(2, numbers[4]);
    EXPECT_EQ(numbers, (Vector<double>{4.5, 4.5}));
}

TEST(CoreVector, InsertsAndErases) {
    Strings texts{"a", "d"};
    const Strings between{"b", "c"};
    texts.insert(texts.begin() + 1, between.begin(), between.end());
    texts.insert(texts.begin(), "first");
    texts.insert(texts.end(), 2, "last");
    EXPECT_EQ(texts, (Strings{"first", "a", "b", "c", "d", "last", "last"}));
    EXPECT_EQ(*texts.erase(texts.begin() + 1, texts.begin() + 3), "c");
    EXPECT_EQ(texts.erase(texts.end(), texts.end()), texts.end());
    erase_if(texts, [](const std::string& text) { return text == "last"; });
    EXPECT_EQ(texts, (Strings{"first", "c", "d"}));
}

TEST(CoreVector, CopiesAreIndependentAndMovedVectorsAreEmpty) {
    Strings one{longText, "b"};
    Strings two = one;
    two[1] = "changed";
    EXPECT_EQ(one[1], "b");
    Strings three = std::move(two);
    EXPECT_TRUE(two.empty());
    two = three;
    one = std::move(three);
    EXPECT_TRUE(three.empty());
    EXPECT_EQ(one, two);
    const Strings& itself = one;
    one = itself;
    EXPECT_EQ(one[0], longText);
}

TEST(CoreVector, DestroysEveryElementOnce) {
    const auto token = std::make_shared<int>(1);
    {
        Vector<std::shared_ptr<int>> tokens;
        for (int i = 0; i < 50; i++) tokens.push_back(token);
        EXPECT_EQ(token.use_count(), 51);
        tokens.erase(tokens.begin() + 10, tokens.begin() + 20);
        EXPECT_EQ(token.use_count(), 41);
        tokens.resize(5);
        EXPECT_EQ(token.use_count(), 6);
        tokens.shrink_to_fit();
        EXPECT_EQ(tokens.capacity(), 5u);
    }
    EXPECT_EQ(token.use_count(), 1);
}

TEST(CoreVectorDeathTest, AbortsIfTheSizeCannotBeAddressed) {
    const auto reserve = [](std::size_t count) {
        std::set_new_handler([] { std::abort(); });  // as in wasm, which has no exceptions
        Vector<double>().reserve(count);
    };
    EXPECT_DEATH(reserve(SIZE_MAX / 4), "");
    EXPECT_DEATH(reserve(SIZE_MAX), "");
    EXPECT_DEATH(Vector<int>{1}.at(1), "");
}

}  // namespace
}  // namespace rigcast
