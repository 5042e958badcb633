// The AR button, which shows the model in the visitor's surroundings: with WebXR, or in Scene Viewer
// (Android) or Quick Look (iOS). Imported when the attribute `ar` is set.
import type { Immersive, ImmersiveOptions } from '../view/immersive.ts';
import { supportsImmersive } from '../view/immersiveSupport.ts';
import { adopt, sheetOf } from './style.ts';
import { AR_MODES, type ArMode } from './syntax.ts';
import type { ArStatus } from './types.ts';
import type { ControllableElement } from './toolbar.ts';
import { en, type Labels } from './words/index.ts';

/** Starts AR with WebXR. WebGPU can't draw it. */
export type StartAr = (options: Pick<ImmersiveOptions, 'overlay' | 'onPlaced' | 'onEnd'>) => Promise<Immersive>;

const CSS = `
[part='ar-button'] {
  position: absolute; inset: 8px 8px auto auto; display: flex; align-items: center; gap: 6px; padding: 6px 12px 6px 9px; border: 0; border-radius: 999px; font: inherit; cursor: pointer;
  background: var(--rigcast-toolbar-background, color-mix(in srgb, Canvas 86%, transparent)); color: var(--rigcast-toolbar-color, CanvasText); backdrop-filter: blur(6px);
}
[part='ar-button']:focus-visible { outline: 2px solid var(--_accent); }
[part='ar-button']:disabled { opacity: 0.6; cursor: default; }
[part='ar-overlay'] {
  position: absolute; inset: 0; display: flex; flex-direction: column; justify-content: end; align-items: center; gap: 12px; padding: 24px; touch-action: none;
}
[part='ar-overlay'] :is(p, button) { margin: 0; padding: 10px 16px; border: 0; border-radius: 12px; font: inherit; background: color-mix(in srgb, Canvas 86%, transparent); color: CanvasText; }
[part='ar-button'] svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linejoin: round; }
`;

const SVG = 'http://www.w3.org/2000/svg';
/** A cube. */
const ICON = 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12L4 7.500M12 12v9';

let sheet: CSSStyleSheet | undefined;

export class ArButton {
  readonly #element: ControllableElement;
  readonly #button = document.createElement('button');
  readonly #text = document.createElement('span');
  /** Covers the camera picture of a phone. */
  readonly #overlay = document.createElement('div');
  readonly #hint = document.createElement('p');
  readonly #leave = document.createElement('button');
  readonly #start: StartAr | null;
  readonly #onStatus: (status: ArStatus) => void;
  #words = { ar: en.ar, arHint: en.arHint, arLeave: en.arLeave, arFailed: en.arFailed };
  #mode: ArMode | null = null;
  #session: Immersive | null = null;

