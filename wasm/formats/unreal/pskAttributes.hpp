// Converts texture coordinates and colours from wedges to vertices.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/pskTopology.hpp"
#include "formats/unreal/tally.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

class WedgeAttributes {
public:
    WedgeAttributes(const Psk& psk, const Options& options, const Windows& windows) : psk_(psk), options_(options), windows_(windows) {}

    /// Returns the total size of all columns in bytes, with padding.
    std::uint64_t columnBytes(std::uint64_t vertices) const;
    /// Writes the columns. Returns false if the budget is exceeded.
    bool write(const WedgeVertices& vertices, Mesh& mesh, Arena& arena);
    void report(Diagnostics& diagnostics) const;

private:
    bool writeUvs(const WedgeVertices& vertices, const Records& all, std::size_t field, Mesh& mesh, Arena& arena, Tally& bad);
    bool writeColors(const WedgeVertices& vertices, Mesh& mesh, Arena& arena);
    bool looksLikeActorX() const;
    bool hasAll(const Records& records) const { return records.size() == psk_.wedges.size(); }

    const Psk& psk_;
    const Options& options_;
    const Windows& windows_;
    Vector<std::uint8_t> window_;
    Vector<Tally> bad_;                              // damage of each UV set in the file
    bool isSwapped_ = false, orderMatters_ = false;  // byte order of colours
};

/// Reports ATTRIBUTE_COUNT if the number of records in a chunk is not `wanted`. `what`: name of the
/// items that must have one record each.
void reportCount(const Records& records, std::string_view path, std::size_t wanted, std::string_view what, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
