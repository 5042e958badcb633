// A JSON-like value: options that come in, properties that go out.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rigcast {

struct Property;
/// A property bag, in the order of the file; names may repeat.
using Properties = std::vector<Property>;

struct Value {
    std::variant<std::monostate, bool, double, std::string, std::vector<Value>, Properties> data;

    Value() = default;
    Value(bool value) : data(value) {}
    Value(double value) : data(value) {}
    Value(float value) : data(static_cast<double>(value)) {}
    Value(int value) : data(static_cast<double>(value)) {}
    Value(unsigned value) : data(static_cast<double>(value)) {}
    Value(const char* value) : data(std::string(value)) {}
    Value(std::string value) : data(std::move(value)) {}
    Value(std::string_view value) : data(std::string(value)) {}
    Value(std::vector<Value> value) : data(std::move(value)) {}
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

inline Value::Value(Properties value) : data(std::move(value)) {}

}  // namespace rigcast
