// Other models of the library together with the one on the stage: on its bones, and beside it. Fetched when the session has some.
import type { Model } from '../player/model.ts';
import type { Opening } from '../player/opening.ts';
import type { Session } from '../player/session.ts';
import type { Company } from './company.ts';
import type { Holding } from './holding.ts';
import type { Follower } from './scenery.ts';
import type { State } from './state.ts';

export class Extras {
  readonly #state: State;
  #holding: Holding | null = null;
  #company: Company | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** What the session says hangs on bones of the host and stands beside it, and nothing else does. */
  async keep(host: Model, session: Session, opening: Opening): Promise<void> {
    const stays = (): boolean => this.#state.actor.peek() === host && !opening.signal.aborted;
    if (session.hung.length > 0) this.#holding ??= await this.#makeHolding();
    if (session.beside.length > 0) this.#company ??= await this.#makeCompany();
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
