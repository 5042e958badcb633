// JSON text to a Value, and the builder that other encodings of the same tree (BSON) share. One parser for the whole core.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

enum class TreeError : std::uint8_t { none, syntax, tooDeep, tooLarge };

struct TreeLimits {
    std::size_t depth = 128;
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();  // bytes that the values may take, about
};

/// A tree that was read, or why not.
struct Tree {
    Value root = {};
    TreeError error = TreeError::none;
    std::uint64_t offset = 0;                              // of the error, from the start of the text
    std::optional<std::uint64_t> fraction = std::nullopt;  // where the first number stands that is not written as an integer
    bool ok() const { return error == TreeError::none; }
};

/// Makes a Value of events in their order, without recursion and within limits. Every call is false where a limit was passed; stop then.
class ValueBuilder {
public:
    explicit ValueBuilder(const TreeLimits& limits) : limits_(limits) {}

    bool add(Value value);
    bool text(std::string_view text);
    /// Opens a container: an empty list or Properties.
    bool begin(Value container);
    bool end();
    /// Name of the next member; nothing where the open container is a list.
    void key(std::string_view name) {
        if (!open_.empty()) open_.back().key.assign(name);
    }
    bool isOpen() const { return !open_.empty(); }
    bool inList() const { return isOpen() && std::holds_alternative<Vector<Value>>(open_.back().container->data); }
    TreeError error() const { return error_; }
    Value take() { return std::move(root_); }

private:
    struct Level {
        Value* container;
        std::string key;
    };
    Value* place(Value value, std::uint64_t moreBytes);

    TreeLimits limits_;
    TreeError error_ = TreeError::none;
    std::uint64_t used_ = 0;
    Value root_;
    Vector<Level> open_;
};

/// JSON with comments. `nonFinite`: bare NaN, Infinity and -Infinity are numbers.
Tree readJson(std::string_view text, const TreeLimits& limits = {}, bool nonFinite = false);

/// Any JSON text to a value; null where it is not JSON.
Value parseJson(std::string_view text);

}  // namespace rigcast
