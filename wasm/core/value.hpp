// A JSON-like value for options and properties.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/vector.hpp"

namespace rigcast {

struct Property;

/// Members of an object in file order. Names may repeat.
using Properties = Vector<Property>;

/// Null, bool, double, std::string, Vector<Value> or Properties. A std::variant would need 50 %
/// more memory, which matters for files with millions of values, and would add function tables to
/// the wasm.
class Value {
public:
    using Relocation = Bytewise;
    enum class Kind : std::uint8_t { null, boolean, number, text, list, object };

    Value() {}
    Value(const Value& other) { copyFrom(other); }
    Value(Value&& other) noexcept { moveFrom(other); }
    Value& operator=(const Value& other);
    Value& operator=(Value&& other) noexcept;
    ~Value() {
        if (kind_ >= Kind::text) destroy();
    }
    Value(bool value) { put(value); }
    Value(double value) { put(value); }
    Value(float value) : Value(static_cast<double>(value)) {}
    Value(int value) : Value(static_cast<double>(value)) {}
    Value(unsigned value) : Value(static_cast<double>(value)) {}
    Value(const char* value) : Value(std::string(value)) {}
    Value(std::string value) { put(std::move(value)); }
    Value(std::string_view value) : Value(std::string(value)) {}
    Value(Vector<Value> value) { put(std::move(value)); }
    Value(Properties value);

    Kind kind() const { return kind_; }
    bool isNull() const { return kind_ == Kind::null; }
    template <class T>
    bool is() const {
        return kind_ == kindOf<T>;
    }
    /// Returns the content if it is a T. The result is a std::optional for bool and double and a
    /// pointer for other types; it is empty or nullptr if the content has another type.
    template <class T>
    auto get() const {
        if constexpr (std::is_arithmetic_v<T>) {
            std::optional<T> value;
            if (is<T>()) std::memcpy(&value.emplace(), storage_, sizeof(T));
            return value;
        } else {
            return is<T>() ? reinterpret_cast<const T*>(storage_) : nullptr;
        }
    }
    template <class T>
    T* get() {
        return const_cast<T*>(static_cast<const Value*>(this)->get<T>());
    }
    /// Returns the content. Aborts if it is not a T.
    template <class T>
    T& as() {
        return is<T>() ? *reinterpret_cast<T*>(storage_) : (std::abort(), *reinterpret_cast<T*>(storage_));
    }
    template <class T>
    const T& as() const {
        return const_cast<Value*>(this)->as<T>();
    }

    /// Returns the member with this name, or nullptr if the value is not an object or has no such
    /// member. If several members have the name, returns the last one.
    const Value* find(std::string_view name) const;
    Value* find(std::string_view name) { return const_cast<Value*>(static_cast<const Value*>(this)->find(name)); }
    /// Return the content if it has the requested type, otherwise `fallback`.
    bool asBool(bool fallback) const { return get<bool>().value_or(fallback); }
    double asNumber(double fallback) const { return get<double>().value_or(fallback); }
    std::string_view asString(std::string_view fallback) const;

private:
    template <class T>
    static constexpr Kind kindOf = std::is_same_v<T, bool>            ? Kind::boolean
                                   : std::is_same_v<T, double>        ? Kind::number
                                   : std::is_same_v<T, std::string>   ? Kind::text
                                   : std::is_same_v<T, Vector<Value>> ? Kind::list
                                                                      : Kind::object;
    template <class T>
    void put(T value) {
        new (storage_) T(std::move(value));
        kind_ = kindOf<T>;
    }
    void copyFrom(const Value& other);
    void moveFrom(Value& other) noexcept;
    void destroy();

    // Numbers are accessed by memcpy, because the storage is only 4-byte aligned in wasm.
    alignas(void*) std::byte storage_[sizeof(std::string)];
    Kind kind_ = Kind::null;
};

struct Property {
    using Relocation = Bytewise;
    std::string name;
    Value value;
};

}  // namespace rigcast
