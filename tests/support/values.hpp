// Accesses members of a Value (JSON) in tests.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <variant>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast::test {

/// Returns a required member. Fails the test and returns null if it is missing.
inline const Value& at(const Value& value, std::string_view member) {
    const Value* found = value.find(member);
    static const Value missing;
    EXPECT_TRUE(found) << member;
    return found ? *found : missing;
}

inline const Value& at(const Value& value, std::size_t index) { return value.as<Vector<Value>>().at(index); }
inline std::size_t sizeOf(const Value& value) { return value.as<Vector<Value>>().size(); }

}  // namespace rigcast::test
