#include "formats/cast/document.hpp"

#include <algorithm>
#include <cstring>

#include "core/text.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

namespace {

constexpr std::uint32_t nowhere = CastNode::noParent;
/// Deeper trees are damage: the format's own nodes end at five. (cast.md section 7)
constexpr std::size_t maximumDepth = 512;

/// Reads nodes depth first without recursion. NodeSize is a hint that is believed where it helps: writers disagree about it
/// (cast.md sections 1 and 7), the counts are what the reference reader goes by.
class TreeReader {
public:
    TreeReader(CastDocument& document, std::uint64_t budget, CastFindings& findings)
        : document_(document), findings_(findings), bytes_(document.input), size_(document.input.size()), limit_(size_), budget_(budget) {}

    void run() {
        position_ = CastHeader::size;
        std::uint32_t rootsRead = 0;
        while (!stopped_) {
            if (!open_.empty()) {
                step();
            } else if (rootsRead == document_.header.rootCount) {
                break;
            } else if (size_ - position_ < CastNode::headerSize) {
                add(Code::TRUNCATED, Severity::error, nowhere, position_,
                    {"the file announces {} roots and has {}", {document_.header.rootCount, rootsRead}});
                stopped_ = true;
            } else {
                openNode(size_);
                ++rootsRead;
            }
        }
        if (unknown_.isActive) findings_.merge(unknown_.findings);
        for (; !open_.empty(); open_.pop_back()) seal(open_.back().node);
        if (!stopped_ && position_ < size_) {
            document_.tail = bytes_.subspan(position_);
            findings_.add(Code::TRAILING_BYTES, Severity::warning, nowhere, position_, {"{} bytes", {size_ - position_}});
        }
    }

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

    void add(Code code, Severity severity, std::uint32_t node, std::uint64_t offset, const Detail& detail = noDetail,
             std::string_view property = {}) {
        (unknown_.isActive ? unknown_.findings : findings_).add(code, severity, node, offset, detail, property);
    }

    /// Whether something begins at `at` for sure: a node of known kind, or nothing at all.
    bool isBoundary(std::uint64_t at) const {
        if (at == size_) return true;
        return at < size_ && size_ - at >= CastNode::headerSize && castRule(loadValue<std::uint32_t>(bytes_.data() + at));
    }

    std::uint64_t parentEnd() const { return open_.size() > 1 ? open_[open_.size() - 2].end : size_; }

    template <class T>
    bool makeRoom(Vector<T>& list) {
        if (list.size() < list.capacity()) return true;
        const std::uint64_t wanted = std::max<std::uint64_t>(256, std::uint64_t{list.capacity()} * 2);
        if (wanted * sizeof(T) * 3 / 2 > budget_ || wanted * sizeof(T) > 0x7FFFFFFF) {
            document_.outOfMemory = true;
            stopped_ = true;
            return false;
        }
        list.reserve(static_cast<std::size_t>(wanted));
        return true;
    }

    void step() {
        Open& open = open_.back();
        if (open.propertiesLeft)
            readProperties(open);
        else if (open.childrenLeft)
            nextChild(open);
        else
            closeNode(open);
    }

    /// The caller has proven 24 bytes.
    void openNode(std::uint64_t endOfParent) {
        if (!makeRoom(document_.nodes)) return;
        const std::uint8_t* header = bytes_.data() + position_;
        CastNode node;
        node.id = loadValue<std::uint32_t>(header);
        node.rule = castRule(node.id);
        node.offset = static_cast<std::size_t>(position_);
        node.parent = open_.empty() ? nowhere : open_.back().node;
        node.firstProperty = static_cast<std::uint32_t>(document_.propertyEnds.size());
        const auto index = static_cast<std::uint32_t>(document_.nodes.size());
        document_.nodes.push_back(node);

        const auto nodeSize = loadValue<std::uint32_t>(header + 4);
        const bool isSized = nodeSize >= CastNode::headerSize && nodeSize <= endOfParent - position_;
        const std::uint64_t end = isSized ? position_ + nodeSize : endOfParent;
        open_.push_back({index, end, isSized, isSized && isBoundary(end), loadValue<std::uint32_t>(header + 16),
                         loadValue<std::uint32_t>(header + 20)});
        position_ += CastNode::headerSize;

        if (open_.size() > maximumDepth) {
            findings_.add(Code::NESTING_TOO_DEEP, Severity::error, unknown_.isActive ? open_[unknown_.depth - 1].node : index, node.offset);
            keepRestOpaque();
        } else if (!node.rule && !unknown_.isActive) {
            unknown_.isActive = true;
            unknown_.depth = open_.size();
            unknown_.limitBefore = limit_;
            // 24 more, for writers that do not count the header.
            if (isSized) limit_ = std::min(endOfParent, end + CastNode::headerSize);
        }
    }

