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

/** What a terminal would show of a line, without its colours; other control characters become visible, and so do those of the writing direction. */
export function toPlainText(line: string): string {
  const shown = line.replace(controlSequences, '');
  // A progress bar rewrites its line with carriage returns: what stands there last is what would be seen.
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  return showDirectionControls(last).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
}
