// Reads the tree of nodes. Code that runs for every node is in tree.hot.cpp, because files have hundreds of thousands of nodes. Code that only damaged files and
// nodes of unknown kind need is in damage.cpp.
#pragma once

#include <algorithm>

#include "core/code.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// Reads nodes depth first without recursion. NodeSize is a hint that is believed where it helps: writers disagree about it
/// (cast.md sections 1 and 7), the counts are what the reference reader goes by.
class CastTreeReader {
public:
    /// With a source, plain curves that follow each other become one node: they are not in memory.
    CastTreeReader(CastDocument& document, CastFindings& findings, Source* source)
        : document_(document),
          findings_(findings),
          bytes_(document.input),
          size_(document.input.size()),
          limit_(size_),
          source_(source),
          isInRuns_(source != nullptr) {}

    void run();

private:
    struct Open {
        std::uint32_t node;
        std::uint64_t end;  // by NodeSize where `isSized`, else the parent's
        bool isSized;
        bool isCertain;  // `end` by NodeSize, and something begins there for sure
        std::uint32_t propertiesLeft;
        std::uint32_t childrenLeft;
        std::uint32_t childrenRead = 0;
    };

    /// The outermost node of unknown kind that is being read: what is inside may be anything, so it is taken back where it fails.
    struct Unknown {
        std::size_t depth = 0;  // open_.size() with it
        std::uint64_t limitBefore = 0;
        bool isActive = false;
        CastFindings findings;
    };

    CastNode& nodeOf(const Open& open) { return document_.nodes[open.node]; }

    /// Whether something begins at `at` for sure: a node of known kind, or nothing at all.
    bool isBoundary(std::uint64_t at) const {
        if (at == size_) return true;
        return at < size_ && size_ - at >= CastNode::headerSize && castRule(loadValue<std::uint32_t>(bytes_.data() + at));
    }
    template <class T>
    bool makeRoom(Vector<T>& list) {
        if (list.size() < list.capacity()) return true;
        const std::size_t wanted = roomAfter(list.capacity(), sizeof(T));
        if (wanted) list.reserve(wanted);
        return wanted;
    }
    void leave() {
        seal(open_.back().node);
        open_.pop_back();
    }
    void seal(std::uint32_t index) {
        CastNode& node = document_.nodes[index];
        node.end = static_cast<std::size_t>(position_);
        node.next = static_cast<std::uint32_t>(document_.nodes.size());
    }

    // tree.hot.cpp
    /// Reads on to the end of the outermost open node.
    void readOpen();
    /// The caller has proven 24 bytes.
    void openNode(std::uint64_t endOfParent);
    void nextChild(Open& open);
    /// Passes over curves that are plain. False where they are few, or the first node is none.
    bool takeCurves(Open& open);
    void readProperties(Open& open);
    /// Length of a string property's payload with its terminators; false where one is missing.
    bool stringLength(std::uint32_t count, std::uint64_t start, std::uint64_t end, std::uint64_t& length) const;
    void closeNode(Open& open);

    // damage.cpp
    /// What follows is read node by node.
    void bringRest();
    void add(Code code, Severity severity, std::uint32_t node, std::uint64_t offset, const Detail& detail = noDetail,
             std::string_view property = {});
    /// How much room comes after `capacity`; 0, and reading stops, where there is none.
    std::size_t roomAfter(std::uint64_t capacity, std::size_t size);
    /// A node is too deep, or of unknown kind.
    void openStrange(std::uint64_t endOfParent);
    /// The node does not end where it says: the nearest ancestor that goes further counts.
    void giveUpSize(Open& open);
    /// The node is full to the brim, and children are missing. Whether they may lie behind it.
    bool mayHaveMore(const Open& open) const;
    void missingChildren(Open& open);
    /// What no property begins with. True where the properties are over, and children follow.
    bool endsProperties(Open& open);
    void checkName(const Open& open, std::uint64_t at, std::string_view name);
    void checkText(const Open& open, std::uint64_t at, std::string_view name, std::uint32_t count, Bytes payload);
    void checkDuplicates(std::uint32_t node);
    /// The node's content cannot be followed any further. `found`: the place to tell.
    void fail(Code code, Severity severity, std::uint64_t found, const Detail& detail, std::string_view property = {});
    /// The same where a node or a property breaks off.
    void failTruncated(std::uint64_t found, const Detail& detail, std::string_view property = {}) {
        fail(Code::TRUNCATED, Severity::error, found, detail, property);
    }
    /// Jumps to the end of the innermost node, or stops if that is unknown.
    void keepRestOpaque();
    /// Forgets what was read inside the unknown node and keeps its bytes.
    void failUnknown();
    /// The node's content does not end where its size says. False where the node has been left.
    bool acceptSize(const Open& open);
    void closeUnknown(const Open& open);

    CastDocument& document_;
    CastFindings& findings_;
    Bytes bytes_;
    std::uint64_t size_;
    std::uint64_t limit_;
    std::uint64_t position_ = 0;
    Source* source_;  // of curves; nullptr where they are in memory
    bool isInRuns_;
    bool stopped_ = false;
    Unknown unknown_;
    Vector<Open> open_;
};

}  // namespace rigcast
