// Converts entries of the accessor list to accessors and checks that their data exists (vgo.md
// section 3).
#pragma once

#include "formats/vgo/document.hpp"

namespace rigcast {

/// Fills `document.accessors` with the numbers of `list`. Numbers that are impossible for any file
/// become -1.
void keepVgoAccessors(const Vector<Value>& list, VgoDocument& document, Diagnostics& diagnostics);

/// Marks accessors as usable if their data is inside `document.resource` and has a valid type and
/// count. Reports all others.
void proveVgoAccessors(VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
