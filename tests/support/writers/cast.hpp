// Writes Cast documents for tests, fixtures and demos. A document that was read from a file is
// reproduced byte for byte. All reference plugins can read new documents.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/vector.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// Returns the file for a document. Computes node sizes, which include the header, from the
/// content. Keeps unknown nodes, their order, and unparsed bytes.
Vector<std::uint8_t> writeCast(const CastDocument& document);

/// Builds a file depth first. Every `begin` needs its `end`; properties come before children.
///
///     CastBuilder cast;
///     cast.begin("root");
///     cast.begin("modl").text("n", "hero");
///     ...
///     cast.end().end();
///     const auto bytes = cast.finish();
class CastBuilder {
public:
    /// Hash of the first node. Later hashes increase, as in the reference library.
    static constexpr std::uint64_t firstHash = 0x534E495752545250;

    CastBuilder();

    /// Opens a child of the open node, or a root if no node is open. The node gets the next free
    /// hash, which `lastHash` returns for links.
    CastBuilder& begin(const char (&id)[5]) { return begin(castId(id), nextHash_++); }
    CastBuilder& begin(std::uint32_t id, std::uint64_t hash);
    CastBuilder& end();
    /// Returns the hash of the most recently opened node.
    std::uint64_t lastHash() const { return lastHash_; }
    /// Reserves a hash for a node that is opened later, so that earlier nodes can link to it. Pass
    /// the hash to `begin(id, hash)`.
    std::uint64_t reserveHash() { return nextHash_++; }

    CastBuilder& text(std::string_view name, std::string_view value);
    CastBuilder& u8(std::string_view name, std::uint8_t value) { return values(name, CastType::u8, &value, 1); }
    CastBuilder& u16(std::string_view name, std::uint16_t value) { return values(name, CastType::u16, &value, 1); }
    CastBuilder& u32(std::string_view name, std::uint32_t value) { return values(name, CastType::u32, &value, 1); }
    CastBuilder& link(std::string_view name, std::uint64_t hash) { return values(name, CastType::u64, &hash, 1); }
    CastBuilder& f32(std::string_view name, float value) { return values(name, CastType::f32, &value, 1); }
    CastBuilder& f64(std::string_view name, double value) { return values(name, CastType::f64, &value, 1); }
    CastBuilder& vec3(std::string_view name, float x, float y, float z);
    CastBuilder& vec4(std::string_view name, float x, float y, float z, float w);
    /// Writes floats. `type` determines their number per element: 1 to 4 for `f32`, `vec2`, `vec3`
    /// and `vec4`.
    CastBuilder& floats(std::string_view name, CastType type, std::span<const float> values);
    /// Writes integers with the narrowest width that can represent the largest of them.
    CastBuilder& integers(std::string_view name, std::span<const std::uint32_t> values);
    CastBuilder& integers(std::string_view name, std::initializer_list<std::uint32_t> values) {
        return integers(name, std::span<const std::uint32_t>(values.begin(), values.size()));
    }
    /// Writes a property with any type and any bytes, which may be invalid.
    CastBuilder& raw(std::string_view name, CastType type, std::uint32_t count, Bytes payload);

    /// Returns the file. All nodes must be closed.
    const Vector<std::uint8_t>& finish() const { return file_; }

private:
    CastBuilder& values(std::string_view name, CastType type, const void* data, std::uint32_t count);
    /// Increments a count in the file.
    void count(std::size_t at);
    template <class T>
    void put(T value);

    Vector<std::uint8_t> file_;
    Vector<std::size_t> open_;  // offsets of the open nodes
    bool isEmpty_ = false;      // true: the innermost open node has no children yet
    std::uint64_t lastHash_ = 0;
    std::uint64_t nextHash_ = firstHash;
};

}  // namespace rigcast
