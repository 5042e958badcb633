// Dialog that assigns images to the texture slots of materials: the visitor chooses a slot, then an
// image. Everything works with buttons and the keyboard.
import { effect } from '@preact/signals-core';
import { baseName } from '../../core/paths.ts';
import { type ImageAssignment, withAssignment, withoutAssignment } from '../../session/imageAssignments.ts';
import { channelContents, type ChannelContent, packedSlot } from '../../textures/slots.ts';
import { el, fill, icon, iconButton, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import { showDialog } from '../showDialog.ts';
import { words } from '../words/index.ts';
import './matching.css';
import {
  DEFAULT_PACKING,
  MATCH_SLOTS,
  type MaterialRows,
  materialRows,
  matchSlotOf,
  type OfferedImage,
  offeredImages,
  type SlotRow,
} from './slots.ts';
import { drawTexture, ImageThumbnails } from './thumbnails.ts';

const CONTENTS: readonly ChannelContent[] = ['-', 'o', 'r', 'g', 'm'];
/** Maximum number of images that are listed. The search finds the others. */
const MAX_IMAGES = 400;

type MatchingPage = Pick<Page, 'root' | 'session' | 'shownModel' | 'assignImage' | 'setAssignments'>;

export function showMatching(page: MatchingPage): void {
  new MatchDialog(page).show();
}

class MatchDialog {
  readonly #page: MatchingPage;
  readonly #thumbnails = new ImageThumbnails();
  readonly #slots = el('div', { class: 'slots', role: 'radiogroup', 'aria-label': words.matching.slots });
  readonly #grid = el('div', {
    class: 'images',
    role: 'group',
    'aria-label': words.matching.images,
    onkeydown: (event: KeyboardEvent) => this.#move(event),
  });
  readonly #target = el('h3', { class: 'target-slot' });
  readonly #note = el('p', { class: 'quiet', hidden: true });
  readonly #showsAll = el('input', { type: 'checkbox', onchange: () => this.#fillGrid() });
  readonly #shared = el('input', { type: 'checkbox' });
  readonly #acceptAll = el('button', { type: 'button', class: 'button primary', onclick: () => void this.#accept(this.#suggestions()) });
  readonly #search = el('input', {
    type: 'search',
    placeholder: words.matching.search,
    'aria-label': words.matching.search,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => this.#fillGrid(),
  });
  readonly #dialog: HTMLDialogElement;
  #images: readonly OfferedImage[] = [];
  #materials: readonly MaterialRows[] = [];
  /** Empty slots that the visitor has added, by key of the material. */
  #added = new Map<string, string[]>();
  /** Key of the selected slot. */
  #selected = '';
  /** Number of changes that are not made yet. */
  #pending = 0;
  /** Resolves when all changes are made. */
  #last: Promise<void> = Promise.resolve();

  constructor(page: MatchingPage) {
    this.#page = page;
    const text = words.matching;
    const check = (input: HTMLInputElement, label: string): HTMLElement =>
      el('label', { class: 'check' }, input, el('span', { class: 'name' }, label));
    this.#dialog = el(
      'dialog',
      { class: 'matching', 'aria-label': text.title },
      el('h2', {}, text.title),
      el('p', { class: 'quiet about' }, text.about),
      el(
        'div',
        { class: 'columns' },
        el('section', { 'aria-label': text.slots }, this.#slots),
        el(
          'section',
          { 'aria-label': text.images },
          this.#target,
          el('div', { class: 'search' }, icon('search'), this.#search),
          check(this.#showsAll, text.allImages),
          this.#note,
          this.#grid,
        ),
      ),
      el(
        'div',
        { class: 'actions' },
        check(this.#shared, text.shared),
        this.#acceptAll,
        el('button', { type: 'button', class: 'button', onclick: () => this.#dialog.close() }, words.close),
      ),
    );
  }

  show(): void {
    const model = this.#page.shownModel.peek();
    const path = model?.input.path;
    const end = effect(() => {
      const shown = this.#page.shownModel.value;
      void this.#page.session.value;
      if (shown && shown.input.path === path) this.#update();
      else this.#dialog.close();
    });
    showDialog(this.#page.root, this.#dialog, () => {
      end();
      this.#thumbnails.dispose();
    });
    this.#slots.querySelector<HTMLElement>('input:checked')?.focus();
  }

  #update(): void {
    const model = this.#page.shownModel.peek()!;
    const session = this.#page.session.peek();
    this.#images = offeredImages(model, session);
    this.#materials = materialRows(model, this.#images, session);
    for (const material of this.#materials)
      for (const slot of this.#added.get(keyOf(material)) ?? [])
        if (!material.slots.some(row => matchSlotOf(row.slot) === matchSlotOf(slot)))
          material.slots.push({ slot, image: null, state: 'empty', texture: null });
    const keys = this.#materials.flatMap(material => material.slots.map(row => keyOf(material, row)));
    if (!keys.includes(this.#selected)) this.#selected = this.#nextEmpty() ?? keys[0] ?? '';
    this.#fillSlots();
    this.#fillGrid();
  }

  /** Returns the key of the first slot without an image. */
  #nextEmpty(): string | undefined {
    for (const material of this.#materials)
      for (const row of material.slots) if (!['assigned', 'found'].includes(row.state)) return keyOf(material, row);
    return undefined;
  }

  #fillSlots(): void {
    const focused = this.#slots.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['key'] : undefined;
    fill(this.#slots, ...this.#materials.map(material => this.#materialBlock(material)));
    if (focused !== undefined) {
      const selector = `[data-key="${CSS.escape(focused)}"]`;
      (this.#slots.querySelector<HTMLElement>(selector) ?? this.#slots.querySelector<HTMLElement>('input:checked'))?.focus();
    }
    const suggestions = this.#suggestions().length;
    this.#acceptAll.hidden = suggestions === 0;
    this.#acceptAll.textContent = words.matching.applyAll(suggestions);
  }

  #materialBlock(material: MaterialRows): HTMLElement {
    const left = MATCH_SLOTS.filter(slot => !material.slots.some(row => matchSlotOf(row.slot) === slot));
    const more = el(
      'select',
      {
        'aria-label': words.matching.addSlotTo(material.name),
        'data-key': `${keyOf(material)}+`,
        onchange: () => {
          const slot = more.value === 'packed' ? DEFAULT_PACKING : more.value;
          this.#added.set(keyOf(material), [...(this.#added.get(keyOf(material)) ?? []), slot]);
          this.#selected = keyOf(material, { slot });
          this.#update();
        },
      },
      el('option', { value: '' }, words.matching.addSlot),
      ...left.map(slot => el('option', { value: slot }, words.matching.slotNames[slot])),
    );
    return el(
      'section',
      { class: 'material' },
      el('h3', {}, material.name || words.noName, ' ', el('small', {}, words.matching.triangles(material.triangles))),
      ...material.slots.map(row => this.#slotRow(material, row)),
      left.length > 0 && picked(more),
    );
  }

  #slotRow(material: MaterialRows, row: SlotRow): HTMLElement {
    const text = words.matching;
    const key = keyOf(material, row);
    const file = this.#images.find(({ path }) => path === row.image)?.file ?? null;
    const picture = this.#thumbnails.create(file);
    if (row.texture) drawTexture(picture, row.texture);
    const isSuggested = row.state === 'name' || row.state === 'size';
    const image = row.image === null ? row.texture?.name || (row.state === 'found' ? text.fromFile : text.none) : baseName(row.image);
    const slotName = nameOf(row.slot);
    const radio = el('input', {
      type: 'radio',
      name: 'slot',
      'data-key': key,
      checked: key === this.#selected,
      onchange: () => {
        this.#selected = key;
        this.#fillGrid();
      },
    });
    return el(
      'div',
      { class: `slot ${row.state}` },
      el(
        'label',
        {},
        radio,
        picture,
        el(
          'span',
          { class: 'slot-text' },
          el('span', {}, slotName),
          el('small', {}, image),
          isSuggested && el('small', { class: 'suggested' }, text.suggested[row.state as 'name']),
        ),
      ),
      isSuggested &&
        el(
          'button',
          {
            type: 'button',
            class: 'button',
            'data-key': `${key}!`,
            'aria-label': text.applyTo(image, slotName, material.name),
            onclick: () => void this.#accept([[material, row]]),
          },
          text.apply,
        ),
      row.state === 'assigned' &&
        iconButton('close', text.remove(image, slotName), () => void this.#remove(material, row.slot), { 'data-key': `${key}-` }),
      matchSlotOf(row.slot) === 'packed' && this.#channels(material, row),
    );
  }

  /** Creates the controls that select what each channel of a packed image contains. */
  #channels(material: MaterialRows, row: SlotRow): HTMLElement {
    const contents = channelContents(row.slot)!;
    const selects: HTMLSelectElement[] = contents.map((content, at) =>
      el(
        'select',
        {
          'aria-label': words.matching.channels[at]!,
          'data-key': `${keyOf(material)}#${at}`,
          onchange: () =>
            void this.#repack(
              material,
              row,
              selects.map(({ value }) => value as ChannelContent),
            ),
        },
        ...CONTENTS.map(each => el('option', { value: each, selected: each === content }, words.matching.contents[each])),
      ),
    );
    return el(
      'div',
      { class: 'channels' },
      ...selects.map((select, at) => el('label', {}, el('span', {}, words.matching.channels[at]!), picked(select))),
    );
  }

  /** Changes what the channels of a packed image contain. */
  async #repack(material: MaterialRows, row: SlotRow, contents: readonly ChannelContent[]): Promise<void> {
    const slot = packedSlot(contents);
    const key = keyOf(material);
    this.#added.set(key, [...(this.#added.get(key) ?? []).filter(other => matchSlotOf(other) !== 'packed'), slot]);
    if (this.#selected === keyOf(material, row)) this.#selected = keyOf(material, { slot });
    if (row.state !== 'assigned' || row.image === null) return this.#update();
    const { path, name } = material;
    const assignment = this.#assignment(material, slot, row.image);
    await this.#run(() => {
      const { imageAssignments } = this.#page.session.peek();
      const packed = imageAssignments.filter(each => each.image === assignment.image && matchSlotOf(each.slot) === 'packed');
      const left = packed.reduce(
        (all, { slot: earlier }) => withoutAssignment(all, { path, material: name, slot: earlier }),
        imageAssignments,
      );
      return this.#page.setAssignments(withAssignment(left, assignment));
    });
  }

  #fillGrid(): void {
    const [material, row] = this.#find(this.#selected) ?? [];
    this.#target.textContent = material && row ? words.matching.imageFor(nameOf(row.slot), material.name || words.noName) : '';
    const typed = this.#search.value.trim().toLowerCase();
    const listed = this.#images.filter(
      ({ path, isUsed }) => (this.#showsAll.checked || !isUsed || path === row?.image) && path.toLowerCase().includes(typed),
    );
    const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('.images button')?.dataset['path'];
    const buttons = listed.slice(0, MAX_IMAGES).map(image => this.#imageButton(image, image.path === row?.image));
    fill(this.#grid, ...buttons);
    const current = buttons.find(({ dataset }) => dataset['path'] === focused) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
    if (focused !== undefined) current?.focus();
    const more = listed.length - buttons.length;
    this.#note.hidden = listed.length > 0 && more === 0;
    this.#note.textContent = more > 0 ? words.more(more) : typed ? words.noResults : words.matching.noImages;
  }

  #imageButton(image: OfferedImage, isChosen: boolean): HTMLButtonElement {
    const { path, file, isUsed } = image;
    const size = el('small', {});
    return el(
      'button',
      {
        type: 'button',
        class: 'image',
        'data-path': path,
        title: path,
        'aria-pressed': String(isChosen),
        onclick: () => void this.#choose(image),
      },
      this.#thumbnails.create(file, text => (size.textContent = text || words.matching.notDrawn)),
      el('span', {}, file.name),
      size,
      isUsed && el('small', { class: 'used' }, words.matching.used),
    );
  }

  /** Moves the focus between images with the arrow keys, Home and End. */
  #move(event: KeyboardEvent): void {
    const buttons = [...this.#grid.querySelectorAll<HTMLButtonElement>('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    const top = buttons[0]!.offsetTop;
    const columns = Math.max(
      buttons.findIndex(({ offsetTop }) => offsetTop > top),
      1,
    );
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -at,
      End: buttons.length - 1 - at,
    };
    const next = Object.hasOwn(steps, event.key) ? buttons[at + steps[event.key]!] : undefined;
    if (!next) return;
    event.preventDefault();
    buttons[at]!.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  #find(key: string): [MaterialRows, SlotRow] | undefined {
    for (const material of this.#materials) for (const row of material.slots) if (keyOf(material, row) === key) return [material, row];
    return undefined;
  }

  #suggestions(): [MaterialRows, SlotRow][] {
    return this.#materials.flatMap(material =>
      material.slots.filter(({ state }) => state === 'name' || state === 'size').map((row): [MaterialRows, SlotRow] => [material, row]),
    );
  }

  /** Assigns an image to the selected slot, then selects the next slot without an image. */
  async #choose({ path, file }: OfferedImage): Promise<void> {
    const [material, row] = this.#find(this.#selected) ?? [];
    if (!material || !row) return;
    await this.#run(() => this.#page.assignImage(this.#assignment(material, row.slot, path), file));
    const next = this.#nextEmpty();
    if (next === undefined) return;
    this.#selected = next;
    this.#update();
  }

  async #accept(suggestions: readonly [MaterialRows, SlotRow][]): Promise<void> {
    await this.#run(async () => {
      for (const [material, { slot, image }] of suggestions) {
        const offered = this.#images.find(({ path }) => path === image);
        if (offered) await this.#page.assignImage(this.#assignment(material, slot, offered.path), offered.file);
      }
    });
  }

  #remove({ path, name }: MaterialRows, slot: string): Promise<void> {
    return this.#run(() => {
      const { imageAssignments } = this.#page.session.peek();
      return this.#page.setAssignments(withoutAssignment(imageAssignments, { path, material: name, slot }));
    });
  }

  #assignment({ path, name }: MaterialRows, slot: string, image: string): ImageAssignment {
    return { path, isShared: this.#shared.checked, material: name, slot, image };
  }

  /** Makes a change after all earlier changes. */
  #run(change: () => Promise<void>): Promise<void> {
    this.#pending++;
    this.#dialog.setAttribute('aria-busy', 'true');
    const made = this.#last.then(change).finally(() => {
      if (--this.#pending === 0) this.#dialog.removeAttribute('aria-busy');
    });
    this.#last = made.catch(() => {}); // the caller reports the error
    return made;
  }
}

const keyOf = ({ path, name }: Pick<MaterialRows, 'path' | 'name'>, row?: Pick<SlotRow, 'slot'>): string =>
  [path, name, ...(row ? [row.slot] : [])].join('\n');

/** Returns the name of a slot on screen. */
const nameOf = (slot: string): string => words.matching.slotNames[matchSlotOf(slot) ?? 'baseColor'];
