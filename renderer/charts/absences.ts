import type { PanelEvent } from '../../shared/domain.ts';
import { readNumber } from '../format/detail-fields.ts';
import type { TimeWindow } from './downsample.ts';

/** Detail field, by event, that tells how long the panel could not look at anything. */
const lengthFields = { 'system-resumed': 'sleptMs', 'panel-started': 'absentMs' } as const;

/** Times without samples because the machine slept or the panel did not run. Oldest first. */
export function absencesOf(events: readonly PanelEvent[]): readonly TimeWindow[] {
  return events.flatMap(({ kind, at, detail }) => {
    if (kind !== 'system-resumed' && kind !== 'panel-started') return [];
    const lengthMs = readNumber(detail, lengthFields[kind]) ?? 0;
    return lengthMs <= 0 ? [] : [{ from: at - lengthMs, to: at }];
  });
}
