// Contents of UEFormat files of version 10, as JSON, read by the public C++ library. FOLDER is
// core/lib in the repository h4lfheart/UEFormat:
//   g++-13 -std=c++23 -IFOLDER tests/support/ueformatReference.cpp $(find FOLDER -name '*.cpp') -lz -lzstd -o ueformatReference
//   UEFORMAT_CPP=$PWD/ueformatReference npx vitest run --project node tests/web/convert/ueformatReference.test.ts
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "ueformat/generic/context.h"

using namespace UEFormat;

namespace {

std::string out;

void write(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    out += text;
}
void write(i32 value) { out += std::to_string(value); }
void write(u16 value) { out += std::to_string(value); }
void write(u32 value) { out += std::to_string(value); }
void write(const FString& text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    out += '"';
}
void write(const FVector& v);
void write(const FQuat& q);
void write(const FMeshUVFloat& uv);

template <typename... Values>
void tuple(const Values&... values) {
    out += '[';
    ((write(values), out += ','), ...);
    out.back() = ']';
}
template <typename T, typename Write>
void list(const std::vector<T>& values, Write each) {
    out += '[';
    for (const T& value : values) {
        each(value);
        out += ',';
    }
    if (values.empty())
        out += ']';
    else
        out.back() = ']';
}
void member(const char* name) {
    if (out.back() != '{') out += ',';
    out += '"';
    out += name;
    out += "\":";
}

void write(const FVector& v) { tuple(v.X, v.Y, v.Z); }
void write(const FQuat& q) { tuple(q.X, q.Y, q.Z, q.W); }
void write(const FMeshUVFloat& uv) { tuple(uv.U, uv.V); }

const auto writeAny = [](const auto& value) { write(value); };

template <typename Key>
void keys(const std::vector<Key>& values) {
    list(values, [](const Key& key) {
        out += '{';
        member("frame");
        write(key.Frame);
        member("value");
        write(key.Value);
        out += '}';
    });
}

/// Writes `[name, ` and the result of `rest`, and `]`.
template <typename Rest>
void named(const FString& name, Rest rest) {
    out += '[';
    write(name);
    out += ',';
    rest();
    out += ']';
}

void write(const UEModelLOD& lod) {
    out += '{';
    member("positions");
    list(lod.Vertices, writeAny);
    member("normals");
    list(lod.Normals, [](const FNormal& each) { write(each.Normal); });
    member("uvs");
    list(lod.TextureCoordinates, [](const FTexCoordEntry& set) { list(set.UVs, writeAny); });
    member("indices");
    list(lod.Indices, writeAny);
    member("materials");
    list(lod.Materials, [](const FMaterial& each) { tuple(each.MaterialName, each.FirstIndex, each.NumFaces); });
    member("weights");
    list(lod.Weights, [](const FWeight& each) { tuple(each.Bone, each.VertexIndex, each.Weight); });
    member("morphs");
    list(lod.MorphTargets, [](const FMorphTarget& morph) {
        named(morph.MorphName,
              [&] { list(morph.MorphData, [](const FMorphData& delta) { tuple(delta.VertexIndex, delta.PositionDelta); }); });
    });
    out += '}';
}

void write(const UEModel& model) {
    member("bones");
    const std::vector<FBone> none;
    list(model.Skeleton ? model.Skeleton->Bones : none,
         [](const FBone& bone) { tuple(bone.BoneName, bone.ParentIndex, bone.Position, bone.Orientation); });
    member("lods");
    list(model.LODs, [](const UEModelLOD& lod) { write(lod); });
}

void write(const UEAnim& anim) {
    member("frames");
    write(anim.Metadata.NumFrames);
    member("rate");
    write(anim.Metadata.FramesPerSecond);
    member("tracks");
    list(anim.Tracks, [](const FTrack& track) {
        named(track.BoneName, [&] {
            keys(track.PositionKeys);
            out += ',';
            keys(track.RotationKeys);
            out += ',';
            keys(track.ScaleKeys);
        });
    });
    member("curves");
    list(anim.Curves, [](const FCurve& curve) { named(curve.CurveName, [&] { keys(curve.Keys); }); });
}

void write(const UEPose&) {}

}  // namespace

int main(int count, char** paths) {
    out += '[';
    for (int i = 1; i < count; ++i) {
        std::ifstream file(paths[i], std::ios::binary);
        const std::vector<u8> bytes{std::istreambuf_iterator<char>(file), {}};
        Context context;
        out += '{';
        std::visit([](const auto& object) { write(object); }, context.Load(bytes).Object);
        out += "},";
    }
    out.back() = ']';
    std::fputs(out.c_str(), stdout);
}
