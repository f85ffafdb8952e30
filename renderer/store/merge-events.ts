import type { PanelEvent } from '../../shared/domain.ts';

/** Merges pushed and past events, oldest first, without duplicates. Returns `live` itself if the past events add none. */
export function mergeEvents(live: readonly PanelEvent[], past: readonly PanelEvent[]): readonly PanelEvent[] {
  const known = new Set(live.map(({ id }) => id));
  const older = past.filter(({ id }) => !known.has(id));
  return older.length === 0 ? live : [...older, ...live].sort((a, b) => a.at - b.at);
}
