// The .props.txt of UE Viewer beside a file: properties of the engine's object (psk-psa.md sections
// 5 and 7.5).
#pragma once

#include "core/bytes.hpp"
#include "core/vector.hpp"
#include "formats/unreal/config.hpp"
#include "formats/unreal/sockets.hpp"

namespace rigcast::unreal {

struct Props {
    Vector<Socket> sockets;  // of a skeletal mesh
    Config config;           // of an animation set; never contains removed tracks
};

/// Reads sockets and rotation-only flags. Ignores everything else without a finding, because these
/// files list dozens of engine properties.
Props parseProps(Bytes text);

}  // namespace rigcast::unreal
