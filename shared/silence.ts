/** What was seen of a server that does not respond, when it was judged. */
export interface Silence {
  readonly what: 'no-answer' | 'overdue' | 'stopped';
  /** How long already. It goes on while the verdict stands. */
  readonly forMs: number;
  readonly isDuringCall?: true | undefined;
  readonly isComputing?: true | undefined;
}

/** "no answer for 58 s during a call". @param formatMs a duration in words */
export function silenceWords(
  { what, forMs, isDuringCall, isComputing }: Silence,
  formatMs: (ms: number) => string,
): string {
  const duration = formatMs(forMs);
  switch (what) {
    case 'overdue':
      return `call overdue by ${duration}`;
    case 'stopped':
      return `stopped by a signal for ${duration}`;
    case 'no-answer': {
      const words = `no answer for ${duration}${isDuringCall ? ' during a call' : ''}`;
      return isComputing ? `${words}, computing all the time` : words;
    }
  }
}
