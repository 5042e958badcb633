// Detects WebGL without a graphics card.

/** Names of the software rasterisers of Chromium, Mesa, Windows and macOS. */
const RASTERISERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns true if the processor executes the commands of a WebGL context. */
export function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const name = String(gl.getParameter(gl.RENDERER));
  // Chromium and Safari report the name by an extension, which Firefox warns about.
  const extension = name === 'WebKit WebGL' ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  return RASTERISERS.test(extension ? String(gl.getParameter(extension.UNMASKED_RENDERER_WEBGL)) : name);
}
