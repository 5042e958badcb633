// Parses the #exec lines of a class script (.uc). Class scripts are part of UE1 games, and UE
// Viewer writes one beside each mesh (psk-psa.md section 5).
#pragma once

#include <cstdint>
#include <string>

#include "core/bytes.hpp"
#include "core/math.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/sockets.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

struct Script {
    struct Skin {
        std::uint32_t material = 0;
        std::string texture;
    };
    struct Import {
        std::string texture;
        std::string file;
        std::uint32_t flags = 0;
    };

    bool namesMesh = false;
    Vec3 origin;               // in Unreal's axes and units; becomes the model's origin
    Vec3 rotation;             // pitch, yaw, roll in degrees
    Vec3 scale{1, 1, 1};       // in Unreal's axes
    Vector<Skin> skins;        // from MESHMAP SETTEXTURE
    Vector<Import> files;      // from TEXTURE IMPORT
    std::string animationSet;  // name of the animation set, from MESH DEFAULTANIM
    Vector<Socket> sockets;    // from MESH ATTACHNAME
};

/// Parses the commands about a mesh. Ignores case. The result is empty if the script does not
/// mention the mesh.
Script parseScript(Bytes text, std::string_view mesh);

/// Applies rotation, translation and scale of the script to node 0, unless options set a rotation.
/// Returns a list of the changes for the report.
std::string applyScriptTransform(const Script& script, const Options& options, Scene& scene);

/// Assigns the script's textures to materials, with the alpha mask or additive blending that the
/// script sets when it imports them. Returns the number of changed materials.
std::size_t applyScriptTextures(const Script& script, Scene& scene);

}  // namespace rigcast::unreal
