import { withoutControlSequences } from '../../shared/control-sequences.ts';
import { showDirectionControls } from './text-direction.ts';

/** Returns a line as terminals show it, without colours. Other control characters, also for writing direction, become visible. */
export function toPlainText(line: string): string {
  const shown = withoutControlSequences(line);
  // A carriage return overwrites the line, as progress bars do, so only the last version is visible.
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  return showDirectionControls(last).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
}