  constructor(
    element: ControllableElement,
    root: ShadowRoot,
    words: Partial<Labels>,
    start: StartAr | null,
    onStatus: (status: ArStatus) => void,
  ) {
    adopt(root, (sheet ??= sheetOf(CSS)));
    this.#element = element;
    this.#start = start;
    this.#onStatus = onStatus;
    const icon = document.createElementNS(SVG, 'svg');
    icon.setAttribute('viewBox', '0 0 24 24');
    icon.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', ICON);
    icon.append(path);
    const slot = document.createElement('slot');
    slot.name = 'ar-button';
    slot.append(icon, this.#text);
    this.#button.type = 'button';
    this.#button.setAttribute('part', 'ar-button');
    this.#button.append(slot);
    this.#button.addEventListener('click', () => void this.#open());
    this.#overlay.setAttribute('part', 'ar-overlay');
    this.#overlay.hidden = true;
    this.#leave.type = 'button';
    this.#leave.addEventListener('click', () => void this.#session?.end());
    // A tap on the button must not also place the model.
    this.#leave.addEventListener('beforexrselect', event => event.preventDefault());
    this.#overlay.append(this.#hint, this.#leave);
    this.words = words;
    this.#button.hidden = true;
    root.append(this.#button, this.#overlay);
  }

  /** Sets the texts. Missing texts are English. */
  set words({ ar = en.ar, arHint = en.arHint, arLeave = en.arLeave, arFailed = en.arFailed }: Partial<Labels>) {
    this.#words = { ar, arHint, arLeave, arFailed };
    this.#text.textContent = ar;
    this.#hint.textContent = arHint;
    this.#leave.textContent = arLeave;
  }

  /**
   * Hides the button if the device cannot show the current model. Call it when the model or an
   * attribute changes.
   */
  async update(): Promise<void> {
    this.#mode = await this.#supported();
    this.#button.hidden = this.#mode === null;
    // A session can start only soon after an input, so its code is loaded before.
    if (this.#mode === 'webxr') await import('../view/immersive.ts').catch(() => {});
  }

  dispose(): void {
    void this.#session?.end();
    this.#button.remove();
    this.#overlay.remove();
  }

  /** Returns the first mode of the element that the device supports; null if there is none. */
  async #supported(): Promise<ArMode | null> {
    const supports: Record<ArMode, () => boolean | Promise<boolean>> = {
      webxr: () => this.#start !== null && supportsImmersive('ar'),
      'scene-viewer': () => sceneViewerUrl(this.#element) !== null,
      'quick-look': hasQuickLook,
    };
    const wanted = this.#element.getAttribute('ar-modes')?.trim().split(/\s+/) ?? [...AR_MODES];
    for (const mode of wanted) if (Object.hasOwn(supports, mode) && (await supports[mode as ArMode]())) return mode as ArMode;
    return null;
  }

  async #open(): Promise<void> {
    this.#button.disabled = true;
    try {
      if (this.#mode === 'webxr') await this.#openWebXr();
      else if (this.#mode === 'scene-viewer') link(sceneViewerUrl(this.#element)!).click();
      else await this.#openQuickLook();
      this.#onStatus('session-started');
      this.#text.textContent = this.#words.ar;
    } catch (error) {
      console.error(error, this.#element);
      this.#text.textContent = this.#words.arFailed;
      this.#onStatus('failed');
    }
    this.#button.disabled = false;
  }

  async #openWebXr(): Promise<void> {
    this.#session = await this.#start!({
      overlay: this.#overlay,
      onPlaced: () => this.#onStatus('object-placed'),
      onEnd: () => {
        this.#session = null;
        this.#overlay.hidden = true;
        this.#onStatus('not-presenting');
      },
    });
    this.#overlay.hidden = false;
  }

  /** Returns the URL in `ios-src`; null if there is none. Other schemes could run scripts. */
  #usdzUrl(): string | null {
    const own = this.#element.getAttribute('ios-src') ?? '';
    if (own === '' || !URL.canParse(own, this.#element.baseURI)) return null;
    const { href, protocol } = new URL(own, this.#element.baseURI);
    return ['http:', 'https:', 'blob:'].includes(protocol) ? href : null;
  }

  async #openQuickLook(): Promise<void> {
    const url = this.#usdzUrl();
    const anchor = link(url ?? URL.createObjectURL((await this.#element.exportUsdz()).blob));
    anchor.rel = 'ar';
    anchor.append(document.createElement('img')); // required by Quick Look
    anchor.click();
    if (url === null) setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
  }
}

function link(href: string): HTMLAnchorElement {
  const anchor = document.createElement('a');
  anchor.href = href;
  return anchor;
}

const hasQuickLook = (): boolean => document.createElement('a').relList.supports?.('ar') ?? false;

/**
 * Returns the URL that opens the model in Scene Viewer; null if this is not an Android device, or if
 * `src` is not the HTTP address of a GLB. Scene Viewer fetches the file itself.
 */
function sceneViewerUrl(element: HTMLElement): string | null {
  const src = element.getAttribute('src') ?? '';
  if (!/android/i.test(navigator.userAgent) || !URL.canParse(src, element.baseURI)) return null;
  const url = new URL(src, element.baseURI);
  if (!/^https?:$/.test(url.protocol) || !/\.glb$/i.test(url.pathname)) return null;
  const parameters = new URLSearchParams({ file: url.href, mode: 'ar_preferred', title: element.getAttribute('alt') ?? '' });
  const fallback = encodeURIComponent(location.href);
  return `intent://arvr.google.com/scene-viewer/1.2?${String(parameters)}#Intent;scheme=https;package=com.google.android.googlequicksearchbox;action=android.intent.action.VIEW;S.browser_fallback_url=${fallback};end;`;
}
