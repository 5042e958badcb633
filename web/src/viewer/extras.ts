// Other models of the library together with the one on the stage: on its bones, and beside it. Fetched when the session has some.
import type { Object3D } from 'three';
import type { LibraryEntry } from '../session/library.ts';
import { type Model, displayName } from '../session/model.ts';
import type { OpeningContext } from '../session/openResult.ts';
import type { Session } from '../session/session.ts';
import { type Action, reduce } from '../session/reduce.ts';
import type { Company } from './company.ts';
import type { Holding } from './holding.ts';
import type { Dresser } from './dresser.ts';
import type { Follower } from './scenery.ts';
import type { State } from './state.ts';
import { words } from './words/index.ts';

export class Extras {
  readonly #state: State;
  readonly #dresser: Dresser;
  #holding: Holding | null = null;
  #company: Company | null = null;

  constructor(state: State, dresser: Dresser) {
    this.#state = state;
    this.#dresser = dresser;
  }

  /** Hangs a model of the library on a bone of the one that stands there; null: nothing hangs there any more. */
  hang(bone: Object3D, entry: LibraryEntry | null): Promise<void> {
    const said = entry ? words.hangs(entry.given.file.name, displayName(bone)) : '';
    return this.#bring(said, async host => {
      const { withHung } = await import('./holding.ts');
      return { type: 'attach', attachments: withHung(this.#state.session.value.attachments, host, bone, entry) };
    });
  }

  /** Another model of the library stands beside the one on the stage, or no longer. */
  standBeside({ given: { path, file } }: LibraryEntry, isBeside: boolean): Promise<void> {
    return this.#bring(isBeside ? words.isBeside(file.name) : words.isGone(file.name), () => {
      const others = this.#state.session.value.secondaryModels.filter(other => other !== path);
      return Promise.resolve({ type: 'show-secondary', secondaryModels: isBeside ? [...others, path] : others });
    });
  }

  /** Does what brings other models or takes them away. It counts once they are there. */
  #bring(said: string, actionFor: (host: Model) => Promise<Action>): Promise<void> {
    const host = this.#state.actor.value;
    return this.#state.load('', async opening => {
      if (!host || this.#state.actor.value !== host) return;
      const action = await actionFor(host);
      await this.keep(host, reduce(this.#state.session.value, action), opening);
      if (this.#state.actor.value !== host) return;
      this.#state.remember(true);
      this.#state.dispatch(action);
      if (said) this.#state.announce(said);
      await this.#dresser.dress(host);
    });
  }

  /** What the session says hangs on bones of the host and stands beside it, and nothing else does. */
  async keep(host: Model, session: Session, opening: OpeningContext): Promise<void> {
    const stays = (): boolean => this.#state.actor.peek() === host && !opening.signal.aborted;
    if (session.attachments.length > 0) this.#holding ??= await this.#makeHolding();
    if (session.secondaryModels.length > 0) this.#company ??= await this.#makeCompany();
    await this.#holding?.keep(host, session, opening, stays);
    await this.#company?.keep(host, session, opening, stays);
  }

  /** All of it goes. */
  clear(): void {
    this.#holding?.clear();
    this.#company?.clear();
  }

  async #makeHolding(): Promise<Holding> {
    const { Holding: Made } = await import('./holding.ts');
    return this.#follow(new Made(this.#state));
  }

  async #makeCompany(): Promise<Company> {
    const { Company: Made } = await import('./company.ts');
    return this.#follow(new Made(this.#state));
  }

  #follow<Kind extends Follower>(follower: Kind): Kind {
    this.#state.scenery.followers.push(follower);
    return follower;
  }
}
