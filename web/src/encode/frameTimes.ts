// Calculates which frames a video consists of.

/** Pose and camera of a frame. */
export interface FrameTime {
  /** Time of the animation in seconds; null if the animation does not play. */
  time: number | null;
  /** Rotation of the camera around its target since the first frame, in radians. */
  turn: number;
}

/** The part of an animation that a video plays. */
export interface PlayedPart {
  /** Start and end of the part in seconds. */
  from: number;
  to: number;
  /** Playback speed as a factor. A negative speed plays backwards. */
  speed: number;
}

/** Tolerance for rounding errors when frames are counted, as a fraction of a frame. */
const TOLERANCE = 1e-3;

/** Number of steps of `1 / frameRate` seconds that fit into the part. */
const stepsIn = ({ from, to, speed }: PlayedPart, frameRate: number): number =>
  Math.floor(((to - from) * frameRate) / Math.abs(speed) + TOLERANCE);

const timeAt = ({ from, to, speed }: PlayedPart, seconds: number): number => (speed < 0 ? to : from) + seconds * speed;

/**
 * Returns the frames that show a part of an animation once. The first frame shows its start. An end
 * that is a whole number of frames later is included: an animation with 49 keys has 49 frames.
 */
export function animationFrames(part: PlayedPart, frameRate: number): FrameTime[] {
  return Array.from({ length: stepsIn(part, frameRate) + 1 }, (_, i) => ({ time: timeAt(part, i / frameRate), turn: 0 }));
}

/**
 * Returns the frames of one turn of the camera around its target. The last frame is one step before
 * the first, so that the video can loop. `part`: part of an animation that loops during the turn;
 * null for content without animation.
 */
export function turntableFrames(seconds: number, frameRate: number, part: PlayedPart | null): FrameTime[] {
  const count = Math.max(Math.round(seconds * frameRate), 1);
  const loop = part && (part.to - part.from) / Math.abs(part.speed);
  return Array.from({ length: count }, (_, i) => ({
    time: part && timeAt(part, loop ? (i / frameRate) % loop : 0),
    turn: (i / count) * 2 * Math.PI,
  }));
}

/**
 * Returns the duration of the shortest turn, in seconds, that takes at least `seconds` and in which
 * the part of an animation plays a whole number of times. The video can then loop.
 */
export function turnSeconds(seconds: number, part: PlayedPart | null): number {
  const loop = part ? (part.to - part.from) / Math.abs(part.speed) : 0;
  return loop > 0 ? Math.ceil(seconds / loop - TOLERANCE) * loop : seconds;
}
