// Reads the tree of nodes. tree.hot.cpp contains the code that runs for each of hundreds of
// thousands of nodes and is compiled for speed. damage.cpp contains the code for damaged files and
// unknown nodes.
#pragma once

#include <algorithm>

#include "core/code.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// Reads nodes depth first, without recursion. Relies on the declared counts, as the reference
/// reader does. NodeSize is only a hint, because writers disagree about it (cast.md sections 1 and
/// 7).
class CastTreeReader {
public:
    /// If there is a source, a single node represents consecutive plain curves, which are not
    /// loaded into memory.
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
        std::uint64_t end;  // end according to NodeSize if `isSized`, otherwise the end of the parent
        bool isSized;
        bool isCertain;  // true: NodeSize was used, and its end is the start of a node or the end of the file
        std::uint32_t propertiesLeft;
        std::uint32_t childrenLeft;
        std::uint32_t childrenRead = 0;
    };

    /// The outermost unknown node that is being read. Its content may not consist of nodes. If
    /// reading it fails, the nodes that were read inside it are removed.
    struct Unknown {
        std::size_t depth = 0;  // size of `open_` while this node is the innermost one
        std::uint64_t limitBefore = 0;
        bool isActive = false;
        CastFindings findings;
    };

    CastNode& nodeOf(const Open& open) { return document_.nodes[open.node]; }

    /// Returns true if a node of a known kind begins at offset `at`, or if the file ends there.
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

    // ---- Defined in tree.hot.cpp

    /// Reads nodes until the outermost open node ends.
    void readOpen();
    /// Reads a node header. The caller has checked that its 24 bytes exist.
    void openNode(std::uint64_t endOfParent);
    void nextChild(Open& open);
    /// Adds a single node for consecutive plain curves. Returns false if there are fewer than
    /// `fewestCastCurves` such curves.
    bool addCurveRun(Open& open);
    void readProperties(Open& open);
    /// Sets `length` to the size in bytes of a string payload, including terminators. Returns false
    /// if a terminator is missing.
    bool stringLength(std::uint32_t count, std::uint64_t start, std::uint64_t end, std::uint64_t& length) const;
    void closeNode(Open& open);

    // ---- Defined in damage.cpp

    /// Loads the rest of the file into memory. From then on, each curve is read as a separate node.
    void loadRest();
    void add(Code code, Severity severity, std::uint32_t node, std::uint64_t offset, const Detail& detail = noDetail,
             std::string_view property = {});
    /// Returns the new capacity of a full list. Returns 0 and stops reading if the budget is
    /// exceeded.
    std::size_t roomAfter(std::uint64_t capacity, std::size_t size);
    /// Handles a node that is nested too deeply or whose kind is unknown.
    void openIrregular(std::uint64_t endOfParent);
    /// Ignores a wrong NodeSize: the node may then extend to the end of the nearest ancestor that
    /// ends after the current position.
    void ignoreSize(Open& open);
    /// Returns true if the missing children of a node may follow its declared end.
    bool mayHaveMore(const Open& open) const;
    void missingChildren(Open& open);
    /// Handles bytes that are not a property. Returns true if a node starts with these bytes, which
    /// means that there are no more properties.
    bool endsProperties(Open& open);
    void checkName(const Open& open, std::uint64_t at, std::string_view name);
    void checkText(const Open& open, std::uint64_t at, std::string_view name, std::uint32_t count, Bytes payload);
    void checkDuplicates(std::uint32_t node);
    /// Reports that the rest of the node is unreadable, and skips it. `found`: file offset for the
    /// finding.
    void fail(Code code, Severity severity, std::uint64_t found, const Detail& detail, std::string_view property = {});
    /// Reports a truncated node or property, and skips the rest of the node.
    void failTruncated(std::uint64_t found, const Detail& detail, std::string_view property = {}) {
        fail(Code::TRUNCATED, Severity::error, found, detail, property);
    }
    /// Skips the rest of the innermost open node and keeps its bytes as the tail. Stops reading if
    /// the size of the node is unknown.
    void keepRestOpaque();
    /// Removes the nodes that were read inside the unknown node and keeps its bytes.
    void failUnknown();
    /// Compares NodeSize with the end of the content and handles a difference. Returns false if the
    /// node was closed.
    bool acceptSize(const Open& open);
    void closeUnknown(const Open& open);

    CastDocument& document_;
    CastFindings& findings_;
    Bytes bytes_;
    std::uint64_t size_;
    std::uint64_t limit_;
    std::uint64_t position_ = 0;
    Source* source_;  // source of curves that are not in memory, or nullptr
    bool isInRuns_;
    bool stopped_ = false;
    Unknown unknown_;
    Vector<Open> open_;
};

}  // namespace rigcast
