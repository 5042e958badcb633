// Shows secondary models from the library, attached to bones or beside the shown model. The modules
// that do this are loaded when needed.
import type { Object3D } from 'three';
import type { LibraryEntry } from '../session/library.ts';
import { type Model, displayName } from '../session/model.ts';
import type { OpeningContext } from '../session/openResult.ts';
import type { Session } from '../session/session.ts';
import { type Action, reduce } from '../session/reduce.ts';
import type { SideBySide } from './sideBySide.ts';
import type { Attachments } from './attachments.ts';
import type { Follower } from './viewport.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

export class SecondaryModels {
  readonly #state: State;
  #attachments: Attachments | null = null;
  #sideBySide: SideBySide | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * Attaches a model of the library to a bone of the shown model. `entry`: the model to attach;
   * null to remove the attached model.
   */
  attach(bone: Object3D, entry: LibraryEntry | null): Promise<void> {
    const announcement = entry ? words.modelAttached(entry.input.file.name, displayName(bone)) : '';
    return this.#applyAction(announcement, async host => {
      const { withAttachment } = await import('./attachments.ts');
      return { type: 'attach', attachments: withAttachment(this.#state.session.value.attachments, host, bone, entry) };
    });
  }

  /** Shows or hides a model of the library beside the shown model. */
  showBeside({ input: { path, file } }: LibraryEntry, isBeside: boolean): Promise<void> {
    return this.#applyAction(isBeside ? words.addedToScene(file.name) : words.modelRemoved(file.name), () => {
      const others = this.#state.session.value.secondaryModels.filter(other => other !== path);
      return Promise.resolve({ type: 'show-secondary', secondaryModels: isBeside ? [...others, path] : others });
    });
  }

  /** Builds the models that an action needs, then applies the action to the session. */
  #applyAction(announcement: string, actionFor: (host: Model) => Promise<Action>): Promise<void> {
    const host = this.#state.shownModel.value;
    return this.#state.load('', async opening => {
      if (!host || this.#state.shownModel.value !== host) return;
      const action = await actionFor(host);
      opening.signal.throwIfAborted();
      await this.keep(host, reduce(this.#state.session.value, action), opening);
      opening.signal.throwIfAborted();
      if (this.#state.shownModel.value !== host) return;
      this.#state.remember(true);
      this.#state.dispatch(action);
      if (announcement) this.#state.announce(announcement);
    });
  }

  /**
   * Updates the secondary models so that they match the session. Adds no model if another model has
   * replaced `host` or the load was cancelled.
   */
  async keep(host: Model, session: Session, opening: OpeningContext): Promise<void> {
    const isCurrent = (): boolean => this.#state.shownModel.peek() === host && !opening.signal.aborted;
    if (session.attachments.length > 0) this.#attachments ??= await this.#loadAttachments();
    if (session.secondaryModels.length > 0) this.#sideBySide ??= await this.#loadSideBySide();
    await this.#attachments?.keep(host, session, opening, isCurrent);
    await this.#sideBySide?.keep(host, session, opening, isCurrent);
  }

  /** Removes all secondary models. */
  clear(): void {
    this.#attachments?.clear();
    this.#sideBySide?.clear();
  }

  async #loadAttachments(): Promise<Attachments> {
    const { Attachments: Module } = await import('./attachments.ts');
    return this.#follow(new Module(this.#state));
  }

  async #loadSideBySide(): Promise<SideBySide> {
    const { SideBySide: Module } = await import('./sideBySide.ts');
    return this.#follow(new Module(this.#state));
  }

  #follow<Kind extends Follower>(follower: Kind): Kind {
    this.#state.viewport.followers.push(follower);
    return follower;
  }
}
