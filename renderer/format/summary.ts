import { needsAttention, markOrder, type ShownMark, markWords } from '../../shared/server-states.ts';
import { formatCount } from './figures.ts';

export interface ServersSummary {
  /** State whose shape precedes the text: the worst that needs attention, else the best one present. */
  readonly shape: ShownMark | undefined;
  /** Text such as "All 7 fine", or "1 failed, 1 restarting". */
  readonly words: string;
  /** Remaining text, in a quieter colour: "5 fine, 1 stopped". Empty if `words` is complete. */
  readonly rest: string;
  /** Whether any server needs attention. */
  readonly isTroubled: boolean;
}

/** Summary of all servers, which shows whether any needs attention. */
export function summarizeServers(kinds: readonly ShownMark[]): ServersSummary {
  const counts = new Map<ShownMark, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const present = markOrder.filter((kind) => counts.has(kind));
  const worst = present[0];
  if (worst === undefined) return { shape: undefined, words: 'No servers', ...calmly };

  const say = (kind: ShownMark) => `${formatCount(counts.get(kind))} ${wordOf(kind)}`;
  const bad = present.filter(needsAttention).map(say);
  const calm = calmFirst.filter((kind) => counts.has(kind));
  // Unstable servers are not down, so the states that need no attention come first.
  if (worst === 'unstable') return { shape: worst, words: [...calm.map(say), ...bad].join(', '), ...calmly };
  if (bad.length > 0)
    return { shape: worst, words: bad.join(', '), rest: calm.map(say).join(', '), isTroubled: true };
  if (calm.length > 1) return { shape: calm[0], words: calm.map(say).join(', '), ...calmly };
  const words =
    kinds.length === 1 ? stateWordAlone(worst) : `All ${formatCount(kinds.length)} ${wordOf(worst)}`;
  return { shape: worst, words, ...calmly };
}

const calmly = { rest: '', isTroubled: false } as const;

/** States that need no attention, best first because the user compares the troubled servers with them. */
const calmFirst: readonly ShownMark[] = ['running', 'asleep', 'stopped', 'starting', 'stopping'];

const wordOf = (kind: ShownMark): string => (kind === 'running' ? 'fine' : markWords[kind].toLowerCase());
const stateWordAlone = (kind: ShownMark): string => (kind === 'running' ? 'All fine' : `1 ${wordOf(kind)}`);
