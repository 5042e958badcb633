// A page takes up what another one had open: in another language the page is made anew, as its parts keep the words that they were made with.
import type { Vector3 } from 'three';
import type { Refusal } from '../session/problem.ts';
import type { Session } from '../session/session.ts';
import { reduce } from '../session/reduce.ts';
import type { Range } from '../view/index.ts';
import type { PanelId } from './page.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

/** What is open, what was before, and how it is looked at. Sliders of morph targets stay behind. */
export interface Left {
  session: Session;
  history: readonly Session[];
  addresses: readonly string[];
  tab: PanelId;
  isWelcome: boolean;
  trouble: Refusal | null;
  time: number;
  isPlaying: boolean;
  range: Range | null;
  /** Null: nobody has moved the eye. */
  eye: { position: Vector3; target: Vector3 } | null;
}

/** Before the page is disposed of. */
export function leftOf({ session, history, addresses, tab, isWelcome, trouble, playback, view: { cameraRig } }: State): Left {
  return {
    session: session.value,
    history: history.value,
    addresses: addresses.value,
    tab: tab.value,
    isWelcome: isWelcome.value,
    trouble: trouble.value,
    time: playback.time,
    isPlaying: playback.playing,
    range: playback.range,
    eye: cameraRig.isUntouched ? null : { position: cameraRig.camera.position.clone(), target: cameraRig.controls.target.clone() },
  };
}

/** The last step of the past is what was open: it comes back as any step does. Settles when it stands there. */
export async function takeUp(page: State & { undo(): void }, left: Left): Promise<void> {
  const { session, history, addresses, tab, isWelcome, trouble, time, isPlaying, range, eye } = left;
  page.isWelcome.value = isWelcome;
  focusWhereChosen(page.root);
  // Nothing is open yet, but the stage looks as it did.
  page.session.value = reduce(session, { type: 'close' });
  page.history.value = [...history, session];
  page.undo();
  await page.idle;
  page.addresses.value = addresses;
  page.tab.value = tab;
  page.trouble.value = trouble;
  page.announce(words.isSpoken);
  if (!page.actor.value) return;
  page.playback.range = range;
  page.playback.seek(time);
  if (!isPlaying) page.playback.pause();
  if (eye) lookAgain(page, eye);
}

/** Where there is no room for the button, the help lists it. */
function focusWhereChosen(root: HTMLElement): void {
  const buttons = [...root.querySelectorAll<HTMLElement>('[data-command="language"], [data-command="help"]')];
  buttons.find(button => button.checkVisibility())?.focus();
}

function lookAgain({ view: { cameraRig } }: State, { position, target }: NonNullable<Left['eye']>): void {
  // What it follows has walked to its place: the eye need not go after it.
  cameraRig.update(0);
  cameraRig.camera.position.copy(position);
  cameraRig.controls.target.copy(target);
  cameraRig.orbitBy(0, 0);
}
