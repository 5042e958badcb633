#include "support/writers/vgo.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cmath>

#include "core/vector.hpp"
#include "formats/vgo/base64.hpp"

namespace rigcast {

namespace {

using Blob = Vector<std::uint8_t>;

template <class T>
requires std::is_arithmetic_v<T>
void put(Blob& to, T value) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
    to.insert(to.end(), at, at + sizeof(T));
}

void put(Blob& to, std::string_view text) { to.insert(to.end(), text.begin(), text.end()); }

template <class T>
Bytes bytesOf(std::span<T> values) {
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

bool isInt32(double value) { return value == std::floor(value) && std::fabs(value) <= 2147483647; }

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void putJson(JsonWriter& json, const Value& value) {
    const auto text = [&](std::string_view string) { json.String(string.data(), static_cast<rapidjson::SizeType>(string.size())); };
    if (const auto* members = value.get<Properties>()) {
        json.StartObject();
        for (const Property& member : *members) {
            text(member.name);
            putJson(json, member.value);
        }
        json.EndObject();
    } else if (const auto* list = value.get<Vector<Value>>()) {
        json.StartArray();
        for (const Value& entry : *list) putJson(json, entry);
        json.EndArray();
    } else if (const auto* string = value.get<std::string>()) {
        text(*string);
    } else if (const auto flag = value.get<bool>()) {
        json.Bool(*flag);
    } else if (const auto number = value.get<double>()) {
        if (std::isnan(*number))
            text("NaN");
        else if (std::isinf(*number))
            text(*number < 0 ? "-Infinity" : "Infinity");
        else if (isInt32(*number))
            json.Int(static_cast<int>(*number));
        else
            json.Double(*number);
    } else {
        json.Null();
    }
}

void putBson(Blob& to, std::string_view name, const Value& value);

void putBsonDocument(Blob& to, const Value& value) {
    const std::size_t start = to.size();
    put(to, std::int32_t{0});
    if (const auto* members = value.get<Properties>()) {
        for (const Property& member : *members) putBson(to, member.name, member.value);
    } else if (const auto* list = value.get<Vector<Value>>()) {
        for (std::size_t i = 0; i < list->size(); ++i) putBson(to, std::to_string(i), (*list)[i]);
    }
    put(to, std::uint8_t{0});
    const auto length = static_cast<std::int32_t>(to.size() - start);
    std::memcpy(to.data() + start, &length, sizeof length);
}

void putBson(Blob& to, std::string_view name, const Value& value) {
    const auto head = [&](std::uint8_t type) {
        put(to, type);
        put(to, name);
        put(to, std::uint8_t{0});
    };
    if (value.is<Properties>() || value.is<Vector<Value>>()) {
        head(value.is<Properties>() ? 0x03 : 0x04);
        putBsonDocument(to, value);
    } else if (const auto* string = value.get<std::string>()) {
        head(0x02);
        put(to, static_cast<std::int32_t>(string->size() + 1));
        put(to, std::string_view(*string));
        put(to, std::uint8_t{0});
    } else if (const auto flag = value.get<bool>()) {
        head(0x08);
        put(to, static_cast<std::uint8_t>(*flag));
    } else if (const auto number = value.get<double>()) {
        head(isInt32(*number) ? 0x10 : 0x01);
        if (isInt32(*number))
            put(to, static_cast<std::int32_t>(*number));
        else
            put(to, *number);
    } else {
        head(0x0A);
    }
}

Blob payload(const Value& value, bool bson) {
    if (bson) return writeBson(value);
    const std::string text = writeJson(value);
    return {text.begin(), text.end()};
}

std::int64_t vectorType(std::uint32_t components, std::int64_t scalar) {
    return components == 1 ? scalar : components == 16 ? 0x2400 | scalar : 0x1000 | static_cast<std::int64_t>(components) << 8 | scalar;
}

double kindNumber(VgoKind kind) { return static_cast<double>(kind); }

}  // namespace

std::string writeJson(const Value& value) {
    rapidjson::StringBuffer buffer;
    JsonWriter json(buffer);
    putJson(json, value);
    return {buffer.GetString(), buffer.GetSize()};
}

Vector<std::uint8_t> writeBson(const Value& value) {
    Blob bytes;
    putBsonDocument(bytes, value);
    return bytes;
}

VgoCrypt VgoCrypt::base64() {
    return {{{"algorithms", "Base64"}}, [](Bytes clear) {
                const std::string text = toBase64(clear);
                return Blob(text.begin(), text.end());
            }};
}

void VgoBuilder::set(std::string_view name, Value value) {
    auto& members = layout.as<Properties>();
    for (Property& member : members)
        if (member.name == name) {
            member.value = std::move(value);
            return;
        }
    members.push_back({std::string(name), std::move(value)});
}

int VgoBuilder::add(Properties accessor, Bytes bytes) {
    accessor.push_back({"byteOffset", static_cast<double>(resource_.size())});
    accessor.push_back({"byteLength", static_cast<double>(bytes.size())});
    resource_.insert(resource_.end(), bytes.begin(), bytes.end());
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
}

int VgoBuilder::addDense(VgoKind kind, std::int64_t dataType, std::int64_t count, Bytes bytes) {
    return add({{"kind", kindNumber(kind)}, {"dataType", static_cast<double>(dataType)}, {"count", static_cast<double>(count)}}, bytes);
}

int VgoBuilder::addFloats(VgoKind kind, std::uint32_t components, std::span<const float> values) {
    return addDense(kind, vectorType(components, vgoF32), static_cast<std::int64_t>(values.size() / components), bytesOf(values));
}

int VgoBuilder::addUnsigned(VgoKind kind, std::int64_t dataType, std::span<const std::uint32_t> values) {
    const std::size_t size = (dataType & 0xFF) == vgoU8 ? 1 : (dataType & 0xFF) == vgoU16 ? 2 : 4;
    const std::size_t components = dataType > 0xFF ? static_cast<std::size_t>(dataType >> 8 & 0xF) : 1;
    Blob bytes;
    for (const std::uint32_t value : values) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
        bytes.insert(bytes.end(), at, at + size);
    }
    return addDense(kind, dataType, static_cast<std::int64_t>(values.size() / components), bytes);
}