    void nextChild(Open& open) {
        if (position_ > open.end) giveUpSize(open);
        if (position_ == open.end) {
            // Full to the brim: the size leaves out the children, or an empty last child's header, or there are fewer than announced.
            const bool childrenFollow = open.isSized && open.childrenRead == 0 && parentEnd() > open.end;
            if (!childrenFollow && !isEmptyNodeWithoutHeader(position_)) return missingChildren(open);
            giveUpSize(open);
        }
        const std::uint64_t end = open.isCertain ? open.end : limit_;
        if (end - position_ < CastNode::headerSize) return missingChildren(open);
        --open.childrenLeft;
        ++open.childrenRead;
        openNode(open.end);
    }

    /// A node of known kind whose size is too small to count its own header.
    bool isEmptyNodeWithoutHeader(std::uint64_t at) const {
        return at < limit_ && isBoundary(at) && loadValue<std::uint32_t>(bytes_.data() + at + 4) < CastNode::headerSize;
    }

    /// The node does not end where it says: the nearest ancestor that goes further counts.
    void giveUpSize(Open& open) {
        open.isSized = open.isCertain = false;
        open.end = limit_;
        for (std::size_t i = open_.size() - 1; i-- > 0;) {
            if (open_[i].end > position_) {
                open.end = std::min(limit_, open_[i].end);
                break;
            }
        }
    }

    void missingChildren(Open& open) {
        fail(Code::TRUNCATED, Severity::error, nodeOf(open).offset,
             {"announces {} children and has {}", {open.childrenRead + open.childrenLeft, open.childrenRead}});
    }

    void readProperties(Open& open) {
        while (open.propertiesLeft) {
            const std::uint64_t at = position_;
            if (limit_ - at < CastProperty::headerSize || (at == open.end && open.isCertain))
                return fail(Code::TRUNCATED, Severity::error, nodeOf(open).offset, "announces more properties than it has");
            const std::uint8_t* header = bytes_.data() + at;
            const auto code = loadValue<std::uint16_t>(header);
            const CastType type = castTypeOf(code);
            const CastTypeInfo& info = infoOf(type);
            if (info.code != code) {
                if (isBoundary(at)) {
                    // No property begins like a node: the count is wrong, and children follow.
                    add(Code::TRUNCATED, Severity::error, open.node, nodeOf(open).offset, "announces more properties than it has");
                    if (unknown_.isActive) return failUnknown();
                    open.propertiesLeft = 0;
                    break;
                }
                return fail(Code::PROPERTY_TYPE_UNKNOWN, open.isSized ? Severity::warning : Severity::error, at, {"type code {}", {code}});
            }
            const auto nameLength = loadValue<std::uint16_t>(header + 2);
            const auto count = loadValue<std::uint32_t>(header + 4);
            if (nameLength > limit_ - at - CastProperty::headerSize) return fail(Code::TRUNCATED, Severity::error, at, "a property's name");
            const std::string_view name{reinterpret_cast<const char*>(header + CastProperty::headerSize), nameLength};
            const std::uint64_t start = at + CastProperty::headerSize + nameLength;
            std::uint64_t length = std::uint64_t{count} * info.size;
            const std::uint64_t end = open.isCertain && open.end >= start ? open.end : limit_;
            if (type == CastType::text && !stringLength(count, start, end, length))
                return fail(Code::STRING_UNTERMINATED, Severity::error, start, {}, name);
            if (length > end - start) return fail(Code::TRUNCATED, Severity::error, at, {"{} elements", {count}}, name);
            if (!makeRoom(document_.propertyEnds)) return;
            position_ = start + length;
            document_.propertyEnds.push_back(static_cast<std::size_t>(position_));
            ++nodeOf(open).propertyCount;
            --open.propertiesLeft;
            checkName(open.node, at, name);
            if (type == CastType::text) checkText(open.node, at, name, count, bytes_.subspan(start, length));
        }
        checkDuplicates(open.node);
    }

