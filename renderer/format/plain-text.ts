import { showDirectionControls } from './text-direction.ts';

/** Terminal control sequences: colours and cursor moves (CSI), titles and links (OSC), and single-character ones. */
const controlSequences = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[@-Z\\\\-_]',
  ].join('|'),
  'g',
);

/**
 * Line as a terminal would show it, without colours. Other control characters become visible, and so do those
 * of the writing direction.
 */
export function toPlainText(line: string): string {
  const shown = line.replace(controlSequences, '');
  // Carriage returns rewrite a line, as a progress bar does, so that only the last version would be seen.
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  return showDirectionControls(last).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
}
