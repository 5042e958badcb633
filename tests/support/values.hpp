// Looking into a Value (JSON) in tests.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <variant>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast::test {

/// A member that must be there; a failure and null where it is not.
inline const Value& at(const Value& value, std::string_view member) {
    const Value* found = value.find(member);
    static const Value missing;
    EXPECT_TRUE(found) << member;
    return found ? *found : missing;
}

inline const Value& at(const Value& value, std::size_t index) { return value.as<Vector<Value>>().at(index); }
inline std::size_t sizeOf(const Value& value) { return value.as<Vector<Value>>().size(); }

}  // namespace rigcast::test