int VgoBuilder::addIndices(std::span<const std::uint32_t> indices) {
    const std::uint32_t largest = indices.empty() ? 0 : *std::max_element(indices.begin(), indices.end());
    return addUnsigned(VgoKind::mesh, largest < 256 ? vgoU8 : largest < 65536 ? vgoU16 : vgoU32, indices);
}

int VgoBuilder::addSparse(std::uint32_t components, std::span<const float> values, bool powerful) {
    const std::size_t width = powerful ? 1 : components;
    Vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < values.size() / width; ++i) {
        const auto entry = values.subspan(i * width, width);
        if (std::any_of(entry.begin(), entry.end(), [](float value) { return value != 0; })) kept.push_back(static_cast<std::uint32_t>(i));
    }
    const std::uint32_t largest = kept.empty() ? 0 : kept.back();
    const std::size_t indexSize = largest < 256 ? 1 : largest < 65536 ? 2 : 4;
    Blob bytes;
    for (const std::uint32_t index : kept) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(&index);
        bytes.insert(bytes.end(), at, at + indexSize);
    }
    const auto valueOffset = static_cast<double>(bytes.size());
    for (const std::uint32_t index : kept)
        for (const float value : values.subspan(index * width, width)) put(bytes, value);
    const auto dataType = static_cast<double>(vectorType(components, vgoF32));
    return add({{"kind", kindNumber(VgoKind::mesh)},
                {"dataType", dataType},
                {"count", static_cast<double>(values.size() / components)},
                {"sparseType", powerful ? 2 : 1},
                {"sparseCount", static_cast<double>(kept.size())},
                {"sparseIndexDataType", indexSize == 1   ? 0x10
                                        : indexSize == 2 ? 0x20
                                                         : 0x30},
                {"sparseValueDataType", powerful ? double{vgoF32} : dataType},
                {"sparseValueByteOffset", valueOffset}},
               bytes);
}

