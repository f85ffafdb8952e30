import type { ErrorReport } from '../../shared/error-codes.ts';
import { toPlainText } from './plain-text.ts';

/** Most lines of stderr beside a cause. */
const MOST_LINES = 2;

/** Last lines of stderr about an error; none where the message has said them already. */
export function lastWords({ message, causeLines = [] }: ErrorReport): readonly string[] {
  const isAllTold = causeLines.every((line) => message.includes(line.trim()));
  return isAllTold ? [] : causeLines.slice(-MOST_LINES).map(toPlainText);
}
