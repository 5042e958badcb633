// The complete content of a Cast file: a tree of nodes with typed properties. Names and values are
// views of the file's bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/code.hpp"
#include "core/source.hpp"
#include "core/vector.hpp"
#include "formats/cast/schema.hpp"

namespace rigcast {

/// The file header, which has 16 bytes.
struct CastHeader {
    static constexpr std::uint32_t magic = 0x74736163;  // "cast"
    static constexpr std::size_t size = 16;
    std::uint32_t version = 1;
    std::uint32_t rootCount = 0;
    std::uint32_t flags = 0;
};

/// A property, which consists of header, name and payload. Converts to false if the property does
/// not exist.
struct CastProperty {
    static constexpr std::uint32_t headerSize = 8;
    std::string_view name;    // as stored; can contain any bytes
    Bytes payload;            // bytes of the values, including the terminators of strings
    std::uint32_t count = 0;  // number of elements, as declared
    CastType type = CastType::u8;
    explicit operator bool() const { return name.data() != nullptr; }
    /// Returns the first string without its terminator, or an empty string if the property is not
    /// text.
    std::string_view text() const {
        if (type != CastType::text || count == 0) return {};
        // The terminator exists, because the tree reader has checked it.
        const char* const first = reinterpret_cast<const char*>(payload.data());
        return count == 1 ? std::string_view(first, payload.size() - 1) : std::string_view(first);
    }
};

/// A node: a header, properties, children, and possibly other bytes (the tail). Nodes are in file
/// order (depth first), so the descendants of node i are the nodes between i and its `next`. The
/// struct must be small, because files contain hundreds of thousands of nodes; other data is read
/// from the file when needed.
struct CastNode {
    static constexpr std::uint32_t headerSize = 24;
    static constexpr std::uint32_t noParent = 0xFFFFFFFF;
    /// Maximum depth of the tree; deeper trees are treated as damaged. Valid trees have five levels
    /// (cast.md section 7).
    static constexpr std::size_t maximumDepth = 512;
    std::size_t offset = 0;
    std::size_t end = 0;                 // file offset of the actual end of the node
    const CastNodeRule* rule = nullptr;  // rule of the node kind; nullptr if the kind is unknown
    std::uint32_t id = 0;
    std::uint32_t parent = noParent;
    std::uint32_t next = 0;
    std::uint32_t firstProperty = 0;
    std::uint32_t propertyCount = 0;  // number of properties; less than declared if `isOpaque`
    // Number of consecutive plain curves (curves.hpp) that the node represents; 0 for an ordinary
    // node.
    std::uint32_t curves = 0;
    bool isOpaque = false;  // the rest of the node is unreadable and is part of the tail
    std::uint32_t siblings() const { return std::max(curves, 1u); }
};

/// A finding about a node. Its path is determined only after the file has been read.
struct CastFinding {
    Code code;
    Severity severity;
    std::uint32_t node;  // CastNode::noParent: the finding is about the file
    std::uint64_t offset;
    std::string property;
    std::string detail;
    std::uint64_t count = 1;
};

/// Findings about a Cast file. For each code, stores the first `each` findings. Later findings only
/// increment the count of the last stored finding, so that many damaged nodes need little time and
/// memory.
class CastFindings {
public:
    static constexpr std::uint32_t each = 32;

