// The .props.txt that UE Viewer writes beside a file: what the engine's object says (psk-psa.md sections 5 and 7.5).
#pragma once

#include "core/bytes.hpp"
#include "core/vector.hpp"
#include "formats/unreal/config.hpp"
#include "formats/unreal/sockets.hpp"

namespace rigcast::unreal {

struct Props {
    Vector<Socket> sockets;  // of a skeletal mesh
    Config config;           // of an animation set; it never removes single tracks
};

/// Reads sockets and rotation-only flags. Skips everything else without a finding: these files list dozens of properties of the engine.
Props parseProps(Bytes text);

}  // namespace rigcast::unreal
