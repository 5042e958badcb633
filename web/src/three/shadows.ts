// Comes before lights that cast shadows. three has what draws them in its renderer; the site and the bundle of the element have it here (.ci/three.mjs), since few files
// have such lights.
export {};
