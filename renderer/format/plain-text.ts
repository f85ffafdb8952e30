import { withoutControlSequences } from '../../shared/control-sequences.ts';
import { showDirectionControls } from './text-direction.ts';

/**
 * Line as a terminal shows it, without colours. Other control characters become visible, and so do those of the writing
 * direction.
 */
export function toPlainText(line: string): string {
  const shown = withoutControlSequences(line);
  // A carriage return rewrites a line, as progress bars do, so only the last version is visible.
  const last = shown.slice(shown.lastIndexOf('\r') + 1);
  return showDirectionControls(last).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\ufffd');
}
