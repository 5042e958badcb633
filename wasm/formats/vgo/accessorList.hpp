// Reads the accessor list and checks that the data of each accessor exists (vgo.md section 3).
#pragma once

#include "formats/vgo/document.hpp"

namespace rigcast {

/// Sets `document.accessors` from the accessor list. Replaces impossible numbers with -1.
void readVgoAccessorList(const Vector<Value>& list, VgoDocument& document, Diagnostics& diagnostics);

/// Marks each accessor as usable if its data is inside `document.resource` and its type and count
/// are valid. Reports all other accessors.
void checkVgoAccessors(VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
