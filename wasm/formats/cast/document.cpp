#include "formats/cast/document.hpp"

#include <algorithm>
#include <cstring>

#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/cast/tree.hpp"
#include "scene/scene.hpp"

namespace rigcast {

constexpr std::uint32_t nowhere = CastNode::noParent;

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

bool CastFindings::lists(Code code) const {
    return std::none_of(seen_.begin(), seen_.end(), [code](const auto& entry) { return entry.first == code && entry.second == each; });
}

void CastFindings::merge(const CastFindings& other) {
    for (const CastFinding& finding : other.list_)
        add(finding.code, finding.severity, finding.node, finding.offset, finding.detail, finding.property, finding.count);
}

CastProperty CastDocument::find(std::uint32_t node, CastName name) const {
    CastProperty found;
    find(node, {&name, 1}, &found);
    return found;
}

std::string CastDocument::path(std::uint32_t node) const {
    std::string path;
    while (node != nowhere) {
        const std::uint32_t parent = nodes[node].parent;
        std::uint32_t position = 0;
        for (const std::uint32_t sibling : parent == nowhere ? roots() : children(parent)) {
            if (sibling == node) break;
            position += nodes[sibling].siblings();
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

namespace {

CastDocument readTree(Bytes input, Source* source, CastFindings& findings) {
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
    CastTreeReader(document, findings, source).run();
    for (const std::uint32_t root : document.roots())
        if (document.nodes[root].id != castIds::root) findings.add(Code::TOP_LEVEL, Severity::warning, root, document.nodes[root].offset);
    return document;
}

}  // namespace

CastDocument readCast(Bytes input, CastFindings& findings, Source* source) {
    CastDocument document = readTree(input, source, findings);
    if (!document.hasRuns || document.isForRuns) return document;
    // Nodes that follow the curves affect how the curves must be checked. Loads the entire file and
    // reads it again with one node per curve.
    source->load(0, input.size());
    findings = {};
    return readTree(input, nullptr, findings);
}

void reportCast(const CastDocument& document, const CastFindings& findings, Diagnostics& diagnostics) {
    for (const CastFinding& finding : findings.list()) {
        std::string path = finding.node == nowhere ? "" : document.path(finding.node);
        if (!finding.property.empty()) path += "." + finding.property;
        diagnostics.add(finding.code, finding.severity, {.offset = finding.offset, .path = path}, finding.detail, finding.count);
    }
}

}  // namespace rigcast
