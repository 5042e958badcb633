// The AR button, which opens the model in Quick Look (iOS) or Scene Viewer (Android). Imported when
// the attribute `ar` is set. Uses only the public API of the element.
import { adopt, sheetOf } from './style.ts';
import type { ControllableElement } from './toolbar.ts';
import { en, type Labels } from './words/index.ts';

const CSS = `
[part='ar-button'] {
  position: absolute; inset: 8px 8px auto auto; display: flex; align-items: center; gap: 6px; padding: 6px 12px 6px 9px; border: 0; border-radius: 999px; font: inherit; cursor: pointer;
  background: var(--rigcast-toolbar-background, color-mix(in srgb, Canvas 86%, transparent)); color: var(--rigcast-toolbar-color, CanvasText); backdrop-filter: blur(6px);
}
[part='ar-button']:focus-visible { outline: 2px solid var(--_accent); }
[part='ar-button']:disabled { opacity: 0.6; cursor: default; }
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
  #words = { ar: en.ar, arFailed: en.arFailed };

  constructor(element: ControllableElement, root: ShadowRoot, words: Partial<Labels>) {
    adopt(root, (sheet ??= sheetOf(CSS)));
    this.#element = element;
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
    this.words = words;
    root.append(this.#button);
    this.update();
  }

  /** Sets the texts. Missing texts are English. */
  set words({ ar = en.ar, arFailed = en.arFailed }: Partial<Labels>) {
    this.#words = { ar, arFailed };
    this.#text.textContent = ar;
  }

  /** Hides the button if the device cannot show the current model. Call it when the model changes. */
  update(): void {
    this.#button.hidden = !hasQuickLook() && sceneViewerUrl(this.#element) === null;
  }

  dispose(): void {
    this.#button.remove();
  }

  async #open(): Promise<void> {
    const url = sceneViewerUrl(this.#element);
    if (!hasQuickLook()) {
      if (url !== null) link(url).click();
      return;
    }
    this.#button.disabled = true;
    try {
      const { blob } = await this.#element.exportUsdz();
      const anchor = link(URL.createObjectURL(blob));
      anchor.rel = 'ar';
      anchor.append(document.createElement('img')); // required by Quick Look
      anchor.click();
      this.#text.textContent = this.#words.ar;
      setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
    } catch (error) {
      console.error(error, this.#element);
      this.#text.textContent = this.#words.arFailed;
    }
    this.#button.disabled = false;
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
