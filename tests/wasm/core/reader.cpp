#include "core/reader.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/open.hpp"

namespace rigcast {
namespace {

using test::ExactBytes;

constexpr std::uint8_t sample[] = {1, 0, 0, 0, 2, 0, 3, 4};

TEST(Reader, ReadsLittleEndianValuesOfAnyAlignment) {
    const ExactBytes exact(sample);
    Reader reader(exact.bytes());
    EXPECT_EQ(reader.read<std::uint8_t>(), 1);
    EXPECT_EQ(reader.read<std::uint32_t>(), 0x02000000u);
    EXPECT_EQ(reader.read<std::uint16_t>(), 0x0300u);
    EXPECT_EQ(reader.remaining(), 1u);
    EXPECT_FALSE(reader.failed());
}

TEST(Reader, ReadsFloatsBitForBit) {
    const float value = -1.5f;
    std::uint8_t raw[4];
    std::memcpy(raw, &value, 4);
    EXPECT_EQ(Reader(Bytes(raw)).read<float>(), -1.5f);
}

TEST(Reader, ReadsUpToTheLastByte) {
    const ExactBytes exact(sample);
    Reader whole(exact.bytes());
    whole.read<std::uint64_t>();
    EXPECT_FALSE(whole.failed());
    EXPECT_EQ(whole.remaining(), 0u);
    EXPECT_EQ(whole.read<std::uint8_t>(), 0);
    EXPECT_TRUE(whole.failed());
    for (std::size_t size = 0; size < 8; ++size) {
        const ExactBytes part(Bytes(sample).first(size));
        Reader reader(part.bytes());
        EXPECT_EQ(reader.read<std::uint64_t>(), 0u);
        EXPECT_TRUE(reader.failed());
    }
}

TEST(Reader, StaysFailed) {
    Reader reader{Bytes(sample)};
    reader.bytes(9);
    EXPECT_TRUE(reader.failed());
    EXPECT_EQ(reader.read<std::uint8_t>(), 0);
    EXPECT_EQ(reader.bytes(1).size(), 0u);
    EXPECT_EQ(reader.count(1, 1), 0u);
    reader.seek(0);
    EXPECT_EQ(reader.read<std::uint8_t>(), 0);
    EXPECT_EQ(reader.remaining(), 0u);
    EXPECT_TRUE(reader.failed());
    EXPECT_TRUE(reader.sub(0).failed());
}

TEST(Reader, ReadingZeroBytesDoesNotFail) {
    Reader reader{Bytes{}};
    EXPECT_EQ(reader.bytes(0).size(), 0u);
    EXPECT_EQ(reader.count(0, 1000), 0u);
    reader.skip(0);
    reader.seek(0);
    EXPECT_FALSE(reader.failed());
}

TEST(Reader, OffsetsAreRelativeToTheFile) {
    Reader reader(Bytes(sample), 1000);
    EXPECT_EQ(reader.offset(), 1000u);
    reader.skip(4);
    EXPECT_EQ(reader.offset(), 1004u);
    EXPECT_EQ(reader.position(), 4u);
    EXPECT_EQ(reader.sub(2).offset(), 1004u);
    EXPECT_EQ(reader.offset(), 1006u);
}

TEST(Reader, SubReaderCannotReadBeyondItsRange) {
    Reader reader{Bytes(sample)};
    Reader inner = reader.sub(4);
    EXPECT_EQ(inner.size(), 4u);
    EXPECT_EQ(inner.read<std::uint32_t>(), 1u);
    EXPECT_EQ(inner.read<std::uint8_t>(), 0);
    EXPECT_TRUE(inner.failed());
    EXPECT_FALSE(reader.failed());
    EXPECT_EQ(reader.read<std::uint16_t>(), 2u);
}

TEST(Reader, SubReaderBeyondTheEndFailsBothReaders) {
    Reader reader{Bytes(sample)};
    Reader inner = reader.sub(9);
    EXPECT_TRUE(inner.failed());
    EXPECT_TRUE(reader.failed());
}

TEST(Reader, ChecksCountsWithoutOverflow) {
    constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t wanted : {std::uint64_t{3}, std::uint64_t{0x100000000}, huge / 4 + 1, huge}) {
        Reader reader{Bytes(sample)};
        EXPECT_EQ(reader.count(wanted, 4), 0u) << wanted;
        EXPECT_TRUE(reader.failed());
    }
    Reader reader{Bytes(sample)};
    EXPECT_EQ(reader.count(2, 4), 2u);
    EXPECT_EQ(reader.count(8, 1), 8u);
    EXPECT_EQ(reader.count(2, 3), 2u);
    EXPECT_FALSE(reader.failed());
}

TEST(Reader, FailsToSkipOrSeekPastTheEnd) {
    Reader skipping{Bytes(sample)};
    skipping.skip(std::numeric_limits<std::uint64_t>::max());
    EXPECT_TRUE(skipping.failed());
    Reader seeking{Bytes(sample)};
    seeking.seek(8);
    EXPECT_FALSE(seeking.failed());
    seeking.seek(9);
    EXPECT_TRUE(seeking.failed());
}

TEST(Records, CountsCompleteRecords) {
    EXPECT_EQ(Records(Bytes(sample), 3).size(), 2u);
    EXPECT_EQ(Records(Bytes(sample), 8).size(), 1u);
    EXPECT_EQ(Records(Bytes(sample), 9).size(), 0u);
    EXPECT_EQ(Records(Bytes(sample), 0).size(), 0u);
    EXPECT_TRUE(Records().empty());
}

TEST(Records, ReturnsFieldsAndOffsets) {
    const ExactBytes exact(sample);
    const Records records(exact.bytes(), 4, 100);
    EXPECT_EQ(records.get<std::uint32_t>(0, 0), 1u);
    EXPECT_EQ(records.get<std::uint16_t>(1, 2), 0x0403u);
    EXPECT_EQ(records.offsetOf(1), 104u);
    EXPECT_EQ(records.bytes(1, 1, 3).size(), 3u);
    EXPECT_EQ(records.bytes(1, 1, 3)[2], 4);
}

}  // namespace
}  // namespace rigcast
