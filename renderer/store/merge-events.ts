import type { PanelEvent } from '../../shared/domain.ts';

/** Events of both, oldest first and each once. What came with the pushes keeps its identity where nothing is added. */
export function mergeEvents(live: readonly PanelEvent[], past: readonly PanelEvent[]): readonly PanelEvent[] {
  const known = new Set(live.map(({ id }) => id));
  const older = past.filter(({ id }) => !known.has(id));
  return older.length === 0 ? live : [...older, ...live].sort((a, b) => a.at - b.at);
}
