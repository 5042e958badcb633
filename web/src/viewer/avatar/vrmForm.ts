// Form for the title, authors, licence, permissions and thumbnail of a VRM, in the save dialog.
import type { VrmMeta } from '../../convert/index.ts';
import { completeMeta } from '../../convert/vrm/meta.ts';
import { checkVrm, PERMISSIONS, type VrmPermission } from '../../convert/vrm/writing.ts';
import type { VrmChoice } from '../saveChoice.ts';
import { el, picked } from '../dom.ts';
import { words } from '../words/index.ts';
import './vrmForm.css';

export interface VrmFormOptions {
  /** Metadata that the model declares. */
  declared: VrmMeta;
  /** Values that the visitor entered earlier; null if there are none. */
  choice: VrmChoice | null;
  /** Draws the viewport as a square picture. */
  drawThumbnail: () => Promise<Blob | null>;
  apply: (choice: VrmChoice) => void;
  /** Called when the visitor changes a value that is not applied yet. */
  onEdit: () => void;
}

const TEXTS = [
  'name',
  'version',
  'authors',
  'licenseUrl',
  'otherLicenseUrl',
  'copyrightInformation',
  'contactInformation',
  'references',
  'thirdPartyLicenses',
] as const;
type TextField = (typeof TEXTS)[number];
const LISTS: ReadonlySet<string> = new Set(['authors', 'references']);
const MULTILINE: ReadonlySet<string> = new Set(['authors', 'references', 'thirdPartyLicenses']);
const REQUIRED: ReadonlySet<string> = new Set(['name', 'authors', 'licenseUrl']);

export function vrmForm({ declared, choice, drawThumbnail, apply, onEdit }: VrmFormOptions): HTMLElement {
  const text = words.vrm;
  const meta = completeMeta({ ...declared, ...choice?.meta });
  const valueOf = (field: TextField): string => {
    const value = meta[field];
    return typeof value === 'string' ? value : (value ?? []).join('\n');
  };
  const inputs = new Map<TextField, HTMLInputElement | HTMLTextAreaElement>();
  const field = (name: TextField): HTMLElement => {
    const attributes = { name, required: REQUIRED.has(name), autocomplete: 'off' };
    const input = MULTILINE.has(name)
      ? el('textarea', { ...attributes, rows: 2 }, valueOf(name))
      : el('input', { ...attributes, type: name.endsWith('Url') ? 'url' : 'text', value: valueOf(name) });
    inputs.set(name, input);
    return el('label', { class: 'vrm-field' }, el('span', {}, text.fields[name]), input);
  };
  const selects = new Map<VrmPermission, HTMLSelectElement>();
  const permission = (name: VrmPermission): HTMLElement => {
    const select = el(
      'select',
      { name },
      ...PERMISSIONS[name].map(value =>
        el('option', { value: String(value), selected: meta[name] === value }, text.values[String(value)] ?? String(value)),
      ),
    );
    selects.set(name, select);
    return el('label', { class: 'vrm-field' }, el('span', {}, text.fields[name]), picked(select));
  };
  let thumbnail = choice?.thumbnail ?? null;
  let address = '';
  const picture = el('img', { class: 'vrm-thumbnail', alt: text.thumbnail, width: 96, height: 96, hidden: true });
  const remove = el('button', { type: 'button', class: 'plain', onclick: () => show(null, true) }, text.removeThumbnail);
  const failure = el('p', { role: 'alert', hidden: true });
  const show = (blob: Blob | null, isEdit: boolean): void => {
    thumbnail = blob;
    if (address) URL.revokeObjectURL(address);
    address = blob ? URL.createObjectURL(blob) : '';
    if (blob) picture.src = address;
    picture.hidden = remove.hidden = blob === null;
    if (isEdit) edited();
  };
  const draw = async (): Promise<void> => {
    const blob = await drawThumbnail();
    failure.hidden = blob !== null;
    failure.textContent = blob ? '' : words.pictureFailed;
    if (blob) show(blob, true);
  };
  const submit = el('button', { type: 'submit', class: 'button primary', hidden: true }, text.apply);
  const note = el('p', { class: 'quiet', role: 'status' });
  const edited = (): void => {
    submit.hidden = false;
    note.textContent = text.notApplied;
    onEdit();
  };
  const read = (): VrmMeta => {
    const values: Record<string, unknown> = {};
    for (const [name, { value }] of inputs) {
      const lines = LISTS.has(name)
        ? value
            .split('\n')
            .map(line => line.trim())
            .filter(Boolean)
        : value.trim();
      if (lines.length > 0) values[name] = lines;
    }
    for (const [name, { value }] of selects) values[name] = PERMISSIONS[name].find(each => String(each) === value);
    return values as VrmMeta;
  };
  const form = el(
    'form',
    {
      class: 'vrm-form',
      'aria-label': text.title,
      oninput: edited,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        const entered = read();
        try {
          checkVrm({ meta: entered });
        } catch (error) {
          failure.hidden = false;
          failure.textContent = (error as Error).message;
          return;
        }
        apply({ meta: entered, thumbnail });
      },
    },
    el('p', { class: 'quiet' }, text.about),
    el('div', { class: 'vrm-fields' }, ...TEXTS.map(field)),
    el(
      'fieldset',
      {},
      el('legend', {}, text.permissions),
      el('div', { class: 'vrm-fields' }, ...Object.keys(PERMISSIONS).map(name => permission(name as VrmPermission))),
    ),
    el(
      'div',
      { class: 'vrm-picture' },
      picture,
      el('button', { type: 'button', class: 'button', onclick: () => void draw() }, text.takeThumbnail),
      remove,
    ),
    failure,
    el('div', { class: 'actions' }, submit, note),
  );
  show(thumbnail, false);
  return el('details', { class: 'vrm-meta', open: choice !== null }, el('summary', {}, text.title), form);
}
