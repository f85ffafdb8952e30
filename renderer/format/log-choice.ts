/** Search and layout of logs, shared by all logs of the app window. */
export interface LogChoice {
  readonly words: string;
  readonly isRegex: boolean;
  readonly matchesCase: boolean;
  /** Whether lines without a match are hidden; otherwise matches are only marked. */
  readonly isFilter: boolean;
  /** Whether long lines wrap rather than scroll. */
  readonly wraps: boolean;
}

export const everyLogLine: LogChoice = {
  words: '',
  isRegex: false,
  matchesCase: false,
  isFilter: false,
  wraps: true,
};
