// Tests reading the contents of chunks: JSON and BSON in all variants that writers produce,
// encrypted accessor lists, and external resources.
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/vgo/base64.hpp"
#include "formats/vgo/bson.hpp"
#include "support/open.hpp"
#include "support/vgo.hpp"

namespace rigcast {
namespace {

using namespace std::literals;
using test::listOf;
using test::quadVgo;
using test::readVgoBytes;
using Blob = Vector<std::uint8_t>;

Blob blobOf(std::string_view text) { return {text.begin(), text.end()}; }

/// Returns the file of the quad with another layout or accessor list.
Blob withPayload(VgoSlot slot, const Blob& payload, bool bson = false) {
    VgoBuilder vgo = quadVgo();
    const Blob old = vgo.write();
    const std::size_t index = slot == assetInfoSlot ? 1 : slot == layoutSlot ? 2 : 3;
    const auto oldOffset = loadValue<std::uint32_t>(old.data() + 24 + 16 * index + 4);
    // Writes the new chunk at the end of the file; the gap at its old position is valid.
    Blob bytes = old;
    const auto put = [&](std::size_t at, std::uint32_t value) { std::memcpy(bytes.data() + at, &value, 4); };
    const auto offset = static_cast<std::uint32_t>(bytes.size());
    bytes.resize(bytes.size() + 8);
    std::copy_n(old.begin() + oldOffset, 4, bytes.begin() + offset);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    put(offset + 4, static_cast<std::uint32_t>(payload.size()));
    put(24 + 16 * index + 4, offset);
    put(24 + 16 * index + 8, static_cast<std::uint32_t>(payload.size() + 8));
    bytes[24 + 16 * index + 12] = 0;
    if (bson) {
        bytes[offset + 3] = bytes[24 + 16 * index + 3] = 'B';
        const auto composer = loadValue<std::uint32_t>(bytes.data() + 24 + 4);
        bytes[composer + 8 + 4 * slot + 3] = 'B';
    }
    return bytes;
}

auto readLayout(std::string_view json) { return readVgoBytes(withPayload(layoutSlot, blobOf(json))); }

const Value& member(const Value& value, std::string_view name) {
    const Value* found = value.find(name);
    static const Value missing;
    EXPECT_TRUE(found) << name;
    return found ? *found : missing;
}

// ---- JSON

TEST(VgoJson, ReadsBareAndQuotedNonFiniteNumbers) {
    const auto read = readLayout(R"({"a": [NaN, Infinity, -Infinity, "NaN"]})");
    EXPECT_TRUE(read->isClean());
    const auto& list = member(read->document.layout, "a").as<Vector<Value>>();
    EXPECT_TRUE(std::isnan(list[0].asNumber(0)));
    EXPECT_EQ(list[2].asNumber(0), -HUGE_VAL);
    EXPECT_EQ(list[3].asString(""), "NaN");
}

TEST(VgoJson, ReadsCommentsNullsAndRepeatedKeys) {
    const auto read = readLayout("{ /* a */ \"a\": null, // b\n \"b\": 1, \"b\": 2}");
    EXPECT_TRUE(read->isClean());
    EXPECT_TRUE(member(read->document.layout, "a").isNull());
    EXPECT_EQ(member(read->document.layout, "b").asNumber(0), 2);
}

TEST(VgoJson, SkipsAByteOrderMark) {
    const auto read = readLayout("\xEF\xBB\xBF{\"a\": !}");
    EXPECT_EQ(read->finding(Code::BYTE_ORDER_MARK)->severity, Severity::warning);
    // The offset of an error includes the byte order mark.
    EXPECT_EQ(*read->finding(Code::BAD_JSON)->offset - *read->finding(Code::BYTE_ORDER_MARK)->offset, 9u);
    EXPECT_TRUE(readLayout("\xEF\xBB\xBF{}")->complete);
}

TEST(VgoJson, RepairsTextThatIsNotUtf8) {
    const auto read = readLayout("{\"a\": \"x\xFFy\"}");
    EXPECT_TRUE(read->complete);
    EXPECT_TRUE(read->finding(Code::NAME_DAMAGED));
    EXPECT_EQ(member(read->document.layout, "a").asString(""), "x\uFFFDy");
}

TEST(VgoJson, IntegersWithAFractionAreAcceptedWithAWarning) {
    const auto read = readVgoBytes(
        withPayload(accessorSlot, blobOf(R"([{"kind": 2, "byteOffset": 0, "byteLength": 128.0, "dataType": 9296, "count": 2}])")));
    EXPECT_TRUE(read->complete);
    EXPECT_EQ(read->finding(Code::PROPERTY_TYPE)->severity, Severity::warning);
    EXPECT_TRUE(read->document.accessors[0].usable);
}

TEST(VgoJson, ReportsInvalidJson) {
    for (const std::string_view text : {"{", "{}x", "{} {}", "{\"a\":}", "{\"a\" 1}", "'a'"}) {
        const auto read = readLayout(text);
        EXPECT_FALSE(read->complete) << text;
        ASSERT_TRUE(read->finding(Code::BAD_JSON)) << text;
        EXPECT_EQ(read->finding(Code::BAD_JSON)->path, "LAPJ");
    }
    EXPECT_TRUE(readLayout("[]")->finding(Code::BAD_LAYOUT));
    EXPECT_TRUE(readLayout("null")->finding(Code::BAD_LAYOUT));
    EXPECT_TRUE(readVgoBytes(withPayload(accessorSlot, blobOf("{}")))->finding(Code::BAD_LAYOUT));
}

// ---- BSON

/// Returns a document with one element.
Blob bsonOf(std::uint8_t type, std::string_view name, const Blob& value) {
    Blob bytes = {0, 0, 0, 0, type};
    bytes.insert(bytes.end(), name.begin(), name.end());
    bytes.push_back(0);
    bytes.insert(bytes.end(), value.begin(), value.end());
    bytes.push_back(0);
    bytes[0] = static_cast<std::uint8_t>(bytes.size());
    return bytes;
}

TEST(VgoBson, ReadsEveryType) {
    const auto read = [](std::uint8_t type, const Blob& value) {
        const Tree tree = readBson(bsonOf(type, "a", value));
        EXPECT_TRUE(tree.ok()) << int{type};
        return tree.root.find("a") ? writeJson(*tree.root.find("a")) : "";
    };
    EXPECT_EQ(read(0x01, {0, 0, 0, 0, 0, 0, 0xF8, 0x3F}), "1.5");
    EXPECT_EQ(read(0x02, {3, 0, 0, 0, 'h', 'i', 0}), "\"hi\"");
    EXPECT_EQ(read(0x03, {5, 0, 0, 0, 0}), "{}");
    EXPECT_EQ(read(0x04, {5, 0, 0, 0, 0}), "[]");
    EXPECT_EQ(read(0x05, {2, 0, 0, 0, 0, 7, 255}), R"("B/8=")");
    EXPECT_EQ(read(0x08, {1}), "true");
    EXPECT_EQ(read(0x0A, {}), "null");
    EXPECT_EQ(read(0x10, {0xFE, 0xFF, 0xFF, 0xFF}), "-2");
    EXPECT_EQ(read(0x12, {0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), "-2");
}

TEST(VgoBson, ChecksLengthsAgainstTheParent) {
    const Blob good = bsonOf(0x02, "a", {3, 0, 0, 0, 'h', 'i', 0});
    EXPECT_TRUE(readBson(good).ok());
    const auto patched = [&](std::size_t at, std::uint8_t value) {
        Blob bytes = good;
        bytes[at] = value;
        return readBson(bytes).error;
    };
    EXPECT_EQ(patched(0, 4), TreeError::syntax);    // shorter than any document
    EXPECT_EQ(patched(0, 200), TreeError::syntax);  // longer than the chunk
    EXPECT_EQ(patched(3, 0x80), TreeError::syntax);
    EXPECT_EQ(patched(4, 0x7E), TreeError::syntax);   // unknown type
    EXPECT_EQ(patched(7, 0), TreeError::syntax);      // a text without its terminator
    EXPECT_EQ(patched(7, 4), TreeError::syntax);      // includes the terminator of the document
    EXPECT_EQ(patched(7, 5), TreeError::syntax);      // extends beyond the document
    EXPECT_EQ(patched(10, 0x80), TreeError::syntax);  // 2 billion
    for (std::size_t size = 0; size < good.size(); ++size) EXPECT_EQ(readBson(Bytes(good).first(size)).error, TreeError::syntax) << size;
    Blob longer = good;
    longer.push_back(0);
    EXPECT_EQ(readBson(longer).error, TreeError::syntax);
    // An inner document that is longer than the outer one, and one that ends inside its content.
    EXPECT_EQ(readBson(bsonOf(0x03, "a", {9, 0, 0, 0, 0})).error, TreeError::syntax);
    EXPECT_EQ(readBson(bsonOf(0x03, "a", {6, 0, 0, 0, 0x10, 'b', 0, 1, 0, 0, 0, 0})).error, TreeError::syntax);
}

TEST(VgoBson, RepairsText) {
    const Tree tree = readBson(bsonOf(0x02, "\xFF", {2, 0, 0, 0, 0xFE, 0}));
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(member(tree.root, "\uFFFD").asString(""), "\uFFFD");
}

TEST(VgoBson, ReadsTheAccessorListFromADocument) {
    VgoBuilder vgo = quadVgo();
    vgo.bsonAccessors = true;
    const Blob list = vgo.accessorList();
    EXPECT_EQ(list[4], 0x03);
    EXPECT_EQ(list[5], '0');
    EXPECT_EQ(readVgoBytes(vgo.write())->document.accessors[1].dataType, vgoVec3F32);
}

// ---- absurd ones

/// Returns {"a": {"a": ... {}}}. Each level has a length, 0x03 and "a\0". The terminators of all
/// levels follow.
Blob nestedBson(std::uint32_t levels) {
    Blob bytes;
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t length = (levels - level) * 8 + 5;
        for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(length >> shift));
        bytes.insert(bytes.end(), {0x03, 'a', 0});
    }
    bytes.insert(bytes.end(), {5, 0, 0, 0, 0});
    bytes.insert(bytes.end(), levels, 0);
    return bytes;
}

TEST(VgoLimits, TwentyThousandLevels) {
    const std::string open(20'000, '['), close(20'000, ']');
    const auto read = readLayout("{\"a\": " + open + close + "}");
    ASSERT_TRUE(read->finding(Code::NESTING_TOO_DEEP));
    EXPECT_EQ(read->finding(Code::NESTING_TOO_DEEP)->path, "LAPJ");
    EXPECT_FALSE(read->complete);
    EXPECT_EQ(readBson(nestedBson(20'000), 64).error, TreeError::tooDeep);
    EXPECT_EQ(readBson(nestedBson(64), 64).error, TreeError::tooDeep);
    EXPECT_TRUE(readBson(nestedBson(63), 64).ok());
}

TEST(VgoLimits, FourBillionElements) {
    const auto read = readVgoBytes(withPayload(accessorSlot, blobOf(R"([
        {"kind": 3, "byteOffset": 0, "byteLength": 128, "dataType": 4944, "count": 4294967295},
        {"kind": 3, "byteOffset": 0, "byteLength": 5, "dataType": 48, "count": 4294967295, "sparseType": 1, "sparseCount": 1,
         "sparseIndexDataType": 16, "sparseValueDataType": 48, "sparseValueByteOffset": 1},
        {"kind": 3, "byteOffset": 9e15, "byteLength": 9e15, "dataType": 48, "count": 1e300},
        {"kind": 3, "byteOffset": 0, "byteLength": 4, "dataType": 48, "count": 1, "sparseType": 1, "sparseCount": 4e9}])")));
    EXPECT_EQ(read->finding(Code::ACCESSOR_COUNT)->path, "accessors[0]");
    EXPECT_EQ(read->finding(Code::OUT_OF_MEMORY)->path, "accessors[1]");
    EXPECT_EQ(read->finding(Code::ACCESSOR_RANGE)->path, "accessors[2]");
    EXPECT_EQ(read->finding(Code::ACCESSOR_SPARSE)->path, "accessors[3]");
    for (const VgoAccessor& accessor : read->document.accessors) EXPECT_FALSE(accessor.usable);
}

TEST(VgoLimits, AMillionBadAccessors) {
    std::string list = "[{}";
    for (int i = 1; i < 1'000'000; ++i) list += ",{}";
    const auto read = readVgoBytes(withPayload(accessorSlot, blobOf(list + "]")));
    EXPECT_TRUE(read->finding(Code::OUT_OF_MEMORY));
    EXPECT_TRUE(read->finding(Code::ACCESSOR_TYPE));
    EXPECT_LT(read->diagnostics.findings().size(), 200u);
}

TEST(VgoLimits, TwentyBytesForSixteenMillionElements) {
    VgoBuilder vgo;
    vgo.add({{"kind", 3},
             {"dataType", 0x1350},
             {"count", 16'000'000},
             {"sparseType", 2},
             {"sparseCount", 4},
             {"sparseIndexDataType", 0x10},
             {"sparseValueDataType", 0x50},
             {"sparseValueByteOffset", 4}},
            Blob(20, 1));
    const auto read = readVgoBytes(vgo.write());
    EXPECT_FALSE(read->document.accessors[0].usable);
    EXPECT_TRUE(read->finding(Code::WORK_LIMIT));
}

TEST(VgoLimits, ManyAccessorsOverTheSameBytes) {
    VgoBuilder vgo;
    const Blob megabytes(4u << 20, 1);
    vgo.addDense(VgoKind::mesh, vgoU8, static_cast<std::int64_t>(megabytes.size()), megabytes);
    std::string list = "[";
    for (int i = 0; i < 200; ++i)
        list += (i ? "," : "") + R"({"kind": 3, "byteOffset": 0, "byteLength": 4194304, "dataType": 16, "count": 4194304})"s;
    VgoBuilder file = vgo;
    file.crypt = VgoCrypt{{{"algorithms", "Base64"}}, [&](Bytes) { return blobOf(toBase64(blobOf(list + "]"))); }};
    const auto read = readVgoBytes(file.write());
    EXPECT_TRUE(read->document.accessors[0].usable);
    EXPECT_FALSE(read->document.accessors[199].usable);
    EXPECT_TRUE(read->finding(Code::WORK_LIMIT));
}

// ---- Base64 and AES

TEST(VgoBase64, RoundTrips) {
    for (std::size_t size = 0; size < 9; ++size) {
        Blob bytes;
        for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(250 + i * 77));
        EXPECT_EQ(fromBase64(toBase64(bytes)), bytes) << size;
    }
    EXPECT_EQ(toBase64(blobOf("light w")), "bGlnaHQgdw==");
    EXPECT_EQ(fromBase64("bGln\r\naHQg\tdw= ="), blobOf("light w"));
    for (const std::string_view bad : {"a", "ab", "abc", "a===", "====", "ab=c", "ab-_", "abcd=", "ab==cd=="})
        EXPECT_FALSE(fromBase64(bad)) << bad;
}

TEST(VgoCrypt, Base64IsClearText) {
    for (const bool bson : {false, true}) {
        VgoBuilder vgo = quadVgo();
        vgo.crypt = VgoCrypt::base64();
        vgo.bsonAccessors = vgo.bsonOthers = bson;
        const auto read = readVgoBytes(vgo.write());
        EXPECT_TRUE(read->complete && read->isClean());
        EXPECT_TRUE(read->document.references.empty());
        EXPECT_EQ(read->document.accessors[4].count, 6);
    }
}

/// Returns arbitrary bytes as encrypted data, because the core does not decrypt AES.
VgoCrypt aes(std::string_view key, std::string_view iv = "AAECAwQFBgcICQoLDA0ODw==", std::size_t length = 64) {
    VgoCrypt crypt{{{"algorithms", "AES"}, {"cipherMode", 1}, {"paddingMode", 2}}, [length](Bytes) { return Blob(length, 0xAA); }};
    if (!key.empty()) crypt.info.push_back({"key", key});
    if (!iv.empty()) crypt.info.push_back({"iv", iv});
    crypt.needsExternalKey = key.empty();
    return crypt;
}

VgoBuilder aesVgo(VgoCrypt crypt) {
    VgoBuilder vgo = quadVgo();
    vgo.crypt = std::move(crypt);
    return vgo;
}

TEST(VgoCrypt, ReturnsTheEmbeddedKey) {
    const Blob bytes = aesVgo(aes("AAECAwQFBgcICQoLDA0ODw==")).write();
    const auto read = readVgoBytes(bytes);
    EXPECT_FALSE(read->complete);
    EXPECT_TRUE(read->isClean()) << "a need, not an error";
    ASSERT_EQ(read->document.references.size(), 1u);
    const Reference& need = read->document.references[0];
    EXPECT_EQ(need.kind, "decrypt");
    EXPECT_TRUE(need.required && !need.supplied);
    const Value properties = need.properties;
    EXPECT_EQ(member(properties, "algorithm").asString(""), "AES");
    EXPECT_EQ(member(properties, "iv").asString(""), "AAECAwQFBgcICQoLDA0ODw==");
    EXPECT_EQ(member(properties, "key").asString(""), "AAECAwQFBgcICQoLDA0ODw==");
    EXPECT_EQ(member(properties, "byteLength").asNumber(0), 64);
    const auto offset = static_cast<std::size_t>(member(properties, "offset").asNumber(0));
    EXPECT_EQ(Blob(bytes.begin() + static_cast<std::ptrdiff_t>(offset), bytes.begin() + static_cast<std::ptrdiff_t>(offset) + 64),
              Blob(64, 0xAA));
}

TEST(VgoCrypt, ReturnsReferencesWithoutAScene) {
    const auto opened = test::readBytes("vgo", aesVgo(aes("")).write(), {.name = "folder/hero.vgo"});
    EXPECT_FALSE(opened->result.hasScene);
    EXPECT_TRUE(opened->has(Code::KEY_REQUIRED));
    const auto& needs = member(opened->json, "references").as<Vector<Value>>();
    ASSERT_EQ(needs.size(), 2u);
    EXPECT_EQ(member(needs[0], "kind").asString(""), "key");
    EXPECT_EQ(member(needs[0], "name").asString(""), "hero.vgk");
    EXPECT_EQ(member(needs[1], "kind").asString(""), "decrypt");
    EXPECT_FALSE(member(needs[1], "properties").find("key"));
    EXPECT_EQ(member(member(needs[1], "properties"), "cipherMode").asString(""), "CBC");
}

TEST(VgoCrypt, ReadsSuppliedDecryptedBytes) {
    for (const bool bson : {false, true}) {
        VgoBuilder vgo = aesVgo(aes("AAECAwQFBgcICQoLDA0ODw=="));
        vgo.bsonAccessors = bson;
        const Blob clear = vgo.accessorList();
        const auto read = readVgoBytes(vgo.write(), {{"decrypt", bson ? "RACB" : "RACJ", clear}});
        EXPECT_TRUE(read->complete && read->isClean());
        EXPECT_EQ(read->document.accessors[4].count, 6);
        EXPECT_TRUE(read->document.references[0].supplied);
    }
}

TEST(VgoCrypt, ReportsAWrongKeyAndRequestsAnother) {
    const Blob key(32, 1), garbage = blobOf("{]garbage");
    for (const Bytes clear : {Bytes{}, Bytes(garbage)}) {
        const auto read = readVgoBytes(aesVgo(aes("")).write(), {{"key", "quad.vgk", key}, {"decrypt", "RACJ", clear}});
        EXPECT_FALSE(read->complete);
        EXPECT_TRUE(read->finding(Code::DECRYPT_FAILED));
        EXPECT_FALSE(read->finding(Code::BAD_JSON));
        EXPECT_EQ(read->document.references[0].kind, "key");
        EXPECT_FALSE(read->document.references[0].supplied);
    }
}

TEST(VgoCrypt, KeyFilesHaveThirtyTwoBytes) {
    const Blob shortKey(31, 1), key(32, 1);
    const auto bad = readVgoBytes(aesVgo(aes("")).write(), {{"key", "quad.vgk", shortKey}});
    EXPECT_TRUE(bad->finding(Code::BAD_KEY));
    EXPECT_FALSE(bad->document.references[0].supplied);
    // The last of two supplied keys is used, and it has priority over an embedded one.
    const auto good = readVgoBytes(aesVgo(aes("AAECAwQFBgcICQoLDA0ODw==")).write(), {{"key", "a.vgk", shortKey}, {"key", "b.vgk", key}});
    EXPECT_TRUE(good->isClean());
    EXPECT_EQ(member(Value(good->document.references[1].properties), "key").asString(""), toBase64(key));
}

TEST(VgoCrypt, ReportsInvalidCryptInfo) {
    const auto codeOf = [](VgoCrypt crypt, Code code) { return readVgoBytes(aesVgo(std::move(crypt)).write())->finding(code) != nullptr; };
    EXPECT_TRUE(codeOf(aes("AAECAwQFBgcICQoLDA0ODw==", ""), Code::BAD_CRYPT_INFO));
    EXPECT_TRUE(codeOf(aes("AAECAwQFBgcICQoLDA0ODw==", "AAECAwQFBgc="), Code::BAD_CRYPT_INFO));
    EXPECT_TRUE(codeOf(aes("AAECAwQFBgc="), Code::BAD_KEY));
    EXPECT_TRUE(codeOf(aes("AAECAwQFBgcICQoLDA0ODw==", "AAECAwQFBgcICQoLDA0ODw==", 62), Code::DECRYPT_FAILED));
    VgoCrypt other = aes("");
    other.info[0].value = "DES";
    EXPECT_TRUE(codeOf(other, Code::UNSUPPORTED_CRYPT));
    other.info.erase(other.info.begin());
    EXPECT_TRUE(codeOf(other, Code::BAD_CRYPT_INFO));
    VgoCrypt text = VgoCrypt::base64();
    text.encrypt = [](Bytes) { return blobOf("!!!!"); };
    EXPECT_TRUE(codeOf(text, Code::DECRYPT_FAILED));
}

TEST(VgoCrypt, AcceptsByteOrderMarkAndFractionsInEncryptedLists) {
    VgoBuilder vgo = quadVgo();
    vgo.crypt = VgoCrypt::base64();
    vgo.crypt->encrypt = [](Bytes clear) {
        std::string list(asText(clear));
        list.insert(list.find("\"count\":4") + 9, ".0");
        return blobOf(toBase64(blobOf("\xEF\xBB\xBF" + list)));
    };
    const auto read = readVgoBytes(vgo.write());
    EXPECT_TRUE(read->complete);
    EXPECT_EQ(read->finding(Code::BYTE_ORDER_MARK)->path, "RACJ");
    EXPECT_EQ(read->finding(Code::PROPERTY_TYPE)->path, "RACJ");
}

TEST(VgoCrypt, ReadsEncryptedFilesWhoseHeaderDoesNotDeclareIt) {
    VgoBuilder vgo = quadVgo();
    vgo.crypt = VgoCrypt::base64();
    Blob bytes = vgo.write();
    bytes[12] = 0;
    const auto read = readVgoBytes(bytes);
    EXPECT_TRUE(read->complete);
    ASSERT_TRUE(read->finding(Code::CRYPT_FLAG));
    EXPECT_EQ(read->finding(Code::CRYPT_FLAG)->detail, "the accessor list is encrypted");
    // A missing layout is reported even if the accessor list is encrypted.
    const auto composer = loadValue<std::uint32_t>(bytes.data() + 24 + 4);
    std::memset(bytes.data() + composer + 8 + 8, 0, 4);
    EXPECT_FALSE(readVgoBytes(bytes)->complete);
}

TEST(VgoCrypt, AcceptsKeysOfEveryAesLength) {
    for (const std::size_t size : {16u, 24u, 32u})
        EXPECT_TRUE(readVgoBytes(aesVgo(aes(toBase64(Blob(size, 1)))).write())->isClean()) << size;
    const Blob nothing;
    const auto empty = readVgoBytes(aesVgo(aes("")).write(), {{"key", "quad.vgk", nothing}});
    EXPECT_TRUE(empty->finding(Code::BAD_KEY));
    const auto unnamed = readVgoBytes(aesVgo(aes("")).write(), {}, "");
    EXPECT_EQ(unnamed->document.references[0].name, "key.vgk");
}

TEST(VgoCrypt, DamagedCryptInfoGivesNoAccessors) {
    VgoBuilder vgo = aesVgo(aes(""));
    Blob bytes = vgo.write();
    const std::string_view text = asText(bytes);
    bytes[text.find("\"algorithms\"")] = '!';
    const auto read = readVgoBytes(bytes);
    EXPECT_FALSE(read->complete);
    EXPECT_EQ(read->finding(Code::BAD_JSON)->path, "CRAJ");
}

// ---- external resource

TEST(VgoResource, IsRequestedByItsName) {
    VgoBuilder vgo = quadVgo();
    vgo.uri = "../data.bin";
    for (const bool bson : {false, true}) {
        vgo.bsonOthers = bson;
        const auto read = readVgoBytes(vgo.write());
        EXPECT_FALSE(read->complete);
        EXPECT_EQ(read->finding(Code::NEEDS_FILE)->severity, Severity::error);
        ASSERT_EQ(read->document.references.size(), 1u);
        EXPECT_EQ(read->document.references[0].kind, "resource");
        EXPECT_EQ(read->document.references[0].name, "../data.bin");
        const auto whole = readVgoBytes(vgo.write(), {{"resource", "data.bin", vgo.resource()}});
        EXPECT_TRUE(whole->complete && whole->isClean());
        EXPECT_TRUE(whole->document.accessors[4].usable);
        EXPECT_FALSE(whole->document.resourceIsEmbedded);
    }
}

TEST(VgoResource, UsesTheSmallerLength) {
    VgoBuilder vgo = quadVgo();
    vgo.uri = "data.bin";
    Blob longer = vgo.resource(), shorter = vgo.resource();
    longer.push_back(0);
    shorter.pop_back();
    const auto more = readVgoBytes(vgo.write(), {{"resource", "data.bin", longer}});
    EXPECT_TRUE(more->complete);
    EXPECT_EQ(more->finding(Code::RESOURCE_LENGTH)->severity, Severity::warning);
    EXPECT_EQ(more->document.resource.size(), vgo.resource().size());
    const auto less = readVgoBytes(vgo.write(), {{"resource", "data.bin", shorter}});
    EXPECT_TRUE(less->finding(Code::RESOURCE_LENGTH));
    EXPECT_EQ(less->finding(Code::ACCESSOR_RANGE)->path, "accessors[4]");
}

TEST(VgoResource, ReportsAnIncompleteChunk) {
    VgoBuilder vgo = quadVgo();
    vgo.uri = "data.bin";
    const Blob whole = vgo.write();
    const auto without = [&](std::string_view name) {
        Blob bytes = whole;
        bytes[asText(bytes).rfind("\"" + std::string(name) + "\"") + 1] = '_';
        return bytes;
    };
    const auto nameless = readVgoBytes(without("uri"), {{"resource", "data.bin", vgo.resource()}});
    EXPECT_FALSE(nameless->complete);
    EXPECT_EQ(nameless->finding(Code::NEEDS_FILE)->detail, "the file does not name it");
    const auto endless = readVgoBytes(without("byteLength"), {{"resource", "data.bin", vgo.resource()}});
    EXPECT_TRUE(endless->complete);
    EXPECT_TRUE(endless->finding(Code::RESOURCE_LENGTH));
    EXPECT_EQ(endless->document.resource.size(), vgo.resource().size());
    Blob broken = whole;
    broken[asText(broken).find("\"uri\"")] = '!';
    EXPECT_EQ(readVgoBytes(broken)->finding(Code::BAD_JSON)->path, "REPJ");
}

}  // namespace
}  // namespace rigcast
