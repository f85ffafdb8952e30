import { certainty, findCause, isRemark } from './cause-line.ts';
import { cut, headlineAt } from './headline.ts';
import { remedyFor, type DiagnosedRemedy } from './remedy.ts';
import { tellingLines, type StderrLine } from './stderr-lines.ts';

export interface Diagnosis {
  /** Line that states the cause, up to 240 characters. */
  readonly cause: string;
  /** That line and its neighbours as they were written, up to 6. */
  readonly lines: readonly string[];
  /** Whether the line reads like a cause; if not, it is just the last one written. */
  readonly isTelling: boolean;
  /** Undefined if no remedy is known. */
  readonly remedy?: DiagnosedRemedy;
}

/** Large enough for a traceback or the help of a program. */
const MAX_CHARACTERS = 16 * 1024;
const LINES_BEFORE = 2;
const MAX_LINES = 6;

/** Progress and welcome lines. A server that writes them is not failing. */
const GREETING =
  /\b(?:running|listening|started|starting|connected|ready|initiali[sz]ed|loaded|loading|serving|server on|shutting down|closed)\b/i;

/**
 * Finds in the end of stderr why the program ended; undefined if it does not say. Reads the last 16 KiB; time is linear in
 * the text.
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
