// Writes VGO 2.x files (docs/formats/vgo.md section 15) for tests and fixtures: documents that were
// read, and new documents that are built from trees of Values and accessors.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/value.hpp"
#include "core/vector.hpp"
#include "formats/vgo/document.hpp"

namespace rigcast {

/// Returns JSON with keys in the order of the members and the shortest form of numbers. Non-finite
/// numbers are quoted, as Json.NET does.
std::string writeJson(const Value& value);
/// Returns BSON. Integers become int32, and other numbers become double. A list at the root becomes
/// a document with the keys "0", "1" ...
Vector<std::uint8_t> writeBson(const Value& value);

/// Returns the file for a document: header, index, then the chunks in order. Recomputes offsets,
/// lengths and the index. Unknown chunks, texts of trees and encrypted data are reproduced byte for
/// byte. To change a tree, assign the result of `writeJson` or `writeBson` to the payload of its
/// chunk. A file is reproduced exactly if its chunks are contiguous and in the order of the index,
/// and its header has no reserved bits.
Vector<std::uint8_t> writeVgo(const VgoDocument& document);

/// Encryption of the accessor list: the crypt info, and a function that encrypts the list.
struct VgoCrypt {
    Properties info;
    std::function<Vector<std::uint8_t>(Bytes)> encrypt;
    bool needsExternalKey = false;
    static VgoCrypt base64();
};

/// Builds a file. The functions `add...` append data to the resource and return the index of its
/// accessor, for use in the layout. Data is not converted: `leftHanded` and `uvBottomLeft` only
/// declare its conventions.
class VgoBuilder {
public:
    std::uint8_t major = 2, minor = 5;
    bool leftHanded = true, uvBottomLeft = true;
    bool bsonAssetInfo = false, bsonLayout = false, bsonAccessors = false, bsonOthers = false;  // others: crypt info, external resource
    Value assetInfo = Properties{{"generator", Properties{{"name", "rigcast"}, {"version", "1"}}}};
    Value layout = Properties{};
    std::optional<VgoCrypt> crypt;
    std::string uri;  // URI of the resource if it is in another file; otherwise empty
    Vector<std::pair<std::uint32_t, Vector<std::uint8_t>>> moreChunks;

    /// Sets a member of the layout.
    void set(std::string_view name, Value value);

    /// Adds an accessor with members and bytes. Computes byteOffset and byteLength.
    int add(Properties accessor, Bytes bytes);
    int addDense(VgoKind kind, std::int64_t dataType, std::int64_t count, Bytes bytes);
    /// Adds f32 scalars or vectors of 2, 3, 4 or 16 components.
    int addFloats(VgoKind kind, std::uint32_t components, std::span<const float> values);
    /// Adds mesh indices with 8, 16 or 32 bits, depending on the largest one.
    int addIndices(std::span<const std::uint32_t> indices);
    /// Adds integers such as joints or byte colours. `dataType` is an unsigned type.
    int addUnsigned(VgoKind kind, std::int64_t dataType, std::span<const std::uint32_t> values);
    /// Adds values of 2, 3 or 4 components as a sparse accessor. It stores only elements (mode
    /// General) or single floats (mode Powerful) that are not 0.
    int addSparse(std::uint32_t components, std::span<const float> values, bool powerful);
    int addImage(Bytes file);
    /// Adds the list of local matrices, 16 floats per node, column-major.
    int addTransforms(std::span<const float> matrices);

    /// Returns the accessor list as stored in the file, before encryption.
    Vector<std::uint8_t> accessorList() const;
    const Vector<std::uint8_t>& resource() const { return resource_; }
    Vector<std::uint8_t> write() const;

private:
    Vector<Value> accessors_;
    Vector<std::uint8_t> resource_;
};

}  // namespace rigcast
