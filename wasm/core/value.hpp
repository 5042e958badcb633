// A JSON-like value: options that come in, properties that go out.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/vector.hpp"

namespace rigcast {

struct Value;
struct Property;
#ifdef _LIBCPP_VERSION
// Made of strings and Vectors.
template <>
inline constexpr bool movesAsBytes<Value> = true;
template <>
inline constexpr bool movesAsBytes<Property> = true;
#endif

/// A property bag, in the order of the file; names may repeat.
using Properties = Vector<Property>;

struct Value {
    std::variant<std::monostate, bool, double, std::string, Vector<Value>, Properties> data;

    Value();
    Value(const Value& other);
    Value(Value&& other) noexcept;
    Value& operator=(const Value& other);
    Value& operator=(Value&& other) noexcept;
    ~Value();
    Value(bool value);
    Value(double value);
    Value(float value);
    Value(int value);
    Value(unsigned value);
    Value(const char* value);
    Value(std::string value);
    Value(std::string_view value);
    Value(Vector<Value> value);
    Value(Properties value);

    /// A member of an object; nullptr where this is none or has none of that name (the last one of a name wins).
    const Value* find(std::string_view name) const;
    /// The value where it has that type, else `fallback`.
    bool asBool(bool fallback) const;
    double asNumber(double fallback) const;
    std::string_view asString(std::string_view fallback) const;
};

struct Property {
    std::string name;
    Value value;
};

// Defined only here, where Property is complete: clang with GNU's library insists on it.
inline Value::Value() = default;
inline Value::Value(const Value& other) = default;
inline Value::Value(Value&& other) noexcept = default;
inline Value& Value::operator=(const Value& other) = default;
inline Value& Value::operator=(Value&& other) noexcept = default;
inline Value::~Value() = default;
inline Value::Value(bool value) : data(value) {}
inline Value::Value(double value) : data(value) {}
inline Value::Value(float value) : data(static_cast<double>(value)) {}
inline Value::Value(int value) : data(static_cast<double>(value)) {}
inline Value::Value(unsigned value) : data(static_cast<double>(value)) {}
inline Value::Value(const char* value) : data(std::string(value)) {}
inline Value::Value(std::string value) : data(std::move(value)) {}
inline Value::Value(std::string_view value) : data(std::string(value)) {}
inline Value::Value(Vector<Value> value) : data(std::move(value)) {}
inline Value::Value(Properties value) : data(std::move(value)) {}

}  // namespace rigcast
