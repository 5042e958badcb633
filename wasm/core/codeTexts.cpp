#include "core/codeTexts.hpp"

#include <array>

namespace rigcast {

namespace {

constexpr auto texts = std::to_array<CodeText>({
#define RIGCAST_CODE(name, severity, ids, sentence, advice) {ids, sentence, advice},
#include "core/codes.def"
#undef RIGCAST_CODE
});

}  // namespace

std::span<const CodeText> codeTexts() { return texts; }

}  // namespace rigcast
