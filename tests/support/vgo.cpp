#include "support/vgo.hpp"

#include "core/vector.hpp"

namespace rigcast::test {

namespace {

void addMatrix(Vector<float>& to, float x, float y, float z) {
    for (const float value : {1.f, 0.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 0.f, 1.f, 0.f, x, y, z, 1.f}) to.push_back(value);
}

}  // namespace

VgoBuilder quadVgo() {
    VgoBuilder vgo;
    Vector<float> transforms;
    addMatrix(transforms, 0, 0, 0);
    addMatrix(transforms, 1, 2, 3);
    vgo.addTransforms(transforms);
    const int positions = vgo.addFloats(VgoKind::mesh, 3, Vector<float>{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    const int normals = vgo.addFloats(VgoKind::mesh, 3, Vector<float>{0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1});
    const int uvs = vgo.addFloats(VgoKind::mesh, 2, Vector<float>{0, 0, 1, 0, 1, 1, 0, 1});
    const int indices = vgo.addIndices(Vector<std::uint32_t>{0, 2, 1, 0, 3, 2});
    vgo.set(
        "nodes",
        listOf({Properties{{"name", "Root"}, {"isRoot", true}, {"children", listOf({1})}},
                Properties{{"name", "Quad"}, {"meshRenderer", Properties{{"name", "Quad"}, {"mesh", 0}, {"materials", listOf({0})}}}}}));
    vgo.set("meshes", listOf({Properties{{"name", "Quad"},
                                         {"attributes", Properties{{"POSITION", positions}, {"NORMAL", normals}, {"TEXCOORD_0", uvs}}},
                                         {"subMeshes", listOf({indices})}}}));
    vgo.set("materials", listOf({Properties{{"name", "Paint"},
                                            {"shaderName", "Standard"},
                                            {"renderQueue", 2000},
                                            {"floatProperties", Properties{{"_Metallic", 0.25}, {"_Glossiness", 0.5}}},
                                            {"colorProperties", Properties{{"_Color", listOf({0.5, 0.25, 0.125, 1})}}}}}));
    return vgo;
}

const Finding* ReadVgo::finding(Code code) const {
    for (const Finding& entry : diagnostics.findings())
        if (entry.code == code) return &entry;
    return nullptr;
}

std::unique_ptr<ReadVgo> readVgoBytes(Vector<std::uint8_t> bytes, Vector<Supplied> supplied, std::string_view name) {
    auto read = std::make_unique<ReadVgo>();
    read->bytes = std::move(bytes);
    read->bytes.shrink_to_fit();
    read->supplied = std::move(supplied);
    const Input input{read->bytes, name, nullptr, read->supplied};
    read->complete = readVgo(input, read->document, read->diagnostics);
    return read;
}

}  // namespace rigcast::test
