// Control of embed.html by the page that contains its frame: commands and events as messages of
// window.postMessage. The protocol is documented in docs/embed.md.
import type { RigcastViewerElement } from '../element/index.ts';

/** Maximum length of the name of an animation in a command. */
const MAX_LENGTH = 4096;

/** A command of the surrounding page. */
export type Command =
  | { rigcast: 'connect' | 'play' | 'pause' }
  /** `time`: in seconds. */
  | { rigcast: 'seek'; time: number }
  /** `animation`: a value of the attribute `animation`. */
  | { rigcast: 'animation'; animation: string };

/**
 * Parses the data of a message. Returns null if it is not addressed to this page, and a text that
 * explains the mistake if the command is invalid.
 */
export function commandOf(data: unknown): Command | string | null {
  if (typeof data !== 'object' || data === null || !('rigcast' in data)) return null;
  const { rigcast, time, animation } = data as { rigcast: unknown; time?: unknown; animation?: unknown };
  switch (rigcast) {
    case 'connect':
    case 'play':
    case 'pause':
      return { rigcast };
    case 'seek':
      return typeof time === 'number' && Number.isFinite(time) ? { rigcast, time } : 'seek: “time” must be a number of seconds.';
    case 'animation':
      return typeof animation === 'string' && animation.length <= MAX_LENGTH
        ? { rigcast, animation }
        : `animation: “animation” must be a text of at most ${MAX_LENGTH} characters.`;
    default:
      return 'Unknown command. Commands: connect, play, pause, seek, animation.';
  }
}

/**
 * True if a page of `origin` may control the page. `own`: origin of the page itself. `allowed`:
 * origins that the page declares; `*` allows every origin. Sandboxed pages have the origin `null`,
 * which only `*` allows.
 */
export const isAllowed = (origin: string, own: string, allowed: readonly string[]): boolean =>
  origin === own || allowed.includes('*') || (origin !== 'null' && allowed.includes(origin));

/** Events of the element that are sent with the state of playback, after `ready`. */
const EVENTS = ['play', 'pause', 'ended', 'timeupdate', 'animationchange'] as const;

/**
 * Lets the surrounding page control the element. Only messages of the window that contains the
 * frame are accepted, and only from allowed origins. Nothing is sent before such a message, because
 * other pages must not learn what a visitor can see. Does nothing in a page that is not in a frame.
 */
export function acceptMessages(element: RigcastViewerElement, allowed: readonly string[]): void {
  const { parent } = window;
  if (parent === window) return;
  let send: ((event: string, details?: object) => void) | null = null;
  let isReady = false;
  element.ready.then(
    () => (isReady = true),
    () => {},
  );

  const state = (): object => ({
    paused: element.paused,
    ended: element.ended,
    time: element.time,
    duration: element.duration,
    animation: [...element.currentAnimations],
  });
  /** Sends `ready` when the model is loaded, or the error if loading has failed already. */
  function sendReady(): void {
    const hasFailed = element.matches(':state(error)'); // a later failure fires the event `error`
    element.ready.then(
      () => send?.('ready', { ...state(), animations: element.animations.map(({ name, duration }) => ({ name, duration })) }),
      (error: unknown) => hasFailed && send?.('error', { message: error instanceof Error ? error.message : String(error) }),
    );
  }

  addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || !isAllowed(origin, location.origin, allowed)) return;
    const command = commandOf(data);
    if (command === null) return;
    const isFirst = send === null;
    // A sandboxed page has no origin that could be a target. `parent` is the window that has sent
    // the command.
    send = (event, details) => parent.postMessage({ rigcast: event, ...details }, origin === 'null' ? '*' : origin);
    if (isFirst || (typeof command === 'object' && command.rigcast === 'connect')) sendReady();
    if (typeof command === 'string') send('error', { message: command });
    else run(element, command);
  });
  for (const event of EVENTS) element.addEventListener(event, () => isReady && send?.(event, state()));
  element.addEventListener('animationevent', ({ detail }) => send?.('animationevent', { ...detail }));
  element.addEventListener('error', ({ detail }) => send?.('error', { message: detail.message }));
}

function run(element: RigcastViewerElement, command: Command): void {
  if (command.rigcast === 'play') void element.play().catch(() => {}); // the event `error` reports it
  if (command.rigcast === 'pause') element.pause();
  if (command.rigcast === 'seek') element.seek(command.time);
  if (command.rigcast === 'animation') element.setAttribute('animation', command.animation);
}
