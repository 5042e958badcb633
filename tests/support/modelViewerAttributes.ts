/** Attributes of <model-viewer> 4.4.0, from the decorators in `lib` of its package. */
export const MODEL_VIEWER_ATTRIBUTES = `
  a11y alt animation-crossfade-duration animation-name ar ar-modes ar-placement ar-scale
  ar-usdz-max-texture-size auto-rotate auto-rotate-delay autoplay camera-controls camera-orbit camera-target
  disable-pan disable-tap disable-zoom environment-image exposure field-of-view generate-schema
  interaction-prompt interaction-prompt-style interaction-prompt-threshold interpolation-decay ios-src loading
  max-camera-orbit max-field-of-view min-camera-orbit min-field-of-view orbit-sensitivity orientation
  pan-sensitivity poster reveal rotation-per-second scale shadow-intensity shadow-softness skybox-height
  skybox-image src tone-mapping touch-action variant-name with-credentials xr-environment zoom-sensitivity
`
  .trim()
  .split(/\s+/);
