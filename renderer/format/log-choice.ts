import type { LogLevel } from '../../shared/log-level.ts';

/** How logs are read: the search, and what is shown of them. It holds for all servers. */
export interface LogChoice {
  readonly words: string;
  readonly isRegex: boolean;
  readonly matchesCase: boolean;
  /** Whether lines that do not match are hidden; otherwise matches are only marked. */
  readonly isFilter: boolean;
  /** Least severity that is shown; undefined shows every line, those that tell none as well. */
  readonly leastLevel: LogLevel | undefined;
  /** Whether long lines are broken, rather than scrolled. */
  readonly wraps: boolean;
}

export const everyLogLine: LogChoice = {
  words: '',
  isRegex: false,
  matchesCase: false,
  isFilter: false,
  leastLevel: undefined,
  wraps: true,
};
