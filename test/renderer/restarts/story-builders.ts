import type { Pattern, RestartStory, RunEnd } from '../../../shared/restart-story.ts';

export const anEnd = (id: string, changes: Partial<RunEnd> = {}): RunEnd => ({
  id,
  at: 1_800_000_000_000,
  cause: 'crash',
  chain: [{ eventId: id, at: 1_800_000_000_000, kind: 'crashed', role: 'end', detail: { exitCode: 1 } }],
  calls: [],
  callsLeftOut: 0,
  ...changes,
});

export const aStory = (ends: readonly RunEnd[], changes: Partial<RestartStory> = {}): RestartStory => ({
  ends: [...ends],
  total: ends.length,
  troubles: ends.length,
  hasMore: false,
  patterns: [],
  covered: { from: 1_790_000_000_000, to: 1_800_000_000_000 },
  ...changes,
});

export const callPattern = (ends: readonly string[]): Pattern => ({
  kind: 'call',
  count: ends.length,
  of: 12,
  ends: [...ends],
  method: 'tools/call',
  target: 'search',
});
