// What a file means, in one vocabulary for all formats. Plain structs, indices, no pointers.
//
// Space: right-handed, Y up, metres, seconds, counter-clockwise fronts, quaternions x y z w, UV origin top-left (as glTF).
// What has no place here goes into `properties` with an info finding: nothing is dropped in silence.
//
// The structs and their fields are those of scene.def, where each is documented.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/math.hpp"
#include "core/value.hpp"
#include "core/vector.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Index into Scene::strings. Names that exist by the ten thousand (nodes, track targets, events) are stored once.
using StringId = std::uint32_t;

/// Different texts, numbered in the order in which they came. Also the core's one way to look something up by name: every map or set of
/// the standard library would be another 2 KB of wasm.
class StringTable {
public:
    /// The number of `text`, which is added where it is new.
    StringId intern(std::string_view text);
    /// Whether `text` was new.
    bool add(std::string_view text);
    /// `none` where it is not there.
    StringId find(std::string_view text) const;
    bool contains(std::string_view text) const { return find(text) != none; }
    bool empty() const { return list_.empty(); }
    StringId size() const { return static_cast<StringId>(list_.size()); }
    const std::string& operator[](StringId id) const { return list_[id]; }
    const Vector<std::string>& list() const { return list_; }

private:
    static constexpr std::uint32_t mostProbes = 32;
    /// Where `text` is, or where it would go; `none` where others have all places that it may have.
    std::uint32_t slotOf(std::string_view text) const;
    StringId findCrowded(std::string_view text) const;
    void addCrowded(StringId id);
    void put(StringId id);
    void grow();
    Vector<std::string> list_;
    Vector<StringId> slots_;  // open addressing, a power of two of them and at most half in use; none: free
    /// Those that found no place, which only names made for it do: sorted runs, each a power of two long, the longest first. So no names make
    /// looking up slower than by the square of a logarithm.
    Vector<StringId> crowded_;
};

inline constexpr std::uint8_t allComponents = 255;

// Arrays of the structs' fields: scene.def takes a type as one word.
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

/// By time; what happens at one time stays in the order of the file.
void sortEvents(Vector<Event>& events);

}  // namespace rigcast
