// Tab for videos: the form, the progress of the rendering, and the finished file.
import { FORMAT_TRAITS } from '../../encode/encodeFrames.ts';
import { el, fill } from '../dom.ts';
import type { Page } from '../page.ts';
import { words } from '../words/index.ts';
import { framesOf, renderVideo, type VideoChoice } from './renderVideo.ts';
import { videoForm } from './videoForm.ts';

export interface VideoTabOptions {
  /** Base name of the file. */
  name: string;
  /** Background colour of opaque videos. */
  background: string;
  /** Runs work that the next load of the page cancels. */
  run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** Signal that is aborted when the dialog is closed. */
  closed: AbortSignal;
  close: () => void;
}

export function videoTab(page: Page, { name, background, run, closed, close }: VideoTabOptions): HTMLElement {
  const text = words.video;
  const form = videoForm(page, choice => void run(opened => render(choice, opened)), close);
  const panel = el('div', {}, form);
  const showForm = (): void => fill(panel, form);
  const button = (label: string, onclick: () => void): HTMLElement => el('button', { type: 'button', class: 'button', onclick }, label);
  const actions = (...children: HTMLElement[]): HTMLElement => el('div', { class: 'actions' }, ...children);

  async function render(choice: VideoChoice, opened: AbortSignal): Promise<void> {
    const cancel = new AbortController();
    const count = framesOf(page, choice).length;
    const canvas = el('canvas', { class: 'preview', 'aria-hidden': 'true' });
    const bar = el('progress', { 'aria-label': text.title, max: count, value: 0 });
    const progress = el('p', { class: 'progress' }, text.frame(0, count));
    const stop = button(words.cancel, () => cancel.abort());
    fill(panel, canvas, progress, bar, actions(stop));
    stop.focus();
    const onFrame = (done: number): void => {
      progress.textContent = text.frame(done, count);
      bar.value = done;
    };
    try {
      const signal = AbortSignal.any([opened, closed, cancel.signal]);
      showResult(await renderVideo(page, choice, background, canvas, { signal, onFrame }), choice, count);
    } catch (error) {
      if (opened.aborted)
        close(); // another load has started
      else if (cancel.signal.aborted) showForm();
      else if (!closed.aborted) showFailure(error instanceof Error ? error.message : String(error));
    }
  }

  function showResult(blob: Blob, { content, format, frameRate, width, height }: VideoChoice, count: number): void {
    const file = `${name}${content === 'animation' ? '' : '-turntable'}.${FORMAT_TRAITS[format].extension}`;
    const address = URL.createObjectURL(blob);
    closed.addEventListener('abort', () => URL.revokeObjectURL(address));
    const link = el('a', { class: 'button primary', href: address, download: file }, words.saveFile(file, blob.size));
    fill(
      panel,
      el('p', { role: 'status' }, text.ready),
      el('p', { class: 'quiet' }, text.summary(count, count / frameRate, width, height)),
      actions(link, button(text.back, showForm), el('button', { type: 'button', class: 'plain', onclick: close }, words.close)),
    );
    link.focus();
  }

  function showFailure(reason: string): void {
    const back = button(text.back, showForm);
    fill(panel, el('p', { role: 'alert' }, text.failed(reason)), actions(back));
    back.focus();
  }

  return panel;
}
