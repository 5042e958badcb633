// Files that are dragged onto the page or pasted.
import { prepare } from '../core/prepare.ts';
import type { Vector2Like } from 'three';
import { filesOfList, filesOfTransfer, type Given } from './intake.ts';

/** Somebody gives files, or is about to: what the first of them would wait for is fetched meanwhile, and what reads files of such names. */
export function expectFiles(files: readonly string[] = []): void {
  prepare({ files }).catch(() => {}); // the file will say so
}

/** `take` is told where files were dropped, in pixels of the page. `veil`: whether something hangs over the page that can be dropped. */
export function listenForFiles(
  take: (given: Given | Promise<Given>, at?: Vector2Like) => void,
  veil: (isShown: boolean) => void,
  signal: AbortSignal,
): void {
  let depth = 0;
  const carriesFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const on = <Name extends 'dragenter' | 'dragleave' | 'dragover' | 'drop'>(name: Name, act: (event: DragEvent) => void): void =>
    window.addEventListener(
      name,
      event => {
        if (!carriesFiles(event)) return;
        if (name !== 'dragleave') event.preventDefault();
        act(event);
      },
      { signal },
    );
  on('dragenter', () => {
    if (depth++ === 0) expectFiles();
    veil(true);
  });
  on('dragleave', () => {
    if (--depth <= 0) veil(false);
  });
  on('dragover', event => (event.dataTransfer!.dropEffect = 'copy'));
  on('drop', event => {
    depth = 0;
    veil(false);
    take(filesOfTransfer(event.dataTransfer!), { x: event.clientX, y: event.clientY });
  });
  window.addEventListener(
    'paste',
    event => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take(filesOfList(files));
    },
    { signal },
  );
}
