/** How logs are read: the search, and how lines are laid out. It holds for all logs of the window. */
export interface LogChoice {
  readonly words: string;
  readonly isRegex: boolean;
  readonly matchesCase: boolean;
  /** Whether lines that do not match are hidden; otherwise matches are only marked. */
  readonly isFilter: boolean;
  /** Whether long lines are broken, rather than scrolled. */
  readonly wraps: boolean;
}

export const everyLogLine: LogChoice = {
  words: '',
  isRegex: false,
  matchesCase: false,
  isFilter: false,
  wraps: true,
};
