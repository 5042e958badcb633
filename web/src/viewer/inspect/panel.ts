// Inspector: the tree of the scene or of a file's bytes, and the details of the selected branch.
import type { Object3D } from 'three';
import type { RigFile } from '../../core/open.ts';
import type { InputFile } from '../../session/inputFile.ts';
import type { LibraryEntry } from '../../session/library.ts';
import type { Model } from '../../session/model.ts';
import { el, fill, icon, picked } from '../dom.ts';
import type { SecondaryModel } from '../entries.ts';
import { type MaterialRef, SLOTS } from '../textureOverrides.ts';
import { words } from '../words/index.ts';
import type { Branch } from './branch.ts';
import { BytesView } from './bytesView.ts';
import { factRow, fieldTable, pictureOf } from './details.ts';
import { fileBranches, pathTo } from './fileBranches.ts';
import './inspect.css';
import { CLIPS, sceneBranches } from './sceneBranches.ts';
import { Tree } from './tree.ts';

/** A file that can be inspected. */
export interface Openable {
  input: InputFile;
  file: RigFile;
}

const MAX_MODELS = 500;
/** Maximum number of meshes that are initially expanded to show their materials. */
const FEW = 24;

export class InspectPanel {
  readonly element: HTMLElement;
  /** Called when an object of the scene is selected, or with null when the selection is cleared. */
  onChoose: (object: Object3D | null) => void = () => {};
  /** Called when the visibility of an object has changed. */
  onShown: () => void = () => {};
  /** Returns the models that can be attached to a bone, and the model that is attached to it. */
  attachableTo: (bone: Object3D) => { entries: readonly LibraryEntry[]; attached: LibraryEntry | null } = () => ({
    entries: [],
    attached: null,
  });
  onAttach: (bone: Object3D, entry: LibraryEntry | null) => void = () => {};
  /** Called when the visitor assigns an image to a slot of a material. */
  onAssignTexture: (place: MaterialRef, slot: string, image: File) => Promise<void> = async () => {};
  #model: Model | null = null;
  #secondaryModels: readonly SecondaryModel[] = [];
  #files: readonly Openable[] = [];
  /** File whose bytes are shown; null for the scene. */
  #openFile: Openable | null = null;
  /**
   * Number of requests to show a file. The result of a request is ignored if a later request has
   * started.
   */
  #request = 0;
  readonly #tree = new Tree(words.sections.inspect);
  readonly #what = el('select', { 'aria-label': words.inspect.title, onchange: () => void this.#showFile(Number(this.#what.value)) });
  readonly #search = el('input', {
    type: 'search',
    placeholder: words.inspect.search,
    'aria-label': words.inspect.search,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => this.#find(),
  });
  readonly #note = el('p', { class: 'note', hidden: true });
  readonly #details = el('section', { class: 'details', 'aria-label': words.inspect.details, tabindex: 0, hidden: true });
  readonly #facts = el('dl', { class: 'facts wide' });
  readonly #bytes = new BytesView();

  constructor() {
    this.element = el(
      'div',
      { class: 'inspect' },
      el(
        'div',
        { class: 'content' },
        el('div', { class: 'find' }, picked(this.#what), el('div', { class: 'search' }, icon('search'), this.#search)),
        this.#note,
        this.#tree.element,
        this.#details,
      ),
    );
    this.#tree.onChoose = branch => {
      if (this.#openFile === null) this.onChoose(branch?.object ?? null);
      this.#showDetails(branch);
    };
    this.#tree.onShown = () => this.onShown();
    this.set(null, [], []);
  }

  /** Sets the shown model, the secondary models and the open files. */
  set(model: Model | null, secondaryModels: readonly SecondaryModel[], files: readonly Openable[]): void {
    const isSame =
      model === this.#model &&
      secondaryModels.length === this.#secondaryModels.length &&
      secondaryModels.every((secondary, at) => secondary.model === this.#secondaryModels[at]!.model);
    const areSame = files.length === this.#files.length && files.every(({ file }, at) => file === this.#files[at]?.file);
    this.#model = model;
    this.#secondaryModels = secondaryModels;
    this.#files = files;
    const isKept = isSame && (this.#openFile === null || files.some(({ file }) => file === this.#openFile?.file));
    if (!isKept) this.#openFile = null;
    fill(
      this.#what,
      el('option', { value: -1 }, words.inspect.scene),
      ...files.map(({ input }, at) => el('option', { value: at }, words.inspect.bytesOf(input.file.name))),
    );
    this.#what.value = String(files.findIndex(({ file }) => file === this.#openFile?.file));
    if (isSame && areSame) return;
    if (!isKept || this.#openFile === null) this.#showScene();
  }

  /** Shows the bytes of a file and selects the innermost branch at `offset`. */
  async showByte(file: RigFile, offset: number): Promise<void> {
    const at = this.#files.findIndex(one => one.file === file);
    if (at < 0) return;
    this.#what.value = String(at);
    const branches = await this.#showFile(at);
    if (!branches) return;
    this.#tree.reveal(pathTo(branches, offset));
    const marked = this.#tree.chosen?.fields?.find(field => offset >= field.offset && offset < field.offset + field.size);
    if (this.#openFile) void this.#bytes.show(this.#openFile.input.file, marked ?? { offset, size: 1 });
    if (!this.#tree.chosen) this.#show([this.#bytes.element]);
  }

  /** Selects the branch that represents an object of the viewport. */
  showObject(object: Object3D): void {
    if (this.#openFile !== null || this.#tree.chosen?.object === object) return;
    // Skip animations, because they can have thousands of tracks, and tracks do not represent
    // objects.
    this.#tree.reveal(
      this.#tree.pathTo(
        branch => branch.object === object,
        ({ kind }) => kind !== CLIPS,
      ),
    );
  }

  /** Updates the facts after the pose has changed. */
  update(): void {
    const branch = this.#tree.chosen;
    if (branch?.facts && (branch.kind === 'bone' || branch.kind === 'node')) fill(this.#facts, ...branch.facts().map(factRow));
  }

  #showScene(): void {
    const { object } = this.#tree.chosen ?? {};
    this.#search.value = '';
    const branches = this.#model ? sceneBranches(this.#model, this.#secondaryModels, this.#files) : [];
    this.#setNote(branches.length === 0 ? words.nothingToShow : '');
    this.#tree.element.hidden = branches.length === 0;
    // If there are secondary models, only the first branch is expanded, so that the names of all
    // models are visible.
    this.#tree.set(branches, this.#secondaryModels.length > 0 ? branches.slice(0, 1) : openAtFirst(branches));
    // Keep the selection if only files were added.
    if (object) this.showObject(object);
  }

  /**
   * Shows the bytes of a file. `at`: index of the file; −1 shows the scene. Resolves with the
   * branches of the file; null for the scene or if a later request has replaced this one.
   */
  async #showFile(at: number): Promise<readonly Branch[] | null> {
    const request = ++this.#request;
    const openFile = this.#files[at] ?? null;
    this.#openFile = openFile;
    if (!openFile) {
      this.#showScene();
      return null;
    }
    this.#search.value = '';
    this.#tree.set([]);
    this.#setNote(words.inspect.readingFile);
    let branches: Branch[] = [];
    let message = '';
    try {
      branches = fileBranches((await openFile.file.outline()).outline);
      if (branches.length === 0) message = words.inspect.noOutline;
    } catch {
      message = words.inspect.fileIsGone;
    }
    if (request !== this.#request) return null;
    this.#setNote(message);
    this.#tree.element.hidden = branches.length === 0;
    this.#tree.set(branches, branches.length === 1 ? branches : []);
    return branches;
  }

  #find(): void {
    const found = this.#tree.search(this.#search.value);
    this.#setNote(found === 0 ? words.noResults : '');
  }

  #setNote(text: string): void {
    this.#note.hidden = text === '';
    this.#note.textContent = text;
  }

  #showDetails(branch: Branch | null): void {
    if (!branch) return this.#show([]);
    const { facts, fields, images, bytes } = branch;
    fill(this.#facts, ...(facts?.() ?? []).map(factRow));
    const shown: HTMLElement[] = [el('h4', {}, branch.name || words.noName)];
    const pictures = images?.() ?? [];
    if (pictures.length > 0) shown.push(el('div', { class: 'textures' }, ...pictures.map(pictureOf)));
    if (branch.material) shown.push(this.#textureControls(branch, branch.material));
    if (branch.object && (branch.kind === 'bone' || branch.kind === 'node')) shown.push(...this.#attachmentControls(branch.object)); // sockets are also nodes
    shown.push(this.#facts);
    if (fields && fields.length > 0)
      shown.push(fieldTable(fields, field => this.#openFile && void this.#bytes.show(this.#openFile.input.file, field)));
    if (bytes && this.#openFile) {
      shown.push(this.#bytes.element);
      void this.#bytes.show(this.#openFile.input.file, bytes);
    }
    this.#show(shown);
  }

  /** Creates the control that attaches a model of the library to a bone. */
  #attachmentControls(bone: Object3D): HTMLElement[] {
    const { entries, attached } = this.attachableTo(bone);
    if (entries.length === 0) return [];
    const list = el(
      'select',
      { 'aria-label': words.inspect.attach, onchange: () => this.onAttach(bone, entries[Number(list.value)] ?? null) },
      el('option', { value: -1 }, words.none),
      ...entries.slice(0, MAX_MODELS).map(({ input }, at) => el('option', { value: at }, input.file.name)),
    );
    list.value = String(entries.indexOf(attached!));
    return [
      el('label', { class: 'row-of' }, el('span', {}, words.inspect.attach), picked(list)),
      el('p', { class: 'note' }, words.inspect.attachText),
    ];
  }

  /** Creates the controls that assign an image to a slot of a material. */
  #textureControls(branch: Branch, place: MaterialRef): HTMLElement {
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
        // Update the shown textures.
        if (image)
          void this.onAssignTexture(place, slots.value, image).then(() => this.#tree.chosen === branch && this.#showDetails(branch));
      },
    });
    const choose = el('button', { type: 'button', class: 'button', onclick: () => file.click() }, words.inspect.applyImage);
    return el('div', { class: 'image-control' }, picked(slots), choose, file);
  }

  #show(shown: readonly HTMLElement[]): void {
    this.#details.hidden = shown.length === 0;
    this.#details.scrollTop = 0;
    fill(this.#details, ...shown);
  }
}

/**
 * Returns the branches to expand initially: the group of meshes of each file and, if there are few
 * meshes, the meshes.
 */
function openAtFirst(branches: readonly Branch[]): Branch[] {
  const files = branches.filter(({ kind }) => kind === 'file');
  const below = ({ children }: Branch): readonly Branch[] => children?.() ?? [];
  const groups = files.length > 0 ? files.flatMap(file => below(file).slice(0, 1)) : branches.slice(0, 1);
  const meshes = groups.flatMap(below);
  return [...files, ...groups, ...(meshes.length <= FEW ? meshes : [])];
}
