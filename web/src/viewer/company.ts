// Other models of the library beside the one on the stage. Each plays what is chosen where that suits it, else the best of its own.
import { effect } from '@preact/signals-core';
import { Group } from 'three';
import type { Entry } from '../player/library.ts';
import { disposeModel, type Model, shownOf, wholeOf } from '../player/model.ts';
import { PlayedMotion } from '../player/motion.ts';
import type { Opening } from '../player/opened.ts';
import { restPose } from '../player/played.ts';
import { reduce, type Row, rowsOf, type Session } from '../player/session.ts';
import { asGiven } from '../player/source.ts';
import { asGuest, extentOf, stand } from '../stage/index.ts';
import { buildEntry } from './entries.ts';
import type { State } from './state.ts';

interface Member {
  entry: Entry;
  model: Model;
  /** Turned so that it looks where the one on the stage looks. */
  place: Group;
  motion: PlayedMotion | null;
}

/** Between two, of the width of the one on the stage. */
const GAP = 0.15;

export class Company {
  readonly #state: State;
  /** Its z axis is where the one on the stage looks. */
  readonly #line = asGuest(Object.assign(new Group(), { name: 'company' }));
  #members: readonly Member[] = [];
  /** Seconds of motion so far: what is longer than the motion on the stage does not begin anew with that. */
  #clock = 0;
  #seen = 0;

  constructor(state: State) {
    this.#state = state;
    effect(() => {
      void state.played.value;
      this.#perform();
    });
  }

  /** There stands who the session says, and nobody else. `stays`: the host has not gone meanwhile. */
  async keep(host: Model, { beside, library }: Session, opening: Opening, stays: () => boolean): Promise<void> {
    const there = new Set(wholeOf(host).map(({ given }) => given));
    const wanted = beside.flatMap(
      path => library.find(({ role, given }) => role === 'model' && given.path === path && !there.has(given)) ?? [],
    );
    const kept = this.#members.filter(({ entry }) => wanted.some(({ given }) => given === entry.given));
    const added: Member[] = [];
    try {
      for (const entry of wanted) {
        if (kept.some(member => member.entry.given === entry.given)) continue;
        const model = await buildEntry(entry, opening);
        added.push({ entry, model, place: new Group(), motion: null });
        await this.#state.scenery.prepare(model);
        if (!stays()) return added.forEach(dispose);
      }
    } catch (error) {
      added.forEach(dispose);
      throw error;
    }
    for (const { place, model } of added) place.add(model.rig.scene);
    const gone = this.#members.filter(member => !kept.includes(member));
    if (gone.length + added.length === 0) return;
    gone.forEach(dispose);
    this.#is([...kept, ...added]);
    this.#arrange();
    this.#perform();
  }

  /** Everybody is taken away and freed. */
  clear(): void {
    this.#line.removeFromParent();
    this.#line.clear();
    this.#members.forEach(dispose);
    if (this.#members.length > 0) this.#is([]);
  }

  #is(members: readonly Member[]): void {
    this.#members = members;
    this.#state.company.value = members.map(({ model }) => model);
  }

  /** Everybody moves as at that time of what plays on the stage. */
  update(time: number): void {
    if (this.#members.length === 0) return;
    const { duration, playing } = this.#state.playback;
    const step = time - this.#seen;
    this.#seen = time;
    // Backwards while it plays: it has begun anew.
    this.#clock = Math.max(this.#clock + (step < 0 && playing ? step + duration : step), 0);
    for (const { motion } of this.#members) {
      if (!motion || motion.duration <= 0) continue;
      motion.seek(motion.duration === duration ? time : this.#clock % motion.duration);
    }
  }

  /** Springs swing on. Whether they are not at rest yet. */
  live(seconds: number): boolean {
    return this.#members.map(({ model }) => model.rig.live(seconds)).some(Boolean);
  }

  /** In a line beside the one on the stage, by turns to its left and right, each looking where that looks. */
  #arrange(): void {
    const { view, eye } = this.#state.scenery;
    const { content } = view;
    this.#line.removeFromParent();
    this.#line.clear();
    if (!content) return;
    this.#line.rotation.y = eye.front;
    this.#line.updateMatrixWorld(true);
    const own = extentOf(content).box.applyMatrix4(this.#line.matrixWorld.clone().invert());
    const gap = (own.max.x - own.min.x) * GAP;
    const [min, max] = [own.min.clone(), own.max.clone()];
    for (const [at, { model, place }] of this.#members.entries()) {
      place.rotation.y = 0;
      place.position.set(0, 0, 0);
      restPose([model.rig]);
      const forward = stand(model.rig);
      place.rotation.y = forward ? -Math.atan2(forward.x, forward.z) : 0;
      place.updateMatrixWorld(true); // skins follow it only so
      const { box } = extentOf(place);
      if (!box.isEmpty()) {
        const isRight = at % 2 === 0;
        place.position.x = isRight ? max.x + gap - box.min.x : min.x - gap - box.max.x;
        place.position.z = (own.min.z + own.max.z - box.min.z - box.max.z) / 2;
        if (isRight) max.x += gap + box.max.x - box.min.x;
        else min.x -= gap + box.max.x - box.min.x;
      }
      this.#line.add(place);
    }
    // They are turned and scaled with the one on the stage, but stand in the world as it does.
    view.scene.add(this.#line);
    this.#line.updateMatrixWorld(true);
    content.attach(this.#line);
    for (const { model } of this.#members) {
      model.rig.springs?.turnWorld(model.rig.scene.getWorldQuaternion(model.rig.scene.quaternion.clone()));
      model.rig.springs?.reset();
    }
    view.show(content, true, { direction: view.rig.look });
    this.#state.scenery.frame();
  }

  #perform(): void {
    const { session, scenery, playback } = this.#state;
    for (const member of this.#members) {
      const { model } = member;
      const row = scenery.motion && rowFor(model, member.entry, session.peek());
      member.motion = row ? new PlayedMotion(model, row.source, row.indices, 'auto', session.peek().isRootLocked) : null;
      if (!member.motion) restPose([model.rig]);
    }
    this.#seen = this.#clock = playback.time;
    this.update(playback.time);
    scenery.view.invalidate();
  }
}

/** The motion that it would play if it stood there alone, the one that plays now before all others. */
function rowFor(model: Model, { shelf }: Entry, session: Session): Row | null {
  const { given, file } = model;
  const own = file.scene!.clips.length > 0 ? [{ given, file }] : [];
  const sources = [...asGiven(session.sources).filter(source => source.given !== given), ...own];
  const { library, notes, hung, partChoices } = session;
  const shown = shownOf(model);
  const alone = reduce(session, {
    type: 'open',
    shown,
    sources,
    shelf,
    notes,
    demo: null,
    waiting: null,
    library,
    hung,
    partChoices,
    isStep: true,
  });
  return rowsOf(alone)[alone.selected] ?? null;
}

function dispose({ model, place }: Member): void {
  place.removeFromParent();
  disposeModel(model);
}
