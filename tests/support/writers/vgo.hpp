// Writes VGO 2.x files (docs/formats/vgo.md section 15) for tests and fixtures: documents as they were read, and new ones from trees of Values and a
// resource to which accessors are added.
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

/// JSON with the keys in their order, numbers shortest, non-finite ones quoted as Json.NET does.
std::string writeJson(const Value& value);
/// BSON: whole numbers as int32, others as double, null as null. A list at the root becomes a document with the keys "0", "1" ...
Vector<std::uint8_t> writeBson(const Value& value);

/// The file of a document: header, index, then the chunks in their order with the payloads that they have; offsets, lengths and the index are made
/// anew. What was read and left alone is written byte for byte: unknown chunks, the text of the trees, what is encrypted. To write a tree that was
/// changed, put what `writeJson` or `writeBson` makes of it into its chunk's payload. Files whose chunks lie without gaps in the order of their index,
/// behind a header without reserved bits, come back as they were.
Vector<std::uint8_t> writeVgo(const VgoDocument& document);

/// How the accessor list is hidden: the crypt info, and what makes the clear bytes of the list unreadable.
struct VgoCrypt {
    Properties info;
    std::function<Vector<std::uint8_t>(Bytes)> encrypt;
    bool needsExternalKey = false;
    static VgoCrypt base64();
};

/// A file being made. `add...` append to the resource and give the accessor's index; put it into the layout. Whatever is added is written
/// as it is: `leftHanded` and `uvBottomLeft` only say what the data means.
class VgoBuilder {
public:
    std::uint8_t major = 2, minor = 5;
    bool leftHanded = true, uvBottomLeft = true;
    bool bsonAssetInfo = false, bsonLayout = false, bsonAccessors = false, bsonOthers = false;  // others: crypt info, external resource
    Value assetInfo = Properties{{"generator", Properties{{"name", "rigcast"}, {"version", "1"}}}};
    Value layout = Properties{};
    std::optional<VgoCrypt> crypt;
    std::string uri;  // not empty: the resource lies in another file
    Vector<std::pair<std::uint32_t, Vector<std::uint8_t>>> moreChunks;

    /// A member of the layout, replaced where it is there.
    void set(std::string_view name, Value value);

    /// Any accessor: its members as they shall stand in the list, its bytes. byteOffset and byteLength are added.
    int add(Properties accessor, Bytes bytes);
    int addDense(VgoKind kind, std::int64_t dataType, std::int64_t count, Bytes bytes);
    /// f32 scalars or vectors of 1, 2, 3, 4 or 16 components.
    int addFloats(VgoKind kind, std::uint32_t components, std::span<const float> values);
    /// Mesh indices in 8, 16 or 32 bits, whichever holds the largest.
    int addIndices(std::span<const std::uint32_t> indices);
    /// Joints, byte colours ...: `dataType` is one of the unsigned ones.
    int addUnsigned(VgoKind kind, std::int64_t dataType, std::span<const std::uint32_t> values);
    /// Dense values of 2, 3 or 4 components of which only those that are not 0 are stored: whole elements (General) or single floats (Powerful).
    int addSparse(std::uint32_t components, std::span<const float> values, bool powerful);
    int addImage(Bytes file);
    /// The one list of local matrices, 16 floats a node, column-major.
    int addTransforms(std::span<const float> matrices);

    /// The accessor list as it stands in the file before it is encrypted.
    Vector<std::uint8_t> accessorList() const;
    const Vector<std::uint8_t>& resource() const { return resource_; }
    Vector<std::uint8_t> write() const;

private:
    Vector<Value> accessors_;
    Vector<std::uint8_t> resource_;
};

}  // namespace rigcast
