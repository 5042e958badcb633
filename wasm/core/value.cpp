#include "core/value.hpp"

#include "core/budget.hpp"

namespace rigcast {

static_assert(sizeof(std::string) >= sizeof(Properties) && sizeof(std::string) >= sizeof(double));

Value::Value(Properties value) { put(std::move(value)); }

Value& Value::operator=(const Value& other) { return *this = Value(other); }

Value& Value::operator=(Value&& other) noexcept {
    Value taken(std::move(other));  // `other` may be part of this value, so it is moved first
    destroy();
    moveFrom(taken);
    return *this;
}

void Value::copyFrom(const Value& other) {
    switch (other.kind_) {
        case Kind::text:
            return put(other.as<std::string>());
        case Kind::list:
            return put(other.as<Vector<Value>>());
        case Kind::object:
            return put(other.as<Properties>());
        default:
            std::memcpy(storage_, other.storage_, sizeof(storage_));
            kind_ = other.kind_;
    }
}

void Value::moveFrom(Value& other) noexcept {
    if (!movesAsBytes<std::string> && other.is<std::string>()) {
        put(std::move(other.as<std::string>()));
        other.destroy();
    } else {
        std::memcpy(storage_, other.storage_, sizeof(storage_));
        kind_ = std::exchange(other.kind_, Kind::null);
    }
}

void Value::destroy() {
    switch (std::exchange(kind_, Kind::null)) {
        case Kind::text:
            return std::destroy_at(reinterpret_cast<std::string*>(storage_));
        case Kind::list:
            return std::destroy_at(reinterpret_cast<Vector<Value>*>(storage_));
        case Kind::object:
            return std::destroy_at(reinterpret_cast<Properties*>(storage_));
        default:
            return;
    }
}

const Value* Value::find(std::string_view name) const {
    const auto* members = get<Properties>();
    if (!members) return nullptr;
    // Counts steps, so that tests detect repeated searches in objects with many members.
    Budget::count(members->size() / 64);
    for (auto member = members->rbegin(); member != members->rend(); ++member)
        if (member->name == name) return &member->value;
    return nullptr;
}

std::string_view Value::asString(std::string_view fallback) const {
    const std::string* value = get<std::string>();
    return value ? std::string_view(*value) : fallback;
}

}  // namespace rigcast