int VgoBuilder::addImage(Bytes file) { return addDense(VgoKind::image, vgoU8, static_cast<std::int64_t>(file.size()), file); }

int VgoBuilder::addTransforms(std::span<const float> matrices) { return addFloats(VgoKind::nodeTransform, 16, matrices); }

Vector<std::uint8_t> VgoBuilder::accessorList() const { return payload(accessors_, bsonAccessors); }

Vector<std::uint8_t> VgoBuilder::write() const {
    const auto typed = [](std::string_view group, bool bson) { return vgoType(group[0], group[1], group[2], bson ? 'B' : 'J'); };
    const std::uint32_t assetType = typed("AIP", bsonAssetInfo), layoutType = typed("LAP", bsonLayout),
                        listType = typed(crypt ? "RAC" : "RAP", bsonAccessors), cryptType = crypt ? typed("CRA", bsonOthers) : 0,
                        resourceType = uri.empty() ? vgoType('R', 'E', 'P', 'b') : typed("REP", bsonOthers);
    Blob composer;
    for (const std::uint32_t type : {assetType, 0u, layoutType, 0u, listType, cryptType, resourceType, 0u}) put(composer, type);
    Vector<std::pair<std::uint32_t, Blob>> made;
    made.push_back({vgoType('C', 'O', 'M', 'P'), composer});
    made.push_back({assetType, payload(assetInfo, bsonAssetInfo)});
    made.push_back({layoutType, payload(layout, bsonLayout)});
    made.push_back({listType, crypt ? crypt->encrypt(accessorList()) : accessorList()});
    if (crypt) made.push_back({cryptType, payload(crypt->info, bsonOthers)});
    made.push_back(
        {resourceType,
         uri.empty() ? resource_ : payload(Properties{{"uri", uri}, {"byteLength", static_cast<double>(resource_.size())}}, bsonOthers)});
    made.insert(made.end(), moreChunks.begin(), moreChunks.end());

    VgoDocument document;
    document.major = major;
    document.minor = minor;
    document.leftHanded = leftHanded;
    document.uvBottomLeft = uvBottomLeft;
    document.declaresEncryption = crypt.has_value();
    document.saysExternalKey = crypt && crypt->needsExternalKey;
    for (const auto& [type, data] : made) document.chunks.push_back({.type = type, .payload = data});
    return writeVgo(document);
}

Vector<std::uint8_t> writeVgo(const VgoDocument& document) {
    const auto& chunks = document.chunks;
    std::size_t offset = 16 + 8 + 16 * chunks.size();
    Blob file;
    file.reserve(offset);
    put(file, vgoMagic);
    put(file, std::uint32_t{8});
    for (const int byte : {int{document.major}, int{document.minor}, document.leftHanded ? 2 : 1, document.uvBottomLeft ? 2 : 1,
                           int{document.declaresEncryption}, int{document.saysExternalKey}, 0, 0})
        put(file, static_cast<std::uint8_t>(byte));
    put(file, vgoType('I', 'D', 'X', '\0'));
    put(file, static_cast<std::uint32_t>(16 * chunks.size()));
    for (const VgoChunk& chunk : chunks) {
        const std::size_t padding = chunk.payload.size() % 2, byteLength = 8 + chunk.payload.size() + padding;
        put(file, chunk.type);
        put(file, static_cast<std::uint32_t>(offset));
        put(file, static_cast<std::uint32_t>(byteLength));
        put(file, static_cast<std::uint32_t>(padding));
        offset += byteLength;
    }
    for (const VgoChunk& chunk : chunks) {
        const std::size_t padding = chunk.payload.size() % 2;
        put(file, chunk.type);
        put(file, static_cast<std::uint32_t>(chunk.payload.size() + padding));
        file.insert(file.end(), chunk.payload.begin(), chunk.payload.end());
        const char group = static_cast<char>(chunk.type >> 16), last = static_cast<char>(chunk.type >> 24);
        if (padding) file.push_back(!chunk.padding.empty() ? chunk.padding[0] : group == 'P' && last == 'J' ? 0x20 : 0x00);
    }
    return file;
}

}  // namespace rigcast
