import type { Silence } from './domain.ts';

const workWords = {
  computing: ', computing all the time',
  unseen: '; its work cannot be seen from here',
} as const;

/** Formats how long a server has been silent: "no answer for 58 s during a call". @param formatMs formats a duration */
export function silenceWords(
  { what, forMs, isDuringCall, work }: Silence,
  formatMs: (ms: number) => string,
): string {
  const where = isDuringCall ? ' during a call' : '';
  return `${lostWords(what, formatMs(forMs))}${where}${work ? workWords[work] : ''}`;
}

function lostWords(what: Silence['what'], duration: string): string {
  switch (what) {
    case 'overdue':
      return `call overdue by ${duration}`;
    case 'stopped':
      return `stopped by a signal for ${duration}`;
    case 'paused':
      return `paused by the engine of its container for ${duration}`;
    case 'no-answer':
      return `no answer for ${duration}`;
  }
}
