#include "formats/unreal/unreal.hpp"

#include <array>

#include "core/text.hpp"
#include "formats/unreal/chunks.hpp"
#include "formats/unreal/outline.hpp"
#include "formats/unreal/psaKeys.hpp"
#include "formats/unreal/psaScene.hpp"
#include "formats/unreal/pskScene.hpp"

namespace rigcast {

namespace {

constexpr std::array<std::string_view, 2> pskExtensions = {"psk", "pskx"};
constexpr std::array<std::string_view, 1> psaExtensions = {"psa"};

Match sniffPsk(Bytes head, std::uint64_t) { return asText(head).starts_with("ACTRHEAD") ? Match::yes : Match::no; }
Match sniffPsa(Bytes head, std::uint64_t) { return asText(head).starts_with("ANIMHEAD") ? Match::yes : Match::no; }

Role roleOfPsk(Pieces&) { return Role::model; }
Role roleOfPsa(Pieces&) { return Role::animation; }

}  // namespace

/// Class scripts (uc), texture lists of materials (mat, json) and properties of the mesh
/// (props.txt).
constexpr std::string_view pskCompanions[] = {"uc", "mat", "json", "txt"};
constexpr std::string_view psaCompanions[] = {"config", "txt"};

const Format pskFormat = {.id = "psk",
                          .family = "unreal",
                          .name = "PSK",
                          .label = "Unreal ActorX mesh",
                          .extensions = pskExtensions,
                          .sniff = sniffPsk,
                          .role = roleOfPsk,
                          .companions = pskCompanions,
                          .isRootAmbiguous = true};
const Format psaFormat = {.id = "psa",
                          .family = "unreal",
                          .name = "PSA",
                          .label = "Unreal ActorX animation",
                          .extensions = psaExtensions,
                          .sniff = sniffPsa,
                          .role = roleOfPsa,
                          .companions = psaCompanions,
                          .isRootAmbiguous = true};
const FormatReader pskReader = {unreal::readPskScene, unreal::outlinePsk, unreal::loadIndex};
const FormatReader psaReader = {unreal::readPsaScene, unreal::outlinePsa, unreal::loadIndex, unreal::decodeKeys, true};

}  // namespace rigcast
