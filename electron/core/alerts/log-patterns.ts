import type { AlertRule } from '../../../shared/alerts.ts';
import { withoutControlSequences } from '../../../shared/control-sequences.ts';
import { compileQuery, type CompiledQuery, type LineMatcher } from '../../../shared/line-query.ts';
import { mapInTurns } from '../map-in-turns.ts';

/** Maximum number of lines that wait to be searched. */
const MAX_LINES = 5000;
/** Number of characters of a line that are searched, which takes at most a millisecond for any pattern. */
const SEARCHED_CHARACTERS = 2048;

interface Line {
  readonly server: string;
  readonly text: string;
}

interface CompiledRule {
  readonly rule: AlertRule;
  readonly matcher: LineMatcher;
}

/** Compiles the pattern of a rule for a regular expression engine that runs in linear time. Case is ignored. */
export const compilePattern = (pattern: string): Promise<CompiledQuery> =>
  compileQuery({ words: pattern, isRegex: true, matchesCase: false });

/** Searches log lines for the patterns of alert rules. Each tick of the event loop searches only a limited number of lines. */
export class LogPatterns {
  readonly #onMatch: (rule: AlertRule, line: Line) => void;
  #rules: readonly CompiledRule[] = [];
  #lines: Line[] = [];
  #isSearching = false;
  #skipped = 0;
  #turn = 0;

  constructor(onMatch: (rule: AlertRule, line: Line) => void) {
    this.#onMatch = onMatch;
  }

  /** Replaces the rules. Invalid patterns, which can only come from an edited file, match nothing. */
  async setRules(rules: readonly AlertRule[]): Promise<void> {
    const turn = (this.#turn += 1);
    const compiled = await Promise.all(
      rules.flatMap((rule) =>
        rule.what === 'log' && rule.pattern !== undefined
          ? [compilePattern(rule.pattern).then((query) => ({ rule, query }))]
          : [],
      ),
    );
    if (turn !== this.#turn) return;
    this.#rules = compiled.flatMap(({ rule, query }) =>
      query.kind === 'matcher' ? [{ rule, matcher: query.matcher }] : [],
    );
  }

  add(line: Line): void {
    if (this.#rules.length === 0) return;
    if (this.#lines.length >= MAX_LINES) this.#skipped += 1;
    else this.#lines.push(line);
    if (!this.#isSearching) void this.#search();
  }

  /** Returns the number of lines that arrived too fast to be searched, and resets it to 0. */
  takeSkipped(): number {
    const skipped = this.#skipped;
    this.#skipped = 0;
    return skipped;
  }

  async #search(): Promise<void> {
    this.#isSearching = true;
    while (this.#lines.length > 0) {
      const lines = this.#lines.splice(0).map(({ server, text }): Line => {
        return { server, text: withoutControlSequences(text.slice(0, SEARCHED_CHARACTERS)) };
      });
      await mapInTurns(
        lines,
        ({ text }) => text.length * this.#rules.length,
        (line) => this.#look(line),
      );
    }
    this.#isSearching = false;
  }

  #look(line: Line): void {
    for (const { rule, matcher } of this.#rules)
      if (appliesTo(rule, line.server) && matcher.test(line.text)) this.#onMatch(rule, line);
  }
}

export const appliesTo = ({ servers }: Pick<AlertRule, 'servers'>, server: string): boolean =>
  servers === 'all' || servers.includes(server);
