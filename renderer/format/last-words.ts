import type { ErrorReport } from '../../shared/error-codes.ts';
import { toPlainText } from './plain-text.ts';

/** Maximum lines of stderr shown beside a cause. */
const MOST_LINES = 2;

/** Last lines of stderr about an error that its message does not contain. */
export const lastWords = ({ message, causeLines = [] }: ErrorReport): readonly string[] =>
  causeLines
    .filter((line) => !message.includes(line.trim()))
    .slice(-MOST_LINES)
    .map(toPlainText);
