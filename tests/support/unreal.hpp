// Generates Unreal files for tests, fixtures and benchmarks.
#pragma once

#include <cstdint>

#include "support/writers/unreal.hpp"

namespace rigcast::test {

/// Returns a small arm along +X, 1.2 m long. It is a tube of 4 rings with 4 points each, with the
/// bones Root, Upper and Lower at 0, 40 and 80 units, the materials Tube and Cap (two-sided),
/// smoothing groups, and every optional chunk: normals, colours, three extra UV sets, two morph
/// targets and two sockets.
unreal::PskDocument armDocument();

/// Returns the arm with only the seven chunks that a PSK requires.
unreal::PskDocument plainArmDocument();

/// Returns three animations of the arm: "Bend" (5 frames, with the curves Bulge and ShiftY), "Walk
/// Fwd" (group Loco, 3 frames at 24.4 frames per second, with scale keys) and "Pose" (1 frame).
unreal::PsaDocument armAnimations();

/// Returns a grid of `side` * `side` points that is skinned to a row of `bones` bones.
unreal::PskDocument gridDocument(std::uint32_t side, std::uint32_t bones);

/// Returns `sequences` sequences of `frames` frames that animate `bones` bones.
unreal::PsaDocument manyAnimations(std::uint32_t sequences, std::uint32_t bones, std::uint32_t frames);

}  // namespace rigcast::test
