/** Search and layout of logs, shared by all logs of the app window. */
export interface LogChoice {
  readonly words: string;
  readonly isRegex: boolean;
  readonly matchesCase: boolean;
  /** True if lines without a match are hidden; otherwise matches are only marked. */
  readonly isFilter: boolean;
  /** True if long lines wrap instead of scrolling. */
  readonly wraps: boolean;
}

export const everyLogLine: LogChoice = {
  words: '',
  isRegex: false,
  matchesCase: false,
  isFilter: false,
  wraps: true,
};