    void add(Code code, Severity severity, std::uint32_t node, std::uint64_t offset, const Detail& detail = noDetail,
             std::string_view property = {}, std::uint64_t count = 1);
    /// Returns true if the next finding with this code would be stored, and false if it would only
    /// be counted.
    bool lists(Code code) const;
    /// Adds the findings of `other`.
    void merge(const CastFindings& other);
    bool empty() const { return list_.empty(); }
    Vector<CastFinding>& list() { return list_; }
    const Vector<CastFinding>& list() const { return list_; }

private:
    Vector<CastFinding> list_;
    Vector<std::pair<Code, std::uint32_t>> seen_;
};

/// The children of a node, as indices into CastDocument::nodes.
class CastChildren {
public:
    CastChildren(const Vector<CastNode>& nodes, std::uint32_t first, std::uint32_t end) : nodes_(&nodes), first_(first), end_(end) {}
    struct Iterator {
        const Vector<CastNode>* nodes;
        std::uint32_t index;
        std::uint32_t operator*() const { return index; }
        Iterator& operator++() {
            index = (*nodes)[index].next;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return index != other.index; }
    };
    Iterator begin() const { return {nodes_, first_}; }
    Iterator end() const { return {nodes_, end_}; }

private:
    const Vector<CastNode>* nodes_;
    std::uint32_t first_, end_;
};

/// The properties of a node, in file order.
class CastProperties {
public:
    /// `first`: offset of the first property. `ends`: end offset of each property.
    CastProperties(const std::uint8_t* file, std::size_t first, std::span<const std::size_t> ends)
        : file_(file), first_(first), ends_(ends) {}
    struct Iterator {
        const std::uint8_t* file;
        std::size_t at;
        const std::size_t* end;
        CastProperty operator*() const {
            const std::uint8_t* header = file + at;
            const char* name = reinterpret_cast<const char*>(header + CastProperty::headerSize);
            const auto nameLength = loadValue<std::uint16_t>(header + 2);
            return {{name, nameLength},
                    {header + CastProperty::headerSize + nameLength, file + *end},
                    loadValue<std::uint32_t>(header + 4),
                    castTypeOf(loadValue<std::uint16_t>(header))};
        }
        Iterator& operator++() {
            at = *end++;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return end != other.end; }
    };
    Iterator begin() const { return {file_, first_, ends_.data()}; }
    Iterator end() const { return {file_, 0, ends_.data() + ends_.size()}; }

private:
    const std::uint8_t* file_;
    std::size_t first_;
    std::span<const std::size_t> ends_;
};

struct CastDocument {
    CastHeader header;
    Bytes input;  // the file; the bytes of long arrays may not be loaded (CastContext::isFar)
    Vector<CastNode> nodes;
    Vector<std::size_t> propertyEnds;  // end offsets of the properties of all nodes
    Bytes tail;                        // bytes after the last root
    bool outOfMemory = false;
    bool hasRuns = false;   // true: there are nodes that represent several curves
    bool isForRuns = true;  // false: a node in the file affects how curves are checked

    CastProperties propertiesOf(std::uint32_t node) const {
        const CastNode& of = nodes[node];
        return {input.data(), of.offset + CastNode::headerSize, {propertyEnds.data() + of.firstProperty, of.propertyCount}};
    }
    /// Returns the property with this name. If several properties have the name, returns the last
    /// one, as the reference reader does.
    CastProperty find(std::uint32_t node, CastName name) const;
    /// Finds several properties in one pass and stores them in `found`. Elements of missing
    /// properties keep their value.
    void find(std::uint32_t node, std::span<const CastName> names, CastProperty* found) const;
    std::uint32_t nodeSize(std::uint32_t node) const { return loadValue<std::uint32_t>(input.data() + nodes[node].offset + 4); }
    std::uint64_t hash(std::uint32_t node) const { return loadValue<std::uint64_t>(input.data() + nodes[node].offset + 8); }
    CastChildren children(std::uint32_t node) const { return {nodes, node + 1, nodes[node].next}; }
    CastChildren roots() const { return {nodes, 0, static_cast<std::uint32_t>(nodes.size())}; }
    /// Returns the file offset of bytes that are part of `input`.
    std::uint64_t offsetOf(Bytes bytes) const { return static_cast<std::uint64_t>(bytes.data() - input.data()); }
    /// Returns the outline path of a node, such as "Root[0]/Model[1]/Mesh[0]". For each level, it
    /// contains the node kind and the index among siblings.
    std::string path(std::uint32_t node) const;
};

/// Returns the name for a node id, such as "Root" or "IKHandle", or "Unknown" if the id is unknown.
std::string_view castKind(std::uint32_t id);

/// Returns true if the bytes start with the magic number and a plausible version of Cast. A text
/// file that starts with the same letters has an implausible version.
bool isCast(Bytes head);

/// Reads the tree of nodes (cast.md section 7). If there is a source, a single node represents
/// consecutive plain curves, which are read from the file later.
CastDocument readCast(Bytes input, CastFindings& findings, Source* source = nullptr);

/// Adds the findings to the report, with node paths.
void reportCast(const CastDocument& document, const CastFindings& findings, Diagnostics& diagnostics);

}  // namespace rigcast
