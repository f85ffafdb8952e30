import { certainty, findCause, isRemark } from './cause-line.ts';
import { cut, headlineAt } from './headline.ts';
import { remedyFor, type DiagnosedRemedy } from './remedy.ts';
import { tellingLines, type StderrLine } from './stderr-lines.ts';

export interface Diagnosis {
  /** The line that says why, up to 240 characters. */
  readonly cause: string;
  /** That line among those around it, as they were written: up to 6. */
  readonly lines: readonly string[];
  /** The line reads like a cause; false: it is only what was written last. */
  readonly isTelling: boolean;
  /** Absent where nothing is known that would mend it. */
  readonly remedy?: DiagnosedRemedy;
}

/** A traceback or the help of a program fits into it. */
const MAX_CHARACTERS = 16 * 1024;
const LINES_BEFORE = 2;
const MAX_LINES = 6;

/** Progress and greetings: a server that says so is not ending. */
const GREETING =
  /\b(?:running|listening|started|starting|connected|ready|initiali[sz]ed|loaded|loading|serving|server on|shutting down|closed)\b/i;

/**
 * What the end of an output tells about why its program ended; undefined when it tells nothing. Takes time in proportion
 * to the text, of which the last 16 KiB are looked at.
 * @param variables names of the variables that the server's entry sets
 */
export function diagnose(stderrTail: string, variables: readonly string[] = []): Diagnosis | undefined {
  const lines = tellingLines(stderrTail.slice(-MAX_CHARACTERS));
  const found = findCause(lines);
  if (found === undefined) return undefined;
  const cause = headlineAt(lines, found.at);
  const isTelling = found.certainty >= certainty.hint || !GREETING.test(cause);
  const around = linesAround(lines, found.at);
  const told = around.filter((line) => !isRemark(line)).map(({ text }) => text);
  const remedy = isTelling ? remedyFor({ cause, lines: told, variables }) : undefined;
  return { cause, lines: around.map(({ shown }) => cut(shown)), isTelling, ...(remedy && { remedy }) };
}

function linesAround(lines: readonly StderrLine[], at: number): readonly StderrLine[] {
  const first = Math.max(0, Math.min(at - LINES_BEFORE, lines.length - MAX_LINES));
  return lines.slice(first, first + MAX_LINES);
}