    /// Length of a string property's payload with its terminators; false where one is missing.
    bool stringLength(std::uint32_t count, std::uint64_t start, std::uint64_t end, std::uint64_t& length) {
        length = 0;
        if (count > end - start) return false;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint8_t* from = bytes_.data() + start + length;
            const void* stop = end - start > length ? std::memchr(from, 0, static_cast<std::size_t>(end - start - length)) : nullptr;
            if (!stop) return false;
            length += static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(stop) - from) + 1;
        }
        return true;
    }

    void checkName(std::uint32_t node, std::uint64_t at, std::string_view name) {
        bool isPlain = !name.empty();
        for (const char c : name) isPlain &= c > 0;
        if (isPlain) return;
        const char* problem = name.empty()                                ? "a property without a name"
                              : name.find('\0') != std::string_view::npos ? "a property's name holds a NUL"
                              : isValidUtf8(name)                         ? nullptr
                                                                          : "a property's name is not UTF-8";
        if (problem) add(Code::NAME_DAMAGED, Severity::warning, node, at, problem, name);
    }

    void checkText(std::uint32_t node, std::uint64_t at, std::string_view name, std::uint32_t count, Bytes payload) {
        if (count != 1) add(Code::STRING_COUNT, Severity::warning, node, at, {"{} strings", {count}}, name);
        if (!isValidUtf8(asText(payload))) add(Code::NAME_DAMAGED, Severity::warning, node, at, "a string is not UTF-8", name);
    }

    void checkDuplicates(std::uint32_t index) {
        constexpr std::size_t few = 16;  // up to here comparing all with all is the fastest
        CastNode& node = document_.nodes[index];
        bool mayRepeat = node.propertyCount > few;
        if (!mayRepeat) {
            CastName names[few];
            std::size_t count = 0;
            for (const CastProperty& property : document_.propertiesOf(index)) {
                const CastName name = names[count] = property.name;
                for (std::size_t i = 0; i < count; ++i) mayRepeat |= names[i] == name;
                ++count;
            }
        }
        if (!mayRepeat) return;
        StringTable names;
        for (const CastProperty& property : document_.propertiesOf(index))
            if (!names.add(property.name)) add(Code::PROPERTY_DUPLICATE, Severity::warning, index, node.offset, {}, property.name);
    }

    /// The node's content cannot be followed any further. `found`: the place to tell.
    void fail(Code code, Severity severity, std::uint64_t found, const Detail& detail, std::string_view property = {}) {
        if (unknown_.isActive) return failUnknown();
        add(code, severity, open_.back().node, found, detail, property);
        keepRestOpaque();
    }

    /// Jumps to the end of the innermost node, or stops where nobody knows it.
    void keepRestOpaque() {
        const Open open = open_.back();
        if (!open.isSized || open.end < position_) {
            stopped_ = true;
            return;
        }
        // A writer that does not count the header ends 24 bytes later than it says.
        const std::uint64_t later = open.end + CastNode::headerSize;
        position_ = !isBoundary(open.end) && isBoundary(later) ? later : open.end;
        nodeOf(open).isOpaque = true;
        leave();
    }

    /// Forgets what was read inside the unknown node and keeps its bytes.
    void failUnknown() {
        open_.resize(unknown_.depth);
        const Open open = open_.back();
        CastNode& node = nodeOf(open);
        document_.propertyEnds.resize(node.firstProperty);
        node.propertyCount = 0;
        document_.nodes.resize(open.node + 1);
        limit_ = unknown_.limitBefore;
        unknown_ = {};
        if (open.isSized) {
            findings_.add(Code::UNKNOWN_NODE, Severity::info, open.node, node.offset, "kept as it is");
        } else {
            findings_.add(Code::TRUNCATED, Severity::error, open.node, node.offset, "a node of unknown kind and size");
        }
        position_ = node.offset + CastNode::headerSize;
        keepRestOpaque();
    }

    void closeNode(Open& open) {
        CastNode& node = nodeOf(open);
        const std::uint32_t nodeSize = document_.nodeSize(open.node);
        const std::uint64_t stored = std::uint64_t{node.offset} + nodeSize;
        const bool isUnknown = unknown_.isActive && unknown_.depth == open_.size();
        if (position_ == stored) {
        } else if (position_ == stored + CastNode::headerSize) {
            add(Code::NODE_SIZE, Severity::info, open.node, node.offset, "does not count the node's own header");
        } else if (isUnknown && open.isSized && position_ > open.end) {
            return failUnknown();
        } else if (open.isSized && position_ < open.end) {
            add(Code::NODE_SIZE, Severity::warning, open.node, node.offset, {"{} bytes more than are used", {open.end - position_}});
            const bool sizeIsWrong = isBoundary(position_) && !isBoundary(open.end);
            if (!sizeIsWrong) position_ = open.end;
        } else {
            add(Code::NODE_SIZE, Severity::warning, open.node, node.offset, {"{} instead of {}", {nodeSize, position_ - node.offset}});
        }
        if (isUnknown) {
            unknown_.isActive = false;
            limit_ = unknown_.limitBefore;
            findings_.merge(unknown_.findings);
            unknown_ = {};
        }
        // Once for the outermost: what is inside has nobody to know it.
        if (!node.rule && !unknown_.isActive) add(Code::UNKNOWN_NODE, Severity::info, open.node, node.offset);
        leave();
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

    CastDocument& document_;
    CastFindings& findings_;
    Bytes bytes_;
    std::uint64_t size_;
    std::uint64_t limit_;
    std::uint64_t budget_;
    std::uint64_t position_ = 0;
    bool stopped_ = false;
    Unknown unknown_;
    Vector<Open> open_;
};

}  // namespace

