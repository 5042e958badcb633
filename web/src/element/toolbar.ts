// The built-in toolbar, with controls for playback, animation, time, speed, camera reset and full
// screen. Uses only the public API of the element.
import { adopt, sheetOf } from './style.ts';
import { en, type Labels } from './words/index.ts';

const CSS = `
[part='toolbar'] {
  display: flex; align-items: center; gap: 2px; margin: 6px; padding: 3px; border-radius: 8px; pointer-events: auto; box-sizing: border-box; width: calc(100% - 12px); direction: ltr;
  background: var(--rigcast-toolbar-background, color-mix(in srgb, Canvas 86%, transparent)); color: var(--rigcast-toolbar-color, CanvasText);
  font: 12px/1.2 system-ui, sans-serif; backdrop-filter: blur(6px); container-type: inline-size;
}
[part='toolbar'] button, [part='toolbar'] select {
  appearance: none; flex: none; min-width: 30px; height: 30px; border: 0; border-radius: 6px; padding: 0 6px; background: no-repeat transparent; color: inherit; font: inherit; cursor: pointer;
}
[part='toolbar'] button { display: grid; place-items: center; padding: 0; }
[part='toolbar'] select {
  padding-right: 18px; background-image: linear-gradient(45deg, transparent 50%, currentColor 50%), linear-gradient(-45deg, transparent 50%, currentColor 50%);
  background-size: 4px 4px; background-position: right 10px center, right 6px center;
}
[part='toolbar'] option { background: Canvas; color: CanvasText; }
[part='toolbar'] button:disabled { opacity: 0.5; cursor: default; }
[part='toolbar'] :is(button, select):hover { background-color: color-mix(in srgb, currentColor 12%, transparent); }
[part='toolbar'] :is(button, select, input):focus-visible { outline: 2px solid var(--_accent); outline-offset: -2px; }
[part='animation-menu'] { flex: 0 1 auto !important; min-width: 40px !important; max-width: 38%; text-overflow: ellipsis; overflow: hidden; }
[part='time-slider'] { position: relative; flex: 1 1 40px; min-width: 30px; display: flex; }
[part='time-slider'] input { width: 100%; margin: 0 4px; height: 30px; accent-color: var(--_accent); background: none; cursor: pointer; }
[part='event-marker'] { position: absolute; top: 4px; width: 2px; height: 5px; margin-left: -1px; background: currentColor; opacity: 0.55; pointer-events: none; }
[part='time-display'] { font-variant-numeric: tabular-nums; padding: 0 4px; flex: none; opacity: 0.8; }
[part='toolbar'] svg { width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
[part='toolbar'] svg .solid { fill: currentColor; stroke: none; }
@media (forced-colors: active) { [part='event-marker'] { forced-color-adjust: none; background: CanvasText; } }
@container (max-width: 400px) { [part='time-display'] { display: none !important; } }
@container (max-width: 330px) { [part='speed-menu'], [part='download-button'] { display: none !important; } }
@container (max-width: 210px) { [part='animation-menu'], [part='reset-button'] { display: none !important; } }
`;

const ICONS = {
  play: 'M8 5.5v13a.8.8 0 0 0 1.2.7l10.3-6.5a.8.8 0 0 0 0-1.4L9.2 4.8A.8.8 0 0 0 8 5.5z',
  pause: 'M7 5h3.4v14H7zM13.6 5H17v14h-3.4z',
  reset: 'M4 12a8 8 0 1 0 2.6-5.9M4 4.500v4.500h4.500',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  small: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
} as const;

const SPEEDS = [0.25, 0.5, 1, 1.5, 2];
/** Maximum value of the time slider, which is the number of its steps. */
const STEPS = 1000;

let sheet: CSSStyleSheet | undefined;

/** The part of the element's public API that the toolbar uses. */
export interface ControllableElement extends HTMLElement {
  readonly animations: readonly { name: string; events: readonly { time: number; name: string }[] }[];
  readonly currentAnimations: readonly string[];
  readonly duration: number;
  readonly time: number;
  readonly paused: boolean;
  animation: string | null;
  speed: number;
  play(): Promise<void>;
  pause(): void;
  seek(seconds: number): void;
  resetView(): void;
  exportGlb(): Promise<{ name: string; blob: Blob }>;
  exportUsdz(): Promise<{ blob: Blob }>;
}

