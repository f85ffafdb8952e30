import type { Instability } from './instability.ts';

/** Formats the reason why a server is unstable: "14 unplanned stops in 7 days, 2 of them in 24 h". */
export function unplannedWords({ ends24h, ends7d }: Pick<Instability, 'ends24h' | 'ends7d'>): string {
  const day = `${ends24h} of them in 24 h`;
  return ends24h === ends7d
    ? `${ends24h} unplanned stops in 24 h`
    : `${ends7d} unplanned stops in 7 days${ends24h > 0 ? `, ${day}` : ''}`;
}
