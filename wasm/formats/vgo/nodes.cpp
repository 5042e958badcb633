// Converts the tree of nodes. Transforms are in an accessor that contains one matrix per node
// (vgo.md section 5.1).
#include <cmath>

#include "core/code.hpp"
#include "formats/vgo/build.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// Maximum absolute value of a matrix element. Products of larger numbers would exceed the range of
/// float.
constexpr float largest = 1e15f;

class NodeBuilder {
public:
    explicit NodeBuilder(VgoBuild& build) : build_(build), parents_(build.nodes.size(), none) {}

    void run() {
        if (!vgoFlag(build_.node(0), "isRoot", false)) build_.add(Code::NO_ROOT, Severity::error, "nodes", 0);
        link();
        breakCycles();
        findMatrices();
        build_.rows.assign(build_.nodes.size(), none);
        Vector<std::uint32_t> chain;
        for (std::uint32_t i = 0; i < build_.nodes.size(); ++i) {
            for (std::uint32_t at = i; at != none && build_.rows[at] == none; at = parents_[at]) {
                if (!build_.node(at)) break;
                build_.rows[at] = 0;  // marks the node as visited
                chain.push_back(at);
            }
            for (; !chain.empty(); chain.pop_back()) addNode(chain.back());
        }
        for (std::uint32_t i = 0; i < build_.nodes.size(); ++i)
            if (build_.rows[i] != none) keepOrder(i);
    }

private:
    void link() {
        for (std::uint32_t i = 0; i < build_.nodes.size(); ++i) {
            if (!build_.node(i)) {
                build_.warn(Code::NODE_NULL, "nodes", i);
                continue;
            }
            for (const Value& entry : vgoList(build_.node(i), "children")) {
                const std::uint32_t child = build_.index(&entry, build_.nodes.size(), Severity::error, "nodes", i, "children");
                if (child == none) {
                    if (entry.asNumber(0) == -1) build_.add(Code::INDEX_RANGE, Severity::error, "nodes", i, "children");
                    continue;
                }
                if (!build_.node(child)) continue;  // already reported
                if (child == 0 || child == i)
                    build_.add(Code::NODE_CYCLE, Severity::error, "nodes", i);
                else if (parents_[child] != none)
                    build_.add(Code::NODE_PARENTS, Severity::error, "nodes", child);
                else
                    parents_[child] = i;
            }
        }
        std::uint32_t orphans = 0, first = 0;
        for (std::uint32_t i = 1; i < build_.nodes.size(); ++i) {
            if (parents_[i] != none || !build_.node(i)) continue;
            if (orphans++ == 0) first = i;
        }
        build_.warn(Code::NODE_ORPHAN, "nodes", first, {}, orphans);
    }

    /// Removes cycles. A node has at most one parent, so there is a cycle if a walk to the root
    /// returns to a node that it has visited.
    void breakCycles() {
        // For each node, the number of the last walk that visited it.
        Vector<std::uint32_t> walk(parents_.size(), none);
        for (std::uint32_t i = 0; i < parents_.size(); ++i) {
            std::uint32_t at = i;
            while (at != none && walk[at] == none) {
                walk[at] = i;
                at = parents_[at];
            }
            if (at == none || walk[at] != i) continue;
            build_.add(Code::NODE_CYCLE, Severity::error, "nodes", at);
            parents_[at] = none;
        }
    }

    void findMatrices() {
        std::size_t found = 0;
        const auto& accessors = build_.document.accessors;
        for (std::size_t i = 0; i < accessors.size(); ++i) {
            const VgoAccessor& accessor = accessors[i];
            if (!accessor.isKind(VgoKind::nodeTransform)) continue;
            if (++found == 1 && accessor.usable && build_.spend(accessor.denseLength(), "accessors", i))
                readFloats(accessor, 16, matrices_);
        }
        const std::size_t count = matrices_.size() / 16;
        if (found != 1)
            build_.diagnostics.add(Code::NODE_TRANSFORMS, Severity::error, {.path = "accessors"}, found ? "several" : "none");
        else if (count != build_.nodes.size())
            build_.diagnostics.add(Code::NODE_TRANSFORMS, Severity::error, {.path = "accessors"},
                                   {"{} matrices, {} nodes", {count, build_.nodes.size()}});
    }

    Transform transformOf(std::uint32_t index) {
        Mat4 matrix;
        if (matrices_.size() / 16 <= index) return {};
        for (std::size_t k = 0; k < 16; ++k) {
            const float value = matrices_[std::size_t{index} * 16 + k];
            if (!(std::fabs(value) <= largest)) {
                build_.warn(Code::NON_FINITE, "nodes", index, "the identity matrix was used");
                return {};
            }
            matrix.m[k] = value;
        }
        const Transform transform = decompose(matrix);
        const Mat4 again = compose(transform);
        double off = 0, size = 0;
        for (std::size_t k = 0; k < 12; ++k) {
            off = std::max(off, std::fabs(again.m[k] - matrix.m[k]));
            size = std::max(size, std::fabs(matrix.m[k]));
        }
        if (off > 1e-3 * size) build_.warn(Code::NODE_SHEAR, "nodes", index);
        return transform;
    }

    void addNode(std::uint32_t index) {
        const Value* source = build_.node(index);
        Node node;
        node.name = build_.scene.strings.intern(vgoText(source, "name"));
        node.parent = parents_[index] == none ? 0 : build_.rows[parents_[index]];
        node.local = transformOf(index);
        // Nodes without a parent are kept but hidden.
        const bool isOrphan = index > 0 && parents_[index] == none;
        node.visible = !isOrphan && vgoFlag(source, "isActive", true);
        // Members that are converted to fields of the scene. All other members are stored as
        // properties.
        constexpr std::string_view placed[] = {"name",      "isRoot",       "isActive", "animator", "animation", "rigidbody",
                                               "colliders", "meshRenderer", "mesh",     "skin",     "cloth",     "springBoneGroups",
                                               "light",     "particle",     "skybox",   "right",    "children",  "springBoneColliderGroup"};
        if (const auto* members = source->get<Properties>())
            for (const auto& [name, value] : *members) {
                bool isPlaced = value.isNull();
                for (const std::string_view other : placed) isPlaced |= other == name;
                if (!isPlaced) build_.keep(node.properties, name, value);
            }
        build_.rows[index] = static_cast<std::uint32_t>(build_.scene.nodes.size());
        build_.scene.nodes.push_back(std::move(node));
    }

    /// If the children are not in the order of scene nodes, stores their order as a property,
    /// because springs need to know the first child.
    void keepOrder(std::uint32_t index) {
        Vector<Value> order;
        std::uint32_t last = 0;
        bool isByRow = true;
        for (const Value& entry : vgoList(build_.node(index), "children")) {
            const double number = entry.asNumber(-1);
            if (!(number >= 0 && number < static_cast<double>(parents_.size()))) continue;
            const auto child = static_cast<std::uint32_t>(number);
            if (parents_[child] != index) continue;
            const std::uint32_t row = build_.rows[child];
            isByRow &= row > last;
            last = row;
            order.push_back(row);
        }
        if (!isByRow && build_.spend(order.size() * sizeof(Value), "nodes", index))
            vgoPut(build_.scene.nodes[build_.rows[index]].properties, "children", std::move(order));
    }

    VgoBuild& build_;
    Vector<std::uint32_t> parents_;
    Vector<float> matrices_;
};

}  // namespace

void addVgoNodes(VgoBuild& build) { NodeBuilder(build).run(); }

}  // namespace rigcast
