// The 27 joints of a hand in file order, with their WebXR names (mrtk-input-animation.md section
// 3.7).
#pragma once

#include <array>
#include <string_view>

namespace rigcast {

inline constexpr int jointCount = 27;

struct JointInfo {
    std::string_view mrtk;   // name in the toolkit; used in curve names
    std::string_view webxr;  // WebXR name; empty for the joint None, which is never drawn
    int along;               // index of the joint in the direction of +Z; -1 for tips and None
    // Index of the previous joint of the finger, or -1 for the first joint. Used to draw bones and
    // to orient tips.
    int parent;
};

inline constexpr std::array<JointInfo, jointCount> joints = {{
    {"None", "", -1, -1},
    {"Wrist", "wrist", 12, -1},
    {"Palm", "palm", 13, -1},
    {"ThumbMetacarpalJoint", "thumb-metacarpal", 4, 1},
    {"ThumbProximalJoint", "thumb-phalanx-proximal", 5, 3},
    {"ThumbDistalJoint", "thumb-phalanx-distal", 6, 4},
    {"ThumbTip", "thumb-tip", -1, 5},
    {"IndexMetacarpal", "index-finger-metacarpal", 8, 1},
    {"IndexKnuckle", "index-finger-phalanx-proximal", 9, 7},
    {"IndexMiddleJoint", "index-finger-phalanx-intermediate", 10, 8},
    {"IndexDistalJoint", "index-finger-phalanx-distal", 11, 9},
    {"IndexTip", "index-finger-tip", -1, 10},
    {"MiddleMetacarpal", "middle-finger-metacarpal", 13, 1},
    {"MiddleKnuckle", "middle-finger-phalanx-proximal", 14, 12},
    {"MiddleMiddleJoint", "middle-finger-phalanx-intermediate", 15, 13},
    {"MiddleDistalJoint", "middle-finger-phalanx-distal", 16, 14},
    {"MiddleTip", "middle-finger-tip", -1, 15},
    {"RingMetacarpal", "ring-finger-metacarpal", 18, 1},
    {"RingKnuckle", "ring-finger-phalanx-proximal", 19, 17},
    {"RingMiddleJoint", "ring-finger-phalanx-intermediate", 20, 18},
    {"RingDistalJoint", "ring-finger-phalanx-distal", 21, 19},
    {"RingTip", "ring-finger-tip", -1, 20},
    {"PinkyMetacarpal", "pinky-finger-metacarpal", 23, 1},
    {"PinkyKnuckle", "pinky-finger-phalanx-proximal", 24, 22},
    {"PinkyMiddleJoint", "pinky-finger-phalanx-intermediate", 25, 23},
    {"PinkyDistalJoint", "pinky-finger-phalanx-distal", 26, 24},
    {"PinkyTip", "pinky-finger-tip", -1, 25},
}};

}  // namespace rigcast