void CastFindings::add(Code code, Severity severity, std::uint32_t node, std::uint64_t offset, const Detail& detail,
                       std::string_view property, std::uint64_t count) {
    if (count == 0) return;
    auto seen = std::find_if(seen_.begin(), seen_.end(), [code](const auto& entry) { return entry.first == code; });
    if (seen == seen_.end()) seen = seen_.insert(seen_.end(), {code, 0});
    if (seen->second == each) {
        const auto last = std::find_if(list_.rbegin(), list_.rend(),
                                       [&](const CastFinding& entry) { return entry.code == code && entry.severity == severity; });
        if (last != list_.rend()) {
            last->count += count;
            return;
        }
    } else {
        ++seen->second;
    }
    list_.push_back({code, severity, node, offset, std::string(property.substr(0, 64)), detail.text().substr(0, 256), count});
}

void CastFindings::merge(const CastFindings& other) {
    for (const CastFinding& finding : other.list_)
        add(finding.code, finding.severity, finding.node, finding.offset, finding.detail, finding.property, finding.count);
}

std::string_view CastProperty::text() const {
    if (type != CastType::text || count == 0) return {};
    const std::string_view all = asText(payload);
    return all.substr(0, all.find('\0'));
}

CastProperty CastDocument::find(std::uint32_t node, CastName name) const {
    CastProperty found;
    for (const CastProperty& property : propertiesOf(node))
        if (CastName(property.name) == name) found = property;
    return found;
}

std::string CastDocument::path(std::uint32_t node) const {
    std::string path;
    while (node != nowhere) {
        const std::uint32_t parent = nodes[node].parent;
        std::uint32_t position = 0;
        for (const std::uint32_t sibling : parent == nowhere ? roots() : children(parent)) {
            if (sibling == node) break;
            ++position;
        }
        const std::string own = formatted("{}[{}]", {castKind(nodes[node].id), position});
        path = path.empty() ? own : own + "/" + path;
        node = parent;
    }
    return path;
}

std::string_view castKind(std::uint32_t id) {
    const CastNodeRule* rule = castRule(id);
    return rule ? rule->kind : "Unknown";
}

bool isCast(Bytes head) {
    if (head.size() < 4 || loadValue<std::uint32_t>(head.data()) != CastHeader::magic) return false;
    return head.size() < 8 || loadValue<std::uint32_t>(head.data() + 4) <= 0xFFFF;
}

CastDocument readCast(Bytes input, std::uint64_t budget, CastFindings& findings) {
    CastDocument document;
    document.input = input;
    if (input.size() < CastHeader::size) {
        findings.add(Code::TRUNCATED, Severity::error, nowhere, 0, "fewer than 16 bytes");
        return document;
    }
    document.header = {loadValue<std::uint32_t>(input.data() + 4), loadValue<std::uint32_t>(input.data() + 8),
                       loadValue<std::uint32_t>(input.data() + 12)};
    const auto& [version, rootCount, flags] = document.header;
    if (version != 1) findings.add(Code::VERSION_UNKNOWN, Severity::warning, nowhere, 4, {"version {}", {version}});
    if (flags != 0) findings.add(Code::RESERVED_NOT_ZERO, Severity::info, nowhere, 12, {"flags {}", {flags}});
    if (rootCount == 0) findings.add(Code::TOP_LEVEL, Severity::warning, nowhere, 8, "no roots");
    TreeReader(document, budget, findings).run();
    for (const std::uint32_t root : document.roots())
        if (document.nodes[root].id != castIds::root) findings.add(Code::TOP_LEVEL, Severity::warning, root, document.nodes[root].offset);
    return document;
}

void reportCast(const CastDocument& document, const CastFindings& findings, Diagnostics& diagnostics) {
    for (const CastFinding& finding : findings.list()) {
        std::string path = finding.node == nowhere ? "" : document.path(finding.node);
        if (!finding.property.empty()) path += "." + finding.property;
        diagnostics.add(finding.code, finding.severity, {.offset = finding.offset, .path = path}, finding.detail, finding.count);
    }
}

}  // namespace rigcast
