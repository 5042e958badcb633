// Detects whether the device can show content with WebXR (immersive.ts).

/** Virtual reality in a headset, or augmented reality over a camera picture. */
export type ImmersiveMode = 'vr' | 'ar';

/** Returns true if the device can show content in this mode and the page is allowed to do so. */
export async function supportsImmersive(mode: ImmersiveMode): Promise<boolean> {
  try {
    return (await navigator.xr?.isSessionSupported(`immersive-${mode}`)) ?? false;
  } catch {
    return false; // a policy of the page forbids WebXR
  }
}
