import { formatDuration } from '../format/durations.ts';
import { useUsage } from './use-usage.ts';
import { UsageTile } from './usage-tile.tsx';
import type { UsageKind } from './usage-words.ts';

const kinds: readonly UsageKind[] = ['memory', 'cpu', 'calls'];

/** Tiles of what all servers use and are asked, on one time axis. */
export function UsageTiles() {
  const { stacks, slots, restarts, spanMs } = useUsage();
  const span = formatDuration(spanMs);
  return kinds.map((kind) => (
    <UsageTile key={kind} kind={kind} stack={stacks[kind]} slots={slots} restarts={restarts} span={span} />
  ));
}
