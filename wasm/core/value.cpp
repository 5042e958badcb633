#include "core/value.hpp"

namespace rigcast {

const Value* Value::find(std::string_view name) const {
    const auto* members = std::get_if<Properties>(&data);
    if (!members) return nullptr;
    for (auto member = members->rbegin(); member != members->rend(); ++member)
        if (member->name == name) return &member->value;
    return nullptr;
}

bool Value::asBool(bool fallback) const {
    const bool* value = std::get_if<bool>(&data);
    return value ? *value : fallback;
}

double Value::asNumber(double fallback) const {
    const double* value = std::get_if<double>(&data);
    return value ? *value : fallback;
}

std::string_view Value::asString(std::string_view fallback) const {
    const std::string* value = std::get_if<std::string>(&data);
    return value ? std::string_view(*value) : fallback;
}

}  // namespace rigcast
