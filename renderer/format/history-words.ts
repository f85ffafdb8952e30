import type { PastState } from '../../shared/history.ts';
import { formatMemory } from './figures.ts';
import { formatDay } from './moments.ts';

/** Text on the stored history: `12.4 MiB · since 2026-09-01`. */
export function historyWords({ keptIn, sizeBytes, oldestAt }: PastState): string {
  const words = [
    keptIn === 'memory' ? 'In memory alone, until the panel quits' : undefined,
    sizeBytes === undefined ? undefined : formatMemory(sizeBytes),
    oldestAt === undefined ? undefined : `since ${formatDay(oldestAt)}`,
  ];
  return words.filter((text) => text !== undefined).join(' · ') || 'Nothing yet.';
}
