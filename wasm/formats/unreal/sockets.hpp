// Adds sockets, which are named attachment points of bones (psk-psa.md section 6.4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/diagnostics.hpp"
#include "core/math.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

/// A socket relative to its bone, in Unreal's left-handed axes and units.
struct Socket {
    std::string name;
    std::string bone;  // empty if the socket is attached to the mesh
    Vec3 location = {};
    Vec3 rotation = {};  // pitch, yaw, roll in degrees
    Vec3 scale{1, 1, 1};
    std::optional<std::uint64_t> offset = std::nullopt;  // file offset of its record; nullopt for sockets from text files
    // Number of invalid values, which are replaced by their defaults.
    std::uint32_t damaged = 0;

    /// Sets `number` to `value` * `unit`. Counts invalid values.
    void set(double& number, std::optional<double> value, double unit = 1) {
        if (value && *value > -most && *value < most)
            number = *value * unit;
        else
            ++damaged;
    }
    static constexpr double most = 1e28;  // remains finite as a float when multiplied by any unitScale
};

/// Adds a node and a feature "socket" for each socket, below its bone or, if the bone is missing,
/// below the root. Bones are nodes 1 to `bones`. `path`: path for findings. Returns false if the
/// budget is exceeded.
bool addSockets(std::span<const Socket> sockets, std::size_t bones, std::string_view path, const Options& options, Scene& scene,
                Diagnostics& diagnostics);

/// Converts an Unreal rotator (pitch, yaw, roll in degrees, left-handed) to a quaternion in file
/// space.
Quat rotatorToFile(const Vec3& degrees);

}  // namespace rigcast::unreal
