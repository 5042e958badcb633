// JSON writer for descriptions, based on RapidJSON.
#pragma once

#include <rapidjson/writer.h>

#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "core/number.hpp"
#include "core/value.hpp"
#include "scene/schema.hpp"

namespace rigcast {

/// Output stream for RapidJSON that appends to a string.
struct TextSink {
    using Ch = char;
    std::string text;
    void Put(char unit) { text.push_back(unit); }
    void Flush() {}
};
using JsonWriter =
    rapidjson::Writer<TextSink, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>;

/// Position of a column with any number type.
struct ColumnPosition {
    std::uint32_t block, offset, count;
};
inline ColumnPosition positionOf(const void* column) {
    static_assert(sizeof(ColumnPosition) == sizeof(Column<float>));
    ColumnPosition position;
    std::memcpy(&position, column, sizeof position);
    return position;
}

/// JSON writer. Non-finite numbers become null, because JSON cannot represent them.
class Json {
public:
    explicit Json(TextSink& buffer) : writer_(buffer) {}

    void beginObject() { writer_.StartObject(); }
    void endObject() { writer_.EndObject(); }
    void beginArray() { writer_.StartArray(); }
    void endArray() { writer_.EndArray(); }
    // Takes a C string, because passing a pointer needs a third of the code of passing a
    // string_view, and there are about two hundred calls of this function.
    void key(const char* name) { writer_.Key(name, static_cast<rapidjson::SizeType>(std::strlen(name))); }
    void key(const std::string& name) { writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size())); }
    void null() { writer_.Null(); }
    void put(std::string_view text) { writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size())); }
    void put(const std::string& text) { put(std::string_view(text)); }
    void put(const char* text) { put(std::string_view(text)); }
    void put(bool value) { writer_.Bool(value); }
    /// Writes a number. Integers must be below 2^53.
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void put(Number value) { put(static_cast<double>(value)); }
    void put(double value) {
        if (!std::isfinite(value)) return null();
        const NumberText number(value);
        writer_.RawValue(number.view().data(), number.view().size(), rapidjson::kNumberType);
    }

    template <class T>
    void member(const char* name, const T& value) {
        key(name);
        put(value);
    }
    void text(const char* name, const std::string& value) {
        if (!value.empty()) member(name, value);
    }
    template <class T>
    void numbers(const char* name, const T* values, std::size_t count) {
        key(name);
        beginArray();
        for (std::size_t i = 0; i < count; ++i) put(values[i]);
        endArray();
    }
    void column(const char* name, const ColumnPosition& position, NumberType type) {
        if (position.block == none) return;
        key(name);
        put(position, type);
    }
    template <class T>
    void column(const char* name, const Column<T>& column) {
        this->column(name, positionOf(&column), numberTypeOf<T>);
    }
    void put(const ColumnPosition& position, NumberType type) {
        beginArray();
        put(position.block);
        put(numberTypeNames[static_cast<std::size_t>(type)]);
        put(position.offset);
        put(position.count);
        endArray();
    }
    void value(const Value& value) {
        switch (value.kind()) {
            case Value::Kind::null:
                return null();
            case Value::Kind::boolean:
                return put(value.asBool(false));
            case Value::Kind::number:
                return put(value.asNumber(0));
            case Value::Kind::text:
                return put(value.as<std::string>());
            case Value::Kind::list:
                beginArray();
                for (const Value& entry : value.as<Vector<Value>>()) this->value(entry);
                return endArray();
            case Value::Kind::object:
                return bag(value.as<Properties>());
        }
    }
    void properties(const char* name, const Properties& properties) {
        if (properties.empty()) return;
        key(name);
        bag(properties);
    }

private:
    void bag(const Properties& members) {
        beginObject();
        for (const Property& member : members) {
            key(member.name);
            value(member.value);
        }
        endObject();
    }

    JsonWriter writer_;
};

}  // namespace rigcast
