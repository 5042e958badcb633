// Parses JSON text to a Value. The builder is also used for BSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

enum class TreeError : std::uint8_t { none, syntax, tooDeep, tooLarge };

/// A parsed tree, or an error.
struct Tree {
    Value root = {};
    TreeError error = TreeError::none;
    // Offset of the error in bytes.
    std::uint64_t offset = 0;
    // Number of unpaired surrogates, read as U+FFFD.
    std::uint64_t halves = 0;
    // Offset of the first number that is not written as an integer.
    std::optional<std::uint64_t> fraction = std::nullopt;
    bool ok() const { return error == TreeError::none; }
};

/// Builds a Value from the events of a parser, without recursion. Functions return false if the
/// tree is deeper than `depth` or exceeds the memory budget; the caller must then stop.
class ValueBuilder {
public:
    explicit ValueBuilder(std::size_t depth) : depth_(depth) {}

    bool add(Value value);
    /// Opens a container: an empty Vector<Value> or Properties.
    bool begin(Value container);
    bool end();
    /// Sets the name of the next member of an object. Ignored in lists.
    void key(std::string_view name) {
        if (!open_.empty()) open_.back().key.assign(name);
    }
    bool isOpen() const { return !open_.empty(); }
    bool inList() const { return isOpen() && open_.back().container->is<Vector<Value>>(); }
    TreeError error() const { return error_; }
    Value take() { return std::move(root_); }

private:
    struct Level {
        using Relocation = Bytewise;
        Value* container;
        std::string key;
    };
    Value* insert(Value value);

    std::size_t depth_;
    TreeError error_ = TreeError::none;
    Value root_;
    Vector<Level> open_;
};

/// Parses JSON with comments. `lenient` also accepts NaN, Infinity, -Infinity and escaped unpaired
/// surrogates, as Json.NET does.
Tree readJson(std::string_view text, std::size_t depth = 128, bool lenient = false);

/// Parses JSON. Returns null on a syntax error.
Value parseJson(std::string_view text);

}  // namespace rigcast
