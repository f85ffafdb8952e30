import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { EventLog } from '../../../electron/core/journal/event-log.ts';
import { createFakeClock } from '../fake-clock.ts';

const started = toldEvent('started', {});
const stopped = toldEvent('stopped', {});
const ids = (events: readonly PanelEvent[]) => events.map(({ id }) => id);

function expectOrdered(events: readonly PanelEvent[]): void {
  expect([...ids(events)].sort()).toEqual(ids(events));
  expect(new Set(ids(events)).size).toBe(events.length);
}

describe('EventLog', () => {
  it('keeps what happened, oldest first, and tells its listeners', async () => {
    const clock = createFakeClock();
    const log = new EventLog({ wallClock: clock, launchId: 'a1' });
    const heard: PanelEvent[] = [];
    log.appended.subscribe((event) => heard.push(event));
    log.append('files', toldEvent('started', { pid: 7 }));
    await clock.advance(5);
    log.append(null, toldEvent('config-changed', {}));
    expect(log.events).toMatchObject([
      { at: 1_800_000_000_000, server: 'files', kind: 'started', detail: { pid: 7 } },
      { at: 1_800_000_000_005, server: null, kind: 'config-changed', detail: {} },
    ]);
    expect(heard).toEqual(log.events);
  });

  it('keeps the order and the uniqueness of ids over launches and any jumps of the clock', () => {
    const jump = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const launch = fc.tuple(jump, fc.array(fc.option(jump, { freq: 2 }), { maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(launch, { maxLength: 6 }), (launches) => {
        const clock = createFakeClock();
        let earlier: readonly PanelEvent[] = [];
        launches.forEach(([startMs, events], index) => {
          clock.setEpochMs(startMs);
          // Launch ids fall, so that an order by accident of their letters shows.
          const launchId = `z${9 - index}`;
          const log = new EventLog({ wallClock: clock, launchId, earlier });
          for (const setTo of events) {
            if (setTo !== null) clock.setEpochMs(setTo);
            log.append('s', started);
          }
          earlier = log.events;
        });
        expectOrdered(earlier);
      }),
    );
  });

  it('is not put out by an earlier event whose id is not one of ours', () => {
    const strange: PanelEvent = { id: 'x', at: 5, server: null, ...started };
    const log = new EventLog({ wallClock: createFakeClock(), launchId: 'a', earlier: [strange] });
    expect(log.append(null, stopped).id).toMatch(/^\d{14}-\d{8}-a$/);
  });
});
