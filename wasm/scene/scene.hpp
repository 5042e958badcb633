// The scene: the content of a file, independent of its format, as plain structs with indices
// instead of pointers. scene.def documents the structs and their fields. Space: right-handed, Y up,
// metres, seconds, counter-clockwise front faces, quaternions x y z w, UV origin top-left (as in
// glTF). Data that the scene cannot represent goes into `properties` with an info finding; nothing
// is dropped silently.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/math.hpp"
#include "core/value.hpp"
#include "core/vector.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Index into Scene::strings. Repeated names (nodes, track targets, events) are stored once.
using StringId = std::uint32_t;

/// A list of distinct strings. Also used for other lookups by name, because std::map would add 2 KB
/// of wasm.
class StringTable {
public:
    /// Returns the index of `text`. Adds `text` if the table does not contain it.
    StringId intern(std::string_view text);
    /// Adds `text`. Returns false if the table already contains it.
    bool add(std::string_view text);
    /// Returns the index of `text`, or `none` if the table does not contain it.
    StringId find(std::string_view text) const;
    bool contains(std::string_view text) const { return find(text) != none; }
    bool empty() const { return list_.empty(); }
    StringId size() const { return static_cast<StringId>(list_.size()); }
    const std::string& operator[](StringId id) const { return list_[id]; }
    const Vector<std::string>& list() const { return list_; }

private:
    /// Returns the slot of `text`, or the free slot in which to store it. The hash has a random
    /// key, so that names in files cannot be constructed to make lookups slow.
    std::uint32_t slotOf(std::string_view text) const;
    void grow();
    Vector<std::string> list_;
    // Hash table with open addressing. The number of slots is a power of two, and at most half of
    // them are used. `none` marks a free slot.
    Vector<StringId> slots_;
};

inline constexpr std::uint8_t allComponents = 255;

// Array types of fields. scene.def can contain only types whose name is a single word.
using Float2 = float[2];
using Float3 = float[3];
using Float4 = float[4];
using Double3 = double[3];

#define WORDS(type, alias, documentation, ...) enum class type : std::uint8_t { __VA_ARGS__ };
#define STRUCT(type, documentation) \
    struct type {                   \
        using Relocation = Bytewise;
#define ROWS(count)
#define FIELD(type, name, rule, documentation, ...) type name __VA_OPT__({__VA_ARGS__});
#define END \
    }       \
    ;
#include "scene/scene.def"

/// Sorts events by time. Stable.
void sortEvents(Vector<Event>& events);

}  // namespace rigcast
