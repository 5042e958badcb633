// What is open, down to the byte: the tree of what stands on the stage, or of what a file says, and what there is to know of the chosen branch.
import type { Object3D } from 'three';
import type { RigFile } from '../../core/open.ts';
import type { InputFile } from '../../session/inputFile.ts';
import type { LibraryEntry } from '../../session/library.ts';
import type { Model } from '../../session/model.ts';
import { el, fill, icon, picked } from '../dom.ts';
import type { Guest } from '../entries.ts';
import { type Place, SLOTS } from '../wardrobe.ts';
import { words } from '../words/index.ts';
import type { Branch } from './branch.ts';
import { BytesView } from './bytesView.ts';
import { CurvePlot, type Playing } from './curvePlot.ts';
import type { Plotted } from './curves.ts';
import { factRow, fieldTable, pictureOf } from './details.ts';
import { fileBranches, wayTo } from './fileBranches.ts';
import './inspect.css';
import { CLIPS, sceneBranches } from './sceneBranches.ts';
import { Tree } from './tree.ts';

/** A file that can be looked into. */
export interface Openable {
  given: InputFile;
  file: RigFile;
}

const MOST_CURVES = 12;
const MOST_MODELS = 500;
/** Meshes whose materials are seen at once. */
const FEW = 24;

