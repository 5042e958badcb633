#include "formats/cast/values.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

template <class T>
double load(const CastProperty& property, std::uint32_t i) {
    return static_cast<double>(loadValue<T>(property.payload.data() + std::size_t{i} * sizeof(T)));
}

bool isNumber(const CastProperty& property) { return property.count > 0 && infoOf(property.type).width == 1; }

std::uint32_t clampToWord(double value) {
    if (!(value > 0)) return 0;
    return value >= 4294967295.0 ? 0xFFFFFFFF : static_cast<std::uint32_t>(value);
}

}  // namespace

CastIntegers::CastIntegers(const CastProperty& property) {
    if (!isNumber(property)) return;
    payload_ = property.payload;
    count_ = property.count;
    type_ = property.type;
}

std::uint32_t CastIntegers::operator[](std::uint32_t i) const {
    const std::uint8_t* data = payload_.data();
    switch (type_) {
        case CastType::u8:
            return data[i];
        case CastType::u16:
            return loadValue<std::uint16_t>(data + std::size_t{i} * 2);
        case CastType::u32:
            return loadValue<std::uint32_t>(data + std::size_t{i} * 4);
        case CastType::u64:
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(loadValue<std::uint64_t>(data + std::size_t{i} * 8), 0xFFFFFFFF));
        case CastType::f32:
            return clampToWord(std::round(loadValue<float>(data + std::size_t{i} * 4)));
        case CastType::f64:
            return clampToWord(std::round(loadValue<double>(data + std::size_t{i} * 8)));
        default:
            return 0;
    }
}

double CastIntegers::unrounded(std::uint32_t i) const {
    if (!areFloats()) return (*this)[i];
    const std::uint8_t* data = payload_.data();
    const double value =
        type_ == CastType::f32 ? double{loadValue<float>(data + std::size_t{i} * 4)} : loadValue<double>(data + std::size_t{i} * 8);
    return value > 0 ? std::min(value, 4294967295.0) : 0;
}

std::string CastValues::text(std::uint32_t node, CastName name, std::string_view fallback) const {
    const CastProperty property = document.find(node, name);
    return property.type == CastType::text && property.count > 0 ? castText(property) : std::string(fallback);
}

std::optional<double> CastValues::number(std::uint32_t node, CastName name) const { return castNumberOf(document.find(node, name)); }

bool CastValues::flag(std::uint32_t node, CastName name, bool fallback) const {
    const std::optional<double> value = number(node, name);
    return value ? *value >= 1 : fallback;
}

std::optional<std::uint64_t> CastValues::hash(std::uint32_t node, CastName name) const {
    const CastProperty property = document.find(node, name);
    if (property.count == 0 || property.type != CastType::u64) return std::nullopt;
    return loadValue<std::uint64_t>(property.payload.data());
}

std::optional<Vec3> CastValues::vec3(std::uint32_t node, CastName name) const {
    const CastProperty property = document.find(node, name);
    if (property.count == 0 || property.type != CastType::vec3) return std::nullopt;
    return Vec3{castNumber(property, 0), castNumber(property, 1), castNumber(property, 2)};
}

std::optional<Quat> CastValues::vec4(std::uint32_t node, CastName name) const {
    const CastProperty property = document.find(node, name);
    if (property.count == 0 || property.type != CastType::vec4) return std::nullopt;
    return Quat{castNumber(property, 0), castNumber(property, 1), castNumber(property, 2), castNumber(property, 3)};
}

Bytes CastValues::floats(std::uint32_t node, CastName name, CastType type, std::uint32_t& count) const {
    const CastProperty property = document.find(node, name);
    const bool fits = property && property.type == type;
    count = fits ? property.count : 0;
    return fits ? property.payload : Bytes{};
}

std::optional<double> castNumberOf(const CastProperty& property) {
    if (!isNumber(property)) return std::nullopt;
    return castNumber(property, 0);
}

std::string castText(const CastProperty& property) { return repairUtf8(property.text()); }

double castNumber(const CastProperty& property, std::uint32_t i) {
    switch (property.type) {
        case CastType::u8:
            return load<std::uint8_t>(property, i);
        case CastType::u16:
            return load<std::uint16_t>(property, i);
        case CastType::u32:
            return load<std::uint32_t>(property, i);
        case CastType::u64:
            return load<std::uint64_t>(property, i);
        case CastType::f64:
            return load<double>(property, i);
        case CastType::text:
            return 0;
        default:
            return load<float>(property, i);
    }
}

std::string castHash(std::uint64_t hash) {
    std::string text = "0x";
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789ABCDEF"[hash >> shift & 15];
    return text;
}

Value castValue(const CastProperty& property) {
    constexpr std::uint64_t most = 16;
    if (property.type == CastType::text)
        return property.count == 1 && property.payload.size() <= 1024 ? Value(castText(property)) : Value();
    const std::uint64_t numbers = std::uint64_t{property.count} * infoOf(property.type).width;
    if (numbers == 0 || numbers > most) return {};
    Vector<Value> list;
    for (std::uint32_t i = 0; i < numbers; ++i) {
        if (property.type == CastType::u64)
            list.emplace_back(castHash(loadValue<std::uint64_t>(property.payload.data() + std::size_t{i} * 8)));
        else
            list.emplace_back(castNumber(property, i));
    }
    return numbers == 1 ? std::move(list[0]) : Value(std::move(list));
}

}  // namespace rigcast
