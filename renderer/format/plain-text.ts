import { withoutControlSequences } from '../../shared/control-sequences.ts';
import { showDirectionControls } from './text-direction.ts';

/**
 * Line as a terminal would show it, without colours. Other control characters become visible, and so do those
 * of the writing direction.
 */
export function toPlainText(line: string): string {
  const shown = withoutControlSequences(line);
  // Carriage returns rewrite a line, as a progress bar does, so that only the last version would be seen.
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  return showDirectionControls(last).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
}
