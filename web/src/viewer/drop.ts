// Listens for files that are dropped or pasted onto the page.
import { prepare } from '../core/prepare.ts';
import type { Vector2Like } from 'three';
import { filesOfList, filesOfTransfer, type IncomingFiles } from './incomingFiles.ts';

/** Starts to load the file readers that the files will need. */
export function prefetchReaders(files: readonly string[] = []): void {
  prepare({ files }).catch(() => {}); // ignored, because opening the files reports the error
}

/**
 * Listens for dropped and pasted files. `onFiles` receives the files and, after a drop, its
 * position in CSS pixels. `veil` is called with true when files are dragged over the page, and with
 * false when they are dropped or leave the page.
 */
export function listenForFiles(
  onFiles: (incoming: IncomingFiles | Promise<IncomingFiles>, at?: Vector2Like) => void,
  veil: (isShown: boolean) => void,
  signal: AbortSignal,
): void {
  let depth = 0;
  const carriesFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const on = <Name extends 'dragenter' | 'dragleave' | 'dragover' | 'drop'>(
    name: Name,
    act: (event: DragEvent, isHandled: boolean) => void,
  ): void =>
    window.addEventListener(
      name,
      event => {
        if (!carriesFiles(event)) return;
        const isHandled = event.defaultPrevented;
        if (name !== 'dragleave') event.preventDefault();
        act(event, isHandled);
      },
      { signal },
    );
  on('dragenter', () => {
    if (depth++ === 0) prefetchReaders();
    veil(true);
  });
  on('dragleave', () => {
    if (--depth <= 0) veil(false);
  });
  on('dragover', event => (event.dataTransfer!.dropEffect = 'copy'));
  on('drop', (event, isHandled) => {
    depth = 0;
    veil(false);
    // An element of the page that uses the files itself calls `preventDefault`.
    if (!isHandled) onFiles(filesOfTransfer(event.dataTransfer!), { x: event.clientX, y: event.clientY });
  });
  window.addEventListener(
    'paste',
    event => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(filesOfList(files));
    },
    { signal },
  );
}
