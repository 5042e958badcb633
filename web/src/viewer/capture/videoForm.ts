// Form with the choices for a video.
import { encodableFormats, FORMAT_TRAITS, VIDEO_FORMATS, type VideoFormat } from '../../encode/encodeFrames.ts';
import { turnSeconds } from '../../encode/frameTimes.ts';
import { el, picked } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import { framesOf, partOf, VIDEO_CONTENTS, type VideoChoice, type VideoContent } from './renderVideo.ts';

/** Minimum duration of a turn in seconds that the form suggests. */
const TURN_SECONDS = 6;
/** Maximum duration of a turn in seconds. */
const MAX_TURN_SECONDS = 600;
/** Frame rate that the form suggests if the animation has none. */
const FRAME_RATE = 30;
/** Maximum number of frames of a video. */
const MAX_FRAMES = 20_000;
const SIZES = ['1920 × 1080', '1280 × 720', '1080 × 1080', '1080 × 1920'];

const sizeText = (width: number | string, height: number | string): string => `${width} × ${height}`;
const even = (value: number): number => Math.max(Math.round(value / 2) * 2, 2);
/** Formats a number for an input with at most three decimals. */
const rounded = (value: number): string => String(Number(value.toFixed(3)));

const row = (label: string, control: HTMLElement): HTMLElement => el('label', { class: 'row-of' }, el('span', {}, label), control);

function select<T extends string>(values: readonly T[], label: (value: T) => string): HTMLSelectElement {
  return el('select', {}, ...values.map(value => el('option', { value }, label(value))));
}

const numberInput = (min: number, max: number, step: number | 'any', label?: string): HTMLInputElement =>
  el('input', { type: 'number', min, max, step, required: true, 'aria-label': label });

/** Creates the form. `render`: called with the choices of the visitor. */
export function videoForm(page: Page, render: (choice: VideoChoice) => void, close: () => void): HTMLFormElement {
  const text = words.video;
  const { playback, viewport } = page;
  const { view, sharedRenderer } = viewport;
  const hasAnimation = playback.duration > 0;
  // A camera of the file can't orbit the model.
  const canTurn = view.cameraRig.externalCamera === null;
  const contents = VIDEO_CONTENTS.filter(each => (hasAnimation || each === 'turntable') && (canTurn || each === 'animation'));
  const viewSize = sizeText(even(view.size.width * devicePixelRatio), even(view.size.height * devicePixelRatio));
  const sizes = [...new Set([viewSize, ...SIZES]), ''];

  const content = select(contents, value => text.contents[value]);
  const range = select(['selected', 'whole'], value => text.ranges[value]);
  const turn = numberInput(0.1, MAX_TURN_SECONDS, 'any');
  const format = select(VIDEO_FORMATS, value => text.formats[value]);
  const rate = numberInput(1, FORMAT_TRAITS.mp4.maxFrameRate, 'any');
  const size = select(sizes, value => (value === viewSize ? text.viewSize(value) : value || text.customSize));
  const width = numberInput(2, sharedRenderer.maxPictureSize, 1, text.width);
  const height = numberInput(2, sharedRenderer.maxPictureSize, 1, text.height);
  const transparent = el('input', { type: 'checkbox' });
  const floor = el('input', { type: 'checkbox', checked: true });
  const rangeRow = row(text.range, picked(range));
  const turnRow = row(text.turnSeconds, turn);
  const transparentRow = el('label', { class: 'check' }, transparent, el('span', { class: 'name' }, words.transparent));
  const unavailable = el('p', { class: 'quiet', hidden: true });
  const summary = el('p', { class: 'quiet', role: 'status' });
  const submit = el('button', { type: 'submit', class: 'button primary' }, text.render);
  const form = el(
    'form',
    { class: 'video', 'aria-label': text.title },
    row(text.content, picked(content)),
    rangeRow,
    turnRow,
    row(text.format, picked(format)),
    unavailable,
    row(text.frameRate, rate),
    row(text.size, picked(size)),
    el(
      'div',
      { class: 'row-of', role: 'group', 'aria-label': text.pixels },
      el('span', {}, text.pixels),
      el('span', { class: 'pair' }, width, '×', height),
    ),
    transparentRow,
    el('label', { class: 'check' }, floor, el('span', { class: 'name' }, words.includeFloor)),
    summary,
    el('div', { class: 'actions' }, submit, el('button', { type: 'button', class: 'plain', onclick: close }, words.close)),
  );

  const formatOf = (): VideoFormat => format.value as VideoFormat;
  const choice = (): VideoChoice => ({
    content: content.value as VideoContent,
    isRange: playback.range !== null && range.value === 'selected',
    turnSeconds: Number(turn.value),
    format: formatOf(),
    frameRate: Number(rate.value),
    width: Number(width.value),
    height: Number(height.value),
    isTransparent: transparent.checked && FORMAT_TRAITS[formatOf()].supportsTransparency,
    hasFloor: floor.checked,
  });

  function suggestTurn(): void {
    const { content: chosen, isRange } = choice();
    turn.value = rounded(turnSeconds(TURN_SECONDS, chosen === 'both' ? partOf(page, isRange) : null));
  }

  function useSize(): void {
    if (size.value) [width.value, height.value] = size.value.split(' × ') as [string, string];
  }

  function showSize(): void {
    const typed = sizeText(width.value, height.value);
    size.value = sizes.includes(typed) ? typed : '';
  }

  /** Adapts the form to the choices: hides what has no effect, and shows the number of frames. */
  function update(): void {
    const { content: chosen, isTransparent, ...wanted } = choice();
    const { supportsTransparency, needsEvenSize, maxFrameRate } = FORMAT_TRAITS[formatOf()];
    rangeRow.hidden = playback.range === null || chosen === 'turntable';
    turnRow.hidden = turn.disabled = chosen === 'animation';
    transparentRow.hidden = !supportsTransparency;
    rate.max = String(maxFrameRate);
    if (needsEvenSize) for (const input of [width, height]) if (input.checkValidity()) input.value = String(even(Number(input.value)));
    const isValid = form.checkValidity();
    const count = isValid ? framesOf(page, { content: chosen, isTransparent, ...wanted }).length : 0;
    submit.disabled = count > MAX_FRAMES;
    summary.textContent = !isValid
      ? ''
      : count > MAX_FRAMES
        ? text.tooLong(count, MAX_FRAMES)
        : text.summary(count, count / wanted.frameRate, Number(width.value), Number(height.value));
  }

  /** Disables the formats that the browser can't encode in the chosen size. */
  async function updateFormats(): Promise<void> {
    const wanted = choice();
    const found = await encodableFormats({ width: even(wanted.width), height: even(wanted.height) }, wanted.frameRate || FRAME_RATE);
    for (const option of format.options) option.disabled = !found.includes(option.value as VideoFormat);
    if (!found.includes(formatOf())) format.value = found[0]!;
    const [hasMp4, hasWebm] = [found.includes('mp4'), found.includes('webm')];
    unavailable.hidden = hasMp4 && hasWebm;
    unavailable.textContent = hasWebm ? text.noMp4 : hasMp4 ? text.noWebm : text.noEncoder;
    update();
  }

  rate.value = rounded(playback.action?.frameRate || FRAME_RATE);
  useSize();
  suggestTurn();
  content.addEventListener('change', suggestTurn);
  range.addEventListener('change', suggestTurn);
  size.addEventListener('change', useSize);
  form.addEventListener('change', event => {
    if (event.target === width || event.target === height) showSize();
    update();
    void updateFormats();
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    render(choice());
  });
  update();
  void updateFormats();
  return form;
}
