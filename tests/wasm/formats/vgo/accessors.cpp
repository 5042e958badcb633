// Tests reading accessors: dense ones, sparse ones in both modes, unaligned and invalid ones.
#include <gtest/gtest.h>

#include <cstring>

#include "core/code.hpp"
#include "core/vector.hpp"
#include "formats/vgo/accessor.hpp"
#include "support/vgo.hpp"

namespace rigcast {
namespace {

using test::readVgoBytes;
using Floats = Vector<float>;
using Numbers = Vector<std::uint32_t>;

/// Returns a file whose resource starts with one byte, so that its data is not aligned.
VgoBuilder unaligned() {
    VgoBuilder vgo;
    vgo.addImage(Vector<std::uint8_t>{1});
    return vgo;
}

TEST(VgoAccessors, EveryDataTypeHasItsSize) {
    const std::pair<std::int64_t, std::size_t> types[] = {{0x10, 1},   {0x11, 1},    {0x20, 2},    {0x21, 2},    {0x30, 4},    {0x31, 4},
                                                          {0x50, 4},   {0x1231, 8},  {0x1250, 8},  {0x1331, 12}, {0x1350, 12}, {0x1410, 4},
                                                          {0x1420, 8}, {0x1430, 16}, {0x1431, 16}, {0x1450, 16}, {0x2450, 64}};
    VgoBuilder vgo;
    const Vector<std::uint8_t> bytes(192, 7);
    for (const auto& [type, size] : types) vgo.addDense(VgoKind::mesh, type, 3, Bytes(bytes).first(3 * size));
    for (const std::int64_t type : {0, -1, 0x12, 0x40, 0x1550, 0x1350 + (1 << 16), 0x50 - 256}) vgo.addDense(VgoKind::mesh, type, 0, {});
    const auto read = readVgoBytes(vgo.write());
    for (std::size_t i = 0; i < std::size(types); ++i) {
        EXPECT_TRUE(read->document.accessors[i].usable) << i;
        EXPECT_EQ(read->document.accessors[i].elementSize(), types[i].second) << i;
    }
    for (std::size_t i = std::size(types); i < read->document.accessors.size(); ++i) EXPECT_FALSE(read->document.accessors[i].usable) << i;
    EXPECT_EQ(read->finding(Code::ACCESSOR_TYPE)->path, "accessors[17]");
}

TEST(VgoAccessors, ReadsUnalignedData) {
    VgoBuilder vgo = unaligned();
    const Floats floats = {1, -2, 3.5f, 0, 1e30f, -0.25f};
    vgo.addFloats(VgoKind::mesh, 3, floats);
    vgo.addUnsigned(VgoKind::mesh, vgoVec4U16, Numbers{1, 2, 3, 65535});
    vgo.addUnsigned(VgoKind::mesh, vgoU32, Numbers{7, 0xFFFFFFFF});
    vgo.addIndices(Numbers{0, 255});
    const auto read = readVgoBytes(vgo.write());
    Floats values;
    Numbers numbers;
    const auto& accessors = read->document.accessors;
    EXPECT_EQ(accessors[1].byteOffset % 2, 1);
    EXPECT_TRUE(readFloats(accessors[1], 3, values));
    EXPECT_EQ(values, floats);
    EXPECT_FALSE(readFloats(accessors[1], 2, values));
    EXPECT_FALSE(readFloats(accessors[2], 4, values));
    EXPECT_TRUE(readUnsigned(accessors[2], 4, numbers));
    EXPECT_EQ(numbers, (Numbers{1, 2, 3, 65535}));
    EXPECT_TRUE(readUnsigned(accessors[3], 1, numbers));
    EXPECT_EQ(numbers, (Numbers{7, 0xFFFFFFFF}));
    EXPECT_TRUE(readUnsigned(accessors[4], 1, numbers));
    EXPECT_EQ(numbers, (Numbers{0, 255}));
    EXPECT_FALSE(readUnsigned(accessors[1], 3, numbers));
    Arena arena;
    const Column<float> column = floatColumn(accessors[1], 3, arena, arena.addBlock());
    const auto stored = arena.values(column);
    EXPECT_EQ(Floats(stored.begin(), stored.end()), floats);
    EXPECT_FALSE(floatColumn(accessors[2], 4, arena, 0).present());
}

TEST(VgoAccessors, ChecksIndicesOfTheLayout) {
    VgoBuilder vgo = unaligned();
    const auto read = readVgoBytes(vgo.write());
    EXPECT_TRUE(usableAccessor(read->document, 0));
    for (const double index : {-1.0, 1.0, 1e300, -1e300, double(NAN), double(INFINITY)})
        EXPECT_FALSE(usableAccessor(read->document, index));
}

class VgoSparse : public testing::TestWithParam<std::tuple<bool, std::uint32_t, std::size_t>> {};

/// Indices have 8, 16 or 32 bits, depending on the number of elements.
TEST_P(VgoSparse, ExpandsToTheDenseData) {
    const auto [powerful, components, count] = GetParam();
    Floats dense(count * components, 0);
    Numbers wanted;
    for (std::size_t element = count - 1; element > 0; element = element * 2 / 3) {
        dense[element * components + element % components] = static_cast<float>(element);
        wanted.insert(wanted.begin(), static_cast<std::uint32_t>(element));
    }
    VgoBuilder vgo = unaligned();
    vgo.addSparse(components, dense, powerful);
    vgo.addFloats(VgoKind::mesh, components, dense);
    const auto read = readVgoBytes(vgo.write());
    ASSERT_TRUE(read->isClean());
    Floats expanded;
    EXPECT_TRUE(readFloats(read->document.accessors[1], components, expanded));
    EXPECT_EQ(expanded, dense);
    for (const std::size_t accessor : {1, 2}) {
        Numbers elements;
        Floats values;
        EXPECT_TRUE(readNonZero(read->document.accessors[accessor], components, elements, values));
        EXPECT_EQ(elements, wanted);
        ASSERT_EQ(values.size(), elements.size() * components);
        for (std::size_t i = 0; i < elements.size(); ++i)
            for (std::size_t k = 0; k < components; ++k) EXPECT_EQ(values[i * components + k], dense[elements[i] * components + k]);
    }
}

INSTANTIATE_TEST_SUITE_P(VgoAccessors, VgoSparse,
                         testing::Combine(testing::Bool(), testing::Values(2u, 3u, 4u), testing::Values(20u, 300u, 70'000u)));

TEST(VgoAccessors, ReadsSparseEntriesInAnyOrderAndRepeated) {
    VgoBuilder vgo;
    // Mode Powerful with the 8-bit indices 4 1 1 and the values 9 8 7. The last value for index 1
    // is used.
    Vector<std::uint8_t> bytes = {4, 1, 1};
    const float stored[] = {9, 8, 7};
    bytes.resize(bytes.size() + sizeof stored);
    std::memcpy(bytes.data() + 3, stored, sizeof stored);
    vgo.add({{"kind", 3},
             {"dataType", 0x1350},
             {"count", 2},
             {"sparseType", 2},
             {"sparseCount", 3},
             {"sparseIndexDataType", 0x10},
             {"sparseValueDataType", 0x50},
             {"sparseValueByteOffset", 3}},
            bytes);
    const auto read = readVgoBytes(vgo.write());
    Floats values;
    Numbers elements;
    ASSERT_TRUE(read->isClean());
    EXPECT_TRUE(readFloats(read->document.accessors[0], 3, values));
    EXPECT_EQ(values, (Floats{0, 7, 0, 0, 9, 0}));
    EXPECT_TRUE(readNonZero(read->document.accessors[0], 3, elements, values));
    EXPECT_EQ(elements, (Numbers{0, 1}));
    EXPECT_EQ(values, (Floats{0, 7, 0, 0, 9, 0}));
}

/// A u32 accessor in mode General with five elements, of which two are stored. Each test changes
/// one of its members.
struct SparsePatch {
    const char* member;
    double value;
    Code code;
};

TEST(VgoAccessors, ChecksSparseMembersAgainstEachOther) {
    const auto make = [](const char* member, double value) {
        VgoBuilder vgo;
        Properties accessor = {{"kind", 3},
                               {"dataType", 0x30},
                               {"count", 5},
                               {"sparseType", 1},
                               {"sparseCount", 2},
                               {"sparseIndexDataType", 0x10},
                               {"sparseValueDataType", 0x30},
                               {"sparseValueByteOffset", 2}};
        for (Property& entry : accessor)
            if (entry.name == member) entry.value = value;
        vgo.add(accessor, Vector<std::uint8_t>{4, 1, 9, 0, 0, 0, 8, 0, 0, 0});
        return readVgoBytes(vgo.write());
    };
    const auto good = make("", 0);
    Numbers numbers;
    ASSERT_TRUE(good->isClean());
    EXPECT_TRUE(readUnsigned(good->document.accessors[0], 1, numbers));
    EXPECT_EQ(numbers, (Numbers{0, 8, 0, 0, 9}));
    for (const SparsePatch& patch : std::initializer_list<SparsePatch>{{"count", 4, Code::ACCESSOR_SPARSE},
                                                                       {"count", -1, Code::ACCESSOR_COUNT},
                                                                       {"count", 1 << 25, Code::OUT_OF_MEMORY},
                                                                       {"sparseType", 3, Code::ACCESSOR_SPARSE},
                                                                       {"sparseType", -1, Code::ACCESSOR_SPARSE},
                                                                       {"sparseType", 2, Code::ACCESSOR_SPARSE},
                                                                       {"sparseCount", 1, Code::ACCESSOR_SPARSE},
                                                                       {"sparseCount", -2, Code::ACCESSOR_SPARSE},
                                                                       {"sparseCount", 1e15, Code::ACCESSOR_SPARSE},
                                                                       {"sparseIndexDataType", 0x50, Code::ACCESSOR_SPARSE},
                                                                       {"sparseIndexDataType", 0x20, Code::ACCESSOR_SPARSE},
                                                                       {"sparseValueDataType", 0x50, Code::ACCESSOR_SPARSE},
                                                                       {"sparseValueByteOffset", 3, Code::ACCESSOR_SPARSE},
                                                                       {"sparseValueByteOffset", -2, Code::ACCESSOR_SPARSE}}) {
        const auto read = make(patch.member, patch.value);
        ASSERT_TRUE(read->finding(patch.code)) << patch.member << " = " << patch.value;
        EXPECT_EQ(read->finding(patch.code)->severity, Severity::error);
        EXPECT_EQ(read->finding(patch.code)->path, "accessors[0]");
        EXPECT_FALSE(read->document.accessors[0].usable);
    }
}

TEST(VgoAccessors, ReadsTheDocumentedNameOfTheSparseOffset) {
    VgoBuilder vgo;
    vgo.add({{"kind", 3},
             {"dataType", 0x30},
             {"count", 3},
             {"sparseType", 1},
             {"sparseCount", 1},
             {"sparseIndexDataType", 0x10},
             {"sparseValueDataType", 0x30},
             {"sparseValueOffset", 1}},
            Vector<std::uint8_t>{2, 9, 0, 0, 0});
    const auto read = readVgoBytes(vgo.write());
    Numbers numbers;
    ASSERT_TRUE(read->isClean());
    EXPECT_TRUE(readUnsigned(read->document.accessors[0], 1, numbers));
    EXPECT_EQ(numbers, (Numbers{0, 0, 9}));
}

TEST(VgoAccessors, ChecksCountsAgainstTheBytes) {
    const Vector<std::uint8_t> bytes(28, 1);
    const auto countOf = [&](std::int64_t count) {
        VgoBuilder vgo;
        vgo.addDense(VgoKind::mesh, vgoVec3F32, count, bytes);
        return readVgoBytes(vgo.write());
    };
    const auto more = countOf(2);  // 4 extra bytes
    EXPECT_EQ(more->finding(Code::ACCESSOR_COUNT)->severity, Severity::warning);
    EXPECT_TRUE(more->document.accessors[0].usable);
    EXPECT_EQ(more->document.accessors[0].data.size(), 24u);
    for (const std::int64_t count : {3, -1}) {
        const auto bad = countOf(count);
        EXPECT_EQ(bad->finding(Code::ACCESSOR_COUNT)->severity, Severity::error);
        EXPECT_FALSE(bad->document.accessors[0].usable);
    }
}

TEST(VgoAccessors, FloatColoursTaggedAsBytesAreFloats) {
    VgoBuilder vgo = unaligned();
    const Floats colors = {0.5f, 0.25f, 1, 1, 0, 2, 0, 1};
    const Bytes bytes(reinterpret_cast<const std::uint8_t*>(colors.data()), 32);
    vgo.add({{"kind", 3}, {"byteStride", 16}, {"dataType", 0x1410}, {"count", 2}}, bytes);
    vgo.add({{"kind", 3}, {"dataType", 0x1410}, {"count", 2}}, bytes);  // no stride: the length determines it
    vgo.addUnsigned(VgoKind::mesh, vgoVec4U8, Numbers{1, 2, 3, 4, 5, 6, 7, 255});
    const auto read = readVgoBytes(vgo.write());
    EXPECT_TRUE(read->isClean());
    Floats values;
    Numbers numbers;
    for (const std::size_t i : {1, 2}) {
        EXPECT_TRUE(readFloats(read->document.accessors[i], 4, values));
        EXPECT_EQ(values, colors);
        EXPECT_EQ(read->document.accessors[i].dataType, 0x1410) << "as the file says";
    }
    EXPECT_FALSE(readFloats(read->document.accessors[3], 4, values));
    EXPECT_TRUE(readUnsigned(read->document.accessors[3], 4, numbers));
    EXPECT_EQ(numbers.back(), 255u);
}

TEST(VgoAccessors, InvalidEntriesKeepTheNumbering) {
    VgoBuilder vgo;
    vgo.crypt = VgoCrypt::base64();
    vgo.addImage(Vector<std::uint8_t>{1, 2, 3});
    const auto encode = vgo.crypt->encrypt;
    vgo.crypt->encrypt = [encode](Bytes) {
        constexpr std::string_view list = R"([null, 7, {"kind": 1, "byteOffset": 0, "byteLength": 3, "dataType": 16, "count": 3}])";
        return encode({reinterpret_cast<const std::uint8_t*>(list.data()), list.size()});
    };
    const auto read = readVgoBytes(vgo.write());
    ASSERT_EQ(read->document.accessors.size(), 3u);
    EXPECT_FALSE(read->document.accessors[0].usable || read->document.accessors[1].usable);
    ASSERT_TRUE(read->document.accessors[2].usable);
    EXPECT_TRUE(read->document.accessors[2].isKind(VgoKind::image));
}

}  // namespace
}  // namespace rigcast
