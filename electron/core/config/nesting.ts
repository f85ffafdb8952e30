import { createScanner } from 'jsonc-parser';
import { problemAt, type ConfigProblem } from './config-problem.ts';

/** Maximum depth, ten times what any configuration needs; recursive parsers exhaust the stack at some thousands. */
const MAX_DEPTH = 100;

/** Token kinds of jsonc-parser, whose enum is const and cannot be imported: `{` `}` `[` `]` and the end. */
const OPENING: readonly number[] = [1, 3];
const CLOSING: readonly number[] = [2, 4];
const END = 17;

/** Returns the place where nesting exceeds the maximum, as a problem. Called before parsing. */
export function tooDeep(text: string): ConfigProblem | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (OPENING.includes(kind)) depth += 1;
    else if (CLOSING.includes(kind)) depth -= 1;
    if (depth > MAX_DEPTH) {
      const message = `expected at most ${MAX_DEPTH} levels of objects and lists, found more: it is nested too deeply`;
      return problemAt(text, scanner.getTokenOffset(), message);
    }
  }
  return undefined;
}
