// Animations in the layout of a VGO file: clips that move a node along one axis, and the components
// that play them.

/**
 * Returns a clip that moves a node by `duration` metres along an axis in `duration` seconds.
 * `wrapMode`: 1 plays once, 2 loops, 4 is ping-pong.
 */
export const vgoClip = (name: string, axis: 'x' | 'y' | 'z', duration: number, wrapMode: number): object => ({
  name,
  wrapMode,
  curveBindings: [
    {
      type: 'Transform',
      propertyName: `LocalPosition.${axis}`,
      animationCurve: {
        keys: [
          { time: 0, value: 0, outTangent: 1 },
          { time: duration, value: duration, inTangent: 1 },
        ],
      },
    },
  ],
});

/** Returns the animation component of a node, which plays a clip automatically by default. */
export const vgoAnimation = (clipIndex: number, more: object = {}): object => ({ name: 'a', clipIndex, playAutomatically: true, ...more });
