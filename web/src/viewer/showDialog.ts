/**
 * Shows a modal dialog below `root`, and removes it after it was closed. `onClose`: called after it
 * was closed.
 */
export function showDialog(root: HTMLElement, dialog: HTMLDialogElement, onClose: () => void = () => {}): void {
  // The close event of the previous dialog can fire after the next dialog was opened.
  for (const closed of root.querySelectorAll(':scope > dialog:not([open])')) closed.remove();
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose();
  });
  root.append(dialog);
  dialog.showModal();
}
