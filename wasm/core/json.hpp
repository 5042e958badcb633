// JSON text to a Value, and the builder that other encodings of the same tree (BSON) share. One parser for the whole core.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

enum class TreeError : std::uint8_t { none, syntax, tooDeep, tooLarge };

/// A tree that was read, or why not.
struct Tree {
    Value root = {};
    TreeError error = TreeError::none;
    std::uint64_t offset = 0;                              // of the error, from the start of the text
    std::uint64_t halves = 0;                              // of surrogate pairs, read as U+FFFD
    std::optional<std::uint64_t> fraction = std::nullopt;  // where the first number stands that is not written as an integer
    bool ok() const { return error == TreeError::none; }
};

/// Makes a Value of events in their order, without recursion, no deeper than `depth` and within the budget. Every call is false where that was
/// passed; stop then.
class ValueBuilder {
public:
    explicit ValueBuilder(std::size_t depth) : depth_(depth) {}

    bool add(Value value);
    /// Opens a container: an empty list or Properties.
    bool begin(Value container);
    bool end();
    /// Name of the next member; nothing where the open container is a list.
    void key(std::string_view name) {
        if (!open_.empty()) open_.back().key.assign(name);
    }
    bool isOpen() const { return !open_.empty(); }
    bool inList() const { return isOpen() && open_.back().container->is<Vector<Value>>(); }
    TreeError error() const { return error_; }
    Value take() { return std::move(root_); }

private:
    struct Level {
        using MadeOf = MovableParts;
        Value* container;
        std::string key;
    };
    Value* place(Value value);

    std::size_t depth_;
    TreeError error_ = TreeError::none;
    Value root_;
    Vector<Level> open_;
};

/// JSON with comments. `lenient`: as Json.NET reads it, where bare NaN, Infinity and -Infinity are numbers and half a surrogate pair may be escaped.
Tree readJson(std::string_view text, std::size_t depth = 128, bool lenient = false);

/// Any JSON text to a value; null where it is not JSON.
Value parseJson(std::string_view text);

}  // namespace rigcast