export class InspectPanel {
  readonly element: HTMLElement;
  /** A thing of the stage was chosen; null: none. */
  onChoose: (object: Object3D | null) => void = () => {};
  /** Something was hidden, or is shown again. */
  onShown: () => void = () => {};
  /** Models of the library that can hang on a bone, and the one that does; none where there are none. */
  hangable: (bone: Object3D) => { entries: readonly LibraryEntry[]; held: LibraryEntry | null } = () => ({ entries: [], held: null });
  onHang: (bone: Object3D, entry: LibraryEntry | null) => void = () => {};
  /** Somebody puts an image on a material. */
  onWear: (place: Place, slot: string, image: File) => Promise<void> = async () => {};
  /** Somebody wants to see another time of what plays; seconds. */
  onSeek: (time: number) => void = () => {};
  /** What plays, for the curves. */
  playing: () => Playing = () => ({ time: 0, duration: 0 });
  /** Curves that move a thing of the stage now. */
  curvesOf: (object: Object3D) => readonly Plotted[] = () => [];
  #plots: CurvePlot[] = [];
  #model: Model | null = null;
  #guests: readonly Guest[] = [];
  #files: readonly Openable[] = [];
  /** The file whose bytes are shown; null: the stage. */
  #looked: Openable | null = null;
  /** Counts up with what is asked for: what comes late is not shown any more. */
  #asked = 0;
  readonly #tree = new Tree(words.panels.inspect);
  readonly #what = el('select', { 'aria-label': words.inspect.what, onchange: () => void this.#look(Number(this.#what.value)) });
  readonly #search = el('input', {
    type: 'search',
    placeholder: words.inspect.search,
    'aria-label': words.inspect.search,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => this.#find(),
  });
  readonly #note = el('p', { class: 'note', hidden: true });
  readonly #details = el('section', { class: 'known', 'aria-label': words.inspect.details, tabindex: 0, hidden: true });
  readonly #facts = el('dl', { class: 'facts wide' });
  readonly #bytes = new BytesView();

  constructor() {
    this.element = el(
      'div',
      { class: 'panel inspect' },
      el(
        'div',
        { class: 'inside' },
        el('div', { class: 'find' }, picked(this.#what), el('div', { class: 'search' }, icon('search'), this.#search)),
        this.#note,
        this.#tree.element,
        this.#details,
      ),
    );
    this.#tree.onChoose = branch => {
      if (this.#looked === null) this.onChoose(branch?.object ?? null);
      this.#tell(branch);
    };
    this.#tree.onShown = () => this.onShown();
    this.set(null, [], []);
  }

  /** What stands on the stage, what came to it, and the files that are open. */
  set(model: Model | null, guests: readonly Guest[], files: readonly Openable[]): void {
    const isSame =
      model === this.#model &&
      guests.length === this.#guests.length &&
      guests.every((guest, at) => guest.model === this.#guests[at]!.model);
    const areSame = files.length === this.#files.length && files.every(({ file }, at) => file === this.#files[at]?.file);
    this.#model = model;
    this.#guests = guests;
    this.#files = files;
    const isKept = isSame && (this.#looked === null || files.some(({ file }) => file === this.#looked?.file));
    if (!isKept) this.#looked = null;
    fill(
      this.#what,
      el('option', { value: -1 }, words.inspect.stage),
      ...files.map(({ given }, at) => el('option', { value: at }, words.inspect.bytesOf(given.file.name))),
    );
    this.#what.value = String(files.findIndex(({ file }) => file === this.#looked?.file));
    if (isSame && areSame) return;
    if (!isKept || this.#looked === null) this.#showStage();
  }

  /** The bytes of a file, from the one at `offset`. */
  async showByte(file: RigFile, offset: number): Promise<void> {
    const at = this.#files.findIndex(one => one.file === file);
    if (at < 0) return;
    this.#what.value = String(at);
    const branches = await this.#look(at);
    if (!branches) return;
    this.#tree.reveal(wayTo(branches, offset));
    const marked = this.#tree.chosen?.fields?.find(field => offset >= field.offset && offset < field.offset + field.size);
    if (this.#looked) void this.#bytes.show(this.#looked.given.file, marked ?? { offset, size: 1 });
    if (!this.#tree.chosen) this.#show([this.#bytes.element]);
  }

  /** The branch of a thing that somebody chose on the stage. */
  showObject(object: Object3D): void {
    if (this.#looked !== null || this.#tree.chosen?.object === object) return;
    // Motions have thousands of tracks, none of which stands on the stage.
    this.#tree.reveal(
      this.#tree.wayTo(
        branch => branch.object === object,
        ({ kind }) => kind !== CLIPS,
      ),
    );
  }

  /** Other curves move what is chosen. */
  replay(): void {
    if (this.#tree.chosen?.object) this.#tell(this.#tree.chosen);
  }

  /** What moves has moved. */
  update(): void {
    const branch = this.#tree.chosen;
    if (branch?.facts && (branch.kind === 'bone' || branch.kind === 'node')) fill(this.#facts, ...branch.facts().map(factRow));
    for (const plot of this.#plots) plot.update();
  }

  #showStage(): void {
    const { object } = this.#tree.chosen ?? {};
    this.#search.value = '';
    const branches = this.#model ? sceneBranches(this.#model, this.#guests, this.#files) : [];
    this.#say(branches.length === 0 ? words.noParts : '');
    this.#tree.element.hidden = branches.length === 0;
    // Of what came to the model no more than the names, so that all of them are in sight.
    this.#tree.set(branches, this.#guests.length > 0 ? branches.slice(0, 1) : openAtFirst(branches));
    // What was chosen before more files came.
    if (object) this.showObject(object);
  }

  /** Its branches; null where somebody has asked for something else meanwhile. */
  async #look(at: number): Promise<readonly Branch[] | null> {
    const asked = ++this.#asked;
    const looked = this.#files[at] ?? null;
    this.#looked = looked;
    if (!looked) {
      this.#showStage();
      return null;
    }
    this.#search.value = '';
    this.#tree.set([]);
    this.#say(words.inspect.reading);
    let branches: Branch[] = [];
    let said = '';
    try {
      branches = fileBranches((await looked.file.outline()).outline);
      if (branches.length === 0) said = words.inspect.noOutline;
    } catch {
      said = words.inspect.fileIsGone;
    }
    if (asked !== this.#asked) return null;
    this.#say(said);
    this.#tree.element.hidden = branches.length === 0;
    this.#tree.set(branches, branches.length === 1 ? branches : []);
    return branches;
  }

  #find(): void {
    const found = this.#tree.search(this.#search.value);
    this.#say(found === 0 ? words.inspect.nothingFound : '');
  }

  #say(text: string): void {
    this.#note.hidden = text === '';
    this.#note.textContent = text;
  }

  #tell(branch: Branch | null): void {
    this.#plots = [];
    if (!branch) return this.#show([]);
    const { facts, fields, images, bytes } = branch;
    fill(this.#facts, ...(facts?.() ?? []).map(factRow));
    const shown: HTMLElement[] = [el('h3', {}, branch.name || words.noName)];
    const pictures = images?.() ?? [];
    if (pictures.length > 0) shown.push(el('div', { class: 'textures' }, ...pictures.map(pictureOf)));
    if (branch.material) shown.push(this.#wearing(branch, branch.material));
    if (branch.object && (branch.kind === 'bone' || branch.kind === 'node')) shown.push(...this.#hanging(branch.object)); // sockets are nodes
    shown.push(this.#facts);
    // Those with the most keys first: what stands still is looked at last.
    const tracks = branch.curve ? [branch.curve()] : branch.object ? this.curvesOf(branch.object) : [];
    const most = tracks.toSorted((a, b) => b.times.length - a.times.length).slice(0, MOST_CURVES);
    this.#plots = most.map(track => this.#plotOf(track, branch));
    shown.push(...this.#plots.map(({ element }) => element));
    if (fields && fields.length > 0)
      shown.push(fieldTable(fields, field => this.#looked && void this.#bytes.show(this.#looked.given.file, field)));
    if (bytes && this.#looked) {
      shown.push(this.#bytes.element);
      void this.#bytes.show(this.#looked.given.file, bytes);
    }
    this.#show(shown);
    for (const plot of this.#plots) plot.update();
  }

  /** A model of the library that hangs on the bone, and which one. */
  #hanging(bone: Object3D): HTMLElement[] {
    const { entries, held } = this.hangable(bone);
    if (entries.length === 0) return [];
    const list = el(
      'select',
      { 'aria-label': words.inspect.hang, onchange: () => this.onHang(bone, entries[Number(list.value)] ?? null) },
      el('option', { value: -1 }, words.none),
      ...entries.slice(0, MOST_MODELS).map(({ given }, at) => el('option', { value: at }, given.file.name)),
    );
    list.value = String(entries.indexOf(held!));
    return [
      el('label', { class: 'row-of' }, el('span', {}, words.inspect.hang), picked(list)),
      el('p', { class: 'note' }, words.inspect.hangText),
    ];
  }

  /** Puts an image on a slot of a material. */
  #wearing(branch: Branch, place: Place): HTMLElement {
    const slots = el(
      'select',
      { 'aria-label': words.inspect.slot },
      ...SLOTS.map(slot => el('option', { value: slot }, words.inspect.slots[slot])),
    );
    const file = el('input', {
      type: 'file',
      accept: 'image/*,.tga,.dds,.pcx',
      hidden: true,
      onchange: () => {
        const [image] = file.files ?? [];
        // What it wears now is seen at once.
        if (image) void this.onWear(place, slots.value, image).then(() => this.#tree.chosen === branch && this.#tell(branch));
      },
    });
    const choose = el('button', { type: 'button', class: 'button', onclick: () => file.click() }, words.inspect.putImage);
    return el('div', { class: 'wearing' }, picked(slots), choose, file);
  }

  /** Of a track of a file all of it, else what plays. */
  #plotOf(track: Plotted, { curve, name }: Branch): CurvePlot {
    const last = track.times.at(-1) ?? 0;
    const playing = curve ? (): Playing => ({ time: Math.min(this.playing().time, last), duration: last }) : this.playing;
    const what = track.component >= 0 ? `${track.path} ${'xyzw'[track.component] ?? ''}` : track.path;
    return new CurvePlot(curve ? name : words.inspect.curve(what, track.times.length), track, playing, this.onSeek);
  }

  #show(shown: readonly HTMLElement[]): void {
    this.#details.hidden = shown.length === 0;
    this.#details.scrollTop = 0;
    fill(this.#details, ...shown);
  }
}

/** Meshes are seen at once with their materials, where these are few, also those of a character of several files. */
function openAtFirst(branches: readonly Branch[]): Branch[] {
  const files = branches.filter(({ kind }) => kind === 'file');
  const below = ({ children }: Branch): readonly Branch[] => children?.() ?? [];
  const groups = files.length > 0 ? files.flatMap(file => below(file).slice(0, 1)) : branches.slice(0, 1);
  const meshes = groups.flatMap(below);
  return [...files, ...groups, ...(meshes.length <= FEW ? meshes : [])];
}
