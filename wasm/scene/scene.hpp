// The scene: content of a file in one vocabulary for all formats. Plain structs with indices
// instead of pointers. scene.def documents the structs and their fields.
//
// Space: right-handed, Y up, metres, seconds, counter-clockwise front faces, quaternions x y z w,
// UV origin top-left (as in glTF). Data that the scene cannot represent goes into `properties` with
// an info finding; nothing is dropped silently.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/math.hpp"
#include "core/value.hpp"
#include "core/vector.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Index into Scene::strings. Frequent names (nodes, track targets, events) are stored once.
using StringId = std::uint32_t;

/// Distinct strings, numbered in order of insertion. Used by the core for all lookups by name,
/// because a map or set of the standard library would add 2 KB of wasm.
class StringTable {
public:
    /// Returns the number of `text`. Adds it if it is new.
    StringId intern(std::string_view text);
    /// Adds `text`. Returns true if it is new.
    bool add(std::string_view text);
    /// Returns the number of `text`, or `none`.
    StringId find(std::string_view text) const;
    bool contains(std::string_view text) const { return find(text) != none; }
    bool empty() const { return list_.empty(); }
    StringId size() const { return static_cast<StringId>(list_.size()); }
    const std::string& operator[](StringId id) const { return list_[id]; }
    const Vector<std::string>& list() const { return list_; }

private:
    /// Returns the slot that contains `text`, or the free slot for it. The hash has a random key, so
    /// crafted names cannot make this slow.
    std::uint32_t slotOf(std::string_view text) const;
    void grow();
    Vector<std::string> list_;
    // Open addressing; size is a power of two, at most half used; none: free.
    Vector<StringId> slots_;
};

inline constexpr std::uint8_t allComponents = 255;

// Array types of fields, because scene.def needs types of one word.
using Float2 = float[2];
using Float3 = float[3];
using Float4 = float[4];
using Double3 = double[3];

#define WORDS(type, alias, documentation, ...) enum class type : std::uint8_t { __VA_ARGS__ };
#define STRUCT(type, documentation) \
    struct type {                   \
        using MadeOf = MovableParts;
#define ROWS(count)
#define FIELD(type, name, rule, documentation, ...) type name __VA_OPT__({__VA_ARGS__});
#define END \
    }       \
    ;
#include "scene/scene.def"

/// Sorts events by time. Stable.
void sortEvents(Vector<Event>& events);

}  // namespace rigcast
