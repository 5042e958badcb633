// Printed by `npm run print` from wasm/scene/scene.def.
export const trackPaths = ['translation', 'rotation', 'scale', 'weight', 'visible', 'property', 'shown', 'material', 'expression', 'look'] as const;
export const interpolations = ['step', 'linear', 'slerp', 'hermite', 'bezier', 'perKey'] as const;
export const trackModes = ['absolute', 'relative', 'additive', 'delta'] as const;
export const extrapolations = ['hold', 'loop', 'pingPong'] as const;
export const scaleInheritances = ['matrix', 'axes'] as const;

/** Enums that travel as text: every word of each, by the name of the member. */
export const words: Record<string, readonly string[]> = {
  topology: ['triangles', 'strands'],
  skinning: ['linear', 'dualQuaternion'],
  alphaMode: ['opaque', 'mask', 'blend', 'add', 'multiply'],
  side: ['front', 'back', 'both'],
  wrapU: ['repeat', 'clamp', 'mirror'],
  wrapV: ['repeat', 'clamp', 'mirror'],
  filter: ['nearest', 'linear', 'trilinear'],
  mode: ['absolute', 'relative', 'additive', 'delta'],
  type: ['directional', 'point', 'spot', 'rectangle', 'disc'],
  scaleInheritance: ['matrix', 'axes'],
};

/** Columns of the table of tracks. Those of keys are byte offsets in the clip's block. */
export const trackColumns = {
  targets: 'u32',
  properties: 'u32',
  occurrences: 'u32',
  nodes: 'u32',
  keyCounts: 'u32',
  times: 'u32',
  values: 'u32',
  kinds: 'u32',
  tangents: 'u32',
  weights: 'u32',
  blendWeights: 'f32',
  paths: 'u8',
  components: 'u8',
  interpolations: 'u8',
  modes: 'u8',
  befores: 'u8',
  afters: 'u8',
} as const;
