// What to say to somebody about what is open, in plain words. Damage goes before all else, then what to do next.

import type { Report } from '../core/types.ts';
import { count, plural } from './dom.ts';
import { extensionOf } from '../player/given.ts';
import { isBare, type Model } from '../player/model.ts';
import type { PlayedMotion, Source, Suit } from '../player/motion.ts';

export interface Advice {
  text: string;
  /** Something of a file is lost. */
  isDamage: boolean;
}

export interface Situation {
  model: Model | null;
  sources: readonly Source[];
  /** How the sources suit the model. */
  suits: ReadonlyMap<Source, Suit>;
  /** Motions that somebody gave last and that do not start, as they were made for another skeleton. */
  refused: readonly Source[];
  playing: PlayedMotion | null;
  /** Hands, outlines or a sky are drawn, which are no surface of the model's. */
  showsMore: boolean;
  notes: readonly string[];
  /** What a code of a finding means, '' where nobody says. */
  meaning: (code: string) => string;
}

/** The most useful first. */
export function adviceFor(situation: Situation): Advice[] {
  const { model, sources, notes } = situation;
  const damaged = [...(model ? [model.file] : []), ...sources.filter(({ given }) => given !== model?.given).map(({ file }) => file)];
  return [
    ...damaged
      .flatMap(({ name, report }) => damageOf(name ?? 'This file', report, situation.meaning))
      .map(text => ({ text, isDamage: true })),
    ...[...motionAdvice(situation), ...modelAdvice(situation), ...notes].map(text => ({ text, isDamage: false })),
  ];
}

function damageOf(name: string, { errors, items }: Report, meaning: Situation['meaning']): string[] {
  const first = items.find(({ severity }) => severity === 'error');
  if (!first) return [];
  const more = errors > first.count ? ` And ${plural(errors - first.count, 'error')} more.` : '';
  return [
    `${name} is damaged, some of it is not shown: ${meaning(first.code) || first.detail || first.code}${more} The Report tells where.`,
  ];
}

function motionAdvice({ model, sources, suits, refused, playing }: Situation): string[] {
  const advice: string[] = [];
  if (!model && sources.length > 0) {
    const { name } = sources[0]!.given.file;
    advice.push(`${name} holds motions only. Drop its model${extensionOf(name) === 'psa' ? ' (.psk or .pskx)' : ''} on top.`);
  }
  const all = [...suits.values()];
  const isAllForeign = all.length > 0 && all.every(({ fits }) => !fits);
  if (isAllForeign && all.every(({ found }) => found === 0)) {
    advice.push('These motions move no bone of this model: they were made for another skeleton. Drop the model they belong to.');
  } else if (isAllForeign || refused.length > 0) {
    const [first] = refused.length > 0 ? refused : sources;
    const { found, names } = suits.get(first!)!;
    advice.push(
      `${first!.given.file.name} was made for another skeleton: this model has ${count(found)} of the ${plural(names, 'bone')} that it moves. It waits in the list of motions.`,
    );
  }
  if (playing?.findings.some(({ code }) => code === 'LOOKS_ADDITIVE')) {
    advice.push(
      playing.isAdded
        ? 'This motion is made to be added to another one: here it is added to the rest pose.'
        : 'This motion looks additive: if the body collapses, choose “Added to the rest pose” below.',
    );
  }
  const isStripped =
    playing?.findings.some(({ code }) => code === 'LOOKS_STRIPPED') ||
    sources.some(({ file }) => file.report.items.some(({ code }) => code === 'LOOKS_STRIPPED'));
  if (model && isStripped)
    advice.push(
      'Some bones have no motion of their own in this file. If a .config lies beside it, drop that too: it says which bones keep their place.',
    );
  return advice;
}

function modelAdvice({ model, sources, showsMore }: Situation): string[] {
  if (!model) return [];
  const { missing, missingFiles, bones, given, file } = model;
  const isEmpty = isBare(model);
  const advice: string[] = [];
  if (missingFiles.length > 0) {
    const isOne = missingFiles.length === 1;
    advice.push(
      `${plural(missingFiles.length, 'file')} that this world places ${isOne ? 'was' : 'were'} not there: ${some(missingFiles)}. Drop ${isOne ? 'it' : 'them'}, or the folder.`,
    );
  }
  if (missing.length > 0) {
    const all = missing.length >= file.scene!.materials.length;
    advice.push(
      `${all ? 'Textures were not found' : `Textures of ${some(missing)} were not found`}: drop the images, or the folder with them.`,
    );
  }
  if (isEmpty && bones.length === 0 && !showsMore) advice.push(`There is nothing to be drawn in ${given.file.name}.`);
  if (sources.length === 0 && bones.length > 0)
    advice.push(
      `The ${isEmpty ? 'skeleton' : 'model'} stands still. Drop ${isEmpty ? 'its model or motions' : 'its motions on top'} to see it move.`,
    );
  return advice;
}

const some = (names: readonly string[]): string => names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');

/** What the list says of a motion that was made for another skeleton, '' of the others. */
export function misfitOf(suit: Suit | undefined): string {
  if (!suit || suit.fits) return '';
  return suit.found === 0 ? 'moves nothing here' : `${count(suit.found)} of ${plural(suit.names, 'bone')} found here`;
}
