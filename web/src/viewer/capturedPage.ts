// Captures the state of a page and restores this state on another page. A change of language
// recreates the page, because its elements keep the texts that they were created with. So does a
// change of the renderer, because a canvas keeps its kind of context.
import type { Vector3 } from 'three';
import type { Refusal } from '../session/problem.ts';
import type { Session } from '../session/session.ts';
import { reduce } from '../session/reduce.ts';
import type { Range } from '../view/index.ts';
import type { PanelId } from './page.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

/**
 * Session, undo history and view of a page. The values of the morph target sliders are not
 * included.
 */
export interface CapturedPage {
  session: Session;
  history: readonly Session[];
  addresses: readonly string[];
  tab: PanelId;
  isWelcome: boolean;
  refusal: Refusal | null;
  time: number;
  isPlaying: boolean;
  range: Range | null;
  /** Camera placement; null if the visitor has not moved the camera. */
  camera: { position: Vector3; target: Vector3 } | null;
}

/** Captures the state of a page. Call this before the page is disposed. */
export function capturePage({ session, history, addresses, tab, isWelcome, refusal, playback, view: { cameraRig } }: State): CapturedPage {
  return {
    session: session.value,
    history: history.value,
    addresses: addresses.value,
    tab: tab.value,
    isWelcome: isWelcome.value,
    refusal: refusal.value,
    time: playback.time,
    isPlaying: playback.playing,
    range: playback.range,
    camera: cameraRig.isUntouched ? null : { position: cameraRig.camera.position.clone(), target: cameraRig.controls.target.clone() },
  };
}

/**
 * Restores the captured state on a new page, using undo to reopen the session. Resolves when the
 * model is shown. `command`: the command that recreated the page.
 */
export async function restorePage(page: State & { undo(): void }, left: CapturedPage, command: 'language' | 'webgpu'): Promise<void> {
  const { session, history, addresses, tab, isWelcome, refusal, time, isPlaying, range, camera } = left;
  page.isWelcome.value = isWelcome;
  focusControl(page.root, command);
  // Apply the view settings first, while no file is open.
  page.session.value = reduce(session, { type: 'close' });
  page.history.value = [...history, session];
  page.addresses.value = addresses;
  page.undo();
  await page.idle;
  page.tab.value = tab;
  page.refusal.value = refusal;
  const { isWebGPU } = page.viewport.sharedRenderer;
  page.announce(command === 'language' ? words.languageChanged : isWebGPU ? words.webgpuOn : words.webgpuOff);
  if (!page.shownModel.value) return;
  page.playback.range = range;
  page.playback.seek(time);
  if (!isPlaying) page.playback.pause();
  if (camera) restoreCamera(page, camera);
}

/** Focuses the control of a command. If it is hidden, focuses the button of the menu. */
function focusControl(root: HTMLElement, command: string): void {
  const buttons = [
    ...root.querySelectorAll<HTMLElement>(`button[data-command="${command}"], [data-command="${command}"] input, .menu-button`),
  ];
  buttons.find(button => button.checkVisibility())?.focus();
}

function restoreCamera({ view: { cameraRig } }: State, { position, target }: NonNullable<CapturedPage['camera']>): void {
  // Let the camera catch up with the followed node first, so that it does not move afterwards.
  cameraRig.update(0);
  cameraRig.camera.position.copy(position);
  cameraRig.controls.target.copy(target);
  cameraRig.orbitBy(0, 0);
}
