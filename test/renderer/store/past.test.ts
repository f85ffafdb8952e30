import { expect, it } from 'vitest';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createClockStore } from '../../../renderer/store/clock-store.ts';
import { createPast } from '../../../renderer/store/past.ts';

it('events are asked for again soon after a start, when the history may still be reading them, and seldom later', async () => {
  const clock = createClockStore(() => 1_000_000);
  let asked = 0;
  const getPastEvents = () =>
    Promise.resolve((asked += 1)).then(() => ({ events: [], hasMore: false, total: 0 }));
  const { events } = createPast({ getPastEvents } as unknown as ControlPanelApi, {
    clock,
    toReport: () => ({ code: 'INTERNAL', message: '', remedy: '' }) as never,
  });
  const stop = events.follow({ from: 0, to: 9_000_000, limit: 1 });
  const at = async (second: number) => {
    await Promise.resolve();
    await Promise.resolve();
    clock.setState({ now: 1_000_000 + second * 1000 });
    return asked;
  };
  expect([await at(1), await at(6), await at(61), await at(120), await at(400)]).toEqual([1, 2, 2, 2, 3]);
  stop();
});