export class Toolbar {
  readonly #element: ControllableElement;
  readonly #bar = document.createElement('div');
  readonly #abort = new AbortController();
  readonly #menu = document.createElement('select');
  readonly #play: HTMLButtonElement;
  readonly #reset: HTMLButtonElement;
  readonly #slider = document.createElement('input');
  readonly #markers = document.createElement('span');
  readonly #clock = document.createElement('span');
  readonly #speed = document.createElement('select');
  readonly #download: HTMLButtonElement;
  readonly #fullscreen: HTMLButtonElement;
  readonly #sliderBox = document.createElement('span');
  #words: Labels = en;

  constructor(element: ControllableElement, root: ShadowRoot, container: HTMLElement, words: Partial<Labels>) {
    adopt(root, (sheet ??= sheetOf(CSS)));
    this.#element = element;
    this.#play = button('play-button', () => (element.paused ? void element.play() : element.pause()));
    this.#reset = button('reset-button', () => element.resetView());
    this.#download = button('download-button', () => void this.#save());
    this.#fullscreen = button('fullscreen-button', () => this.#toggleFullscreen());
    this.#fullscreen.hidden = !document.fullscreenEnabled;
    this.#menu.setAttribute('part', 'animation-menu');
    this.#menu.addEventListener('change', () => (element.animation = this.#menu.value));
    this.#speed.setAttribute('part', 'speed-menu');
    this.#speed.addEventListener('change', () => (element.speed = Number(this.#speed.value)));
    this.#slider.type = 'range';
    this.#slider.max = String(STEPS);
    this.#slider.step = 'any';
    this.#slider.addEventListener('input', () => element.seek((Number(this.#slider.value) / STEPS) * element.duration));
    this.#sliderBox.setAttribute('part', 'time-slider');
    this.#sliderBox.append(this.#slider, this.#markers);
    this.#clock.setAttribute('part', 'time-display');
    this.#bar.setAttribute('part', 'toolbar');
    this.#bar.setAttribute('role', 'group');
    this.#bar.append(this.#play, this.#menu, this.#sliderBox, this.#clock, this.#speed, this.#reset, this.#download, this.#fullscreen);
    const { signal } = this.#abort;
    for (const type of ['load', 'animationchange', 'ratechange', 'error'] as const)
      element.addEventListener(type, () => this.#updateMenus(), { signal });
    for (const type of ['play', 'pause', 'timeupdate', 'ended'] as const)
      element.addEventListener(type, () => this.#updatePlayback(), { signal });
    document.addEventListener('fullscreenchange', () => this.#updateFullscreen(), { signal });
    // The bar is the default content of the slot. A toolbar that the page provides replaces it.
    container.querySelector('slot')!.append(this.#bar);
    this.words = words;
    this.update();
  }

  /** Sets all texts. Missing ones are English. */
  set words(given: Partial<Labels>) {
    const words = (this.#words = { ...en, ...given });
    this.#bar.setAttribute('aria-label', words.toolbar);
    this.#slider.setAttribute('aria-label', words.time);
    setName(this.#menu, words.animation);
    setName(this.#speed, words.speed);
    setIcon(this.#reset, 'reset', words.reset);
    setIcon(this.#download, 'download', words.download);
    this.#updateFullscreen();
    this.#updateMenus();
  }

  /** Applies the attribute `download`. Call it when the attribute changes. */
  update(): void {
    this.#download.hidden = !this.#element.hasAttribute('download');
  }

  dispose(): void {
    // An explicit reason: the default one is an error, whose stack would keep the model in memory as
    // long as the element.
    this.#abort.abort(null);
    this.#bar.remove();
  }

  /** Updates the animation and speed menus and the event markers. */
  #updateMenus(): void {
    const { animations, currentAnimations, speed } = this.#element;
    const names = animations.map(({ name }) => name);
    const playing = currentAnimations.join(' + ');
    const choices = currentAnimations.length > 1 ? [JSON.stringify(currentAnimations), ...names] : names;
    this.#menu.replaceChildren(
      option('', this.#words.restPose),
      ...choices.map((value, i) => option(value, i === 0 && currentAnimations.length > 1 ? playing : value)),
    );
    this.#menu.value = currentAnimations.length > 1 ? JSON.stringify(currentAnimations) : playing;
    this.#menu.hidden = animations.length === 0;
    this.#speed.replaceChildren(...[...new Set([...SPEEDS, speed])].sort((a, b) => a - b).map(value => option(String(value), `${value}×`)));
    this.#speed.value = String(speed);
    const { duration } = this.#element;
    const events = animations.filter(({ name }) => currentAnimations.includes(name)).flatMap(animation => animation.events);
    this.#markers.replaceChildren(
      ...events.map(({ time, name }) => {
        const marker = document.createElement('span');
        marker.setAttribute('part', 'event-marker');
        marker.title = name;
        marker.style.left = `calc(12px + ${duration > 0 ? time / duration : 0} * (100% - 24px))`;
        return marker;
      }),
    );
    this.#updatePlayback();
  }

  #updatePlayback(): void {
    const { paused, time, duration, animations } = this.#element;
    const words = this.#words;
    setIcon(this.#play, paused ? 'play' : 'pause', paused ? words.play : words.pause);
    const canPlay = duration > 0 || (animations.length > 0 && this.#element.currentAnimations.length === 0);
    this.#play.hidden = animations.length === 0;
    this.#play.disabled = !canPlay;
    for (const each of [this.#sliderBox, this.#clock, this.#speed]) each.hidden = duration <= 0;
    this.#slider.value = String(duration > 0 ? (time / duration) * STEPS : 0);
    const [now, end] = [time.toFixed(1), duration.toFixed(1)];
    this.#slider.setAttribute('aria-valuetext', words.position.replace('{time}', now).replace('{duration}', end));
    this.#clock.textContent = `${now} / ${end} s`;
  }

  /** Saves the model. If this fails, the button gets a name that says so. */
  async #save(): Promise<void> {
    if (this.#download.disabled) return;
    this.#download.disabled = true;
    this.#download.ariaBusy = 'true';
    try {
      const { name, blob } = await this.#element.exportGlb();
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      setName(this.#download, this.#words.download);
    } catch (error) {
      console.error(error, this.#element);
      setName(this.#download, this.#words.downloadFailed);
    }
    this.#download.disabled = false;
    this.#download.ariaBusy = null;
  }

  #toggleFullscreen(): void {
    const change = document.fullscreenElement === this.#element ? document.exitFullscreen() : this.#element.requestFullscreen();
    change.catch(() => {}); // the page may forbid full screen
  }

  #updateFullscreen(): void {
    const isFull = document.fullscreenElement === this.#element;
    setIcon(this.#fullscreen, isFull ? 'small' : 'full', isFull ? this.#words.leaveFullscreen : this.#words.fullscreen);
  }
}

function button(part: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.setAttribute('part', part);
  made.addEventListener('click', act);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Sets icon and name of a button. */
function setIcon(made: HTMLButtonElement, icon: keyof typeof ICONS, name: string): void {
  if (made.title !== name) setName(made, name);
  if (made.dataset['icon'] === icon) return;
  made.dataset['icon'] = icon;
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[icon]);
  if (icon === 'play' || icon === 'pause') path.setAttribute('class', 'solid');
  svg.append(path);
  made.replaceChildren(svg);
}

/** Sets the name of a control, for screen readers and as tooltip. */
function setName(control: HTMLElement, name: string): void {
  control.setAttribute('aria-label', name);
  control.title = name;
}

/**
 * Creates an option of a menu. Inserts `text` as text, never as markup, because it may be a name
 * from a file.
 */
function option(value: string, text: string): HTMLOptionElement {
  const made = document.createElement('option');
  made.value = value;
  made.textContent = text;
  return made;
}
