import { describe, expect, it } from 'vitest';
import type { Push } from '../../../shared/domain.ts';
import type { ProcessReading, ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { processTableForPlatform } from '../../../electron/core/platform/process-system.ts';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { createFakeClock } from '../fake-clock.ts';
import { eventually } from '../support/eventually.ts';
import { panelOfTest } from './panel-of-test.ts';

const CALLS_PER_S = 25;
const SECONDS = 5;

/** Process table that answers at once, so that each tick comes at its own instant of the fake clock. */
function tableWithoutLooks(): ProcessTable {
  const table = processTableForPlatform();
  const reading = (pid: number): ProcessReading => ({
    pid,
    ppid: process.pid,
    startTime: String(pid),
    command: 'server',
    isStopped: false,
    isHeld: false,
    cpuTimeMs: 0,
    reapedCpuTimeMs: 0,
    rssBytes: 1_000_000,
  });
  return {
    readTrees: async (pids) => new Map(pids.map((pid) => [pid, [reading(pid)]])),
    identify: (pid) => table.identify(pid),
    ...(table.identifySync && { identifySync: (pid: number) => table.identifySync?.(pid) }),
    listDescendants: (pid) => table.listDescendants(pid),
    findByEnvironment: (name, value) => table.findByEnvironment(name, value),
    dispose: () => table.dispose(),
  };
}

/** Running server whose clock stands still, and the pushes from then on. */
async function runningServer() {
  const clock = createFakeClock();
  const given = { clock, wallClock: clock, table: tableWithoutLooks() };
  const { panel } = await panelOfTest({ busy: fixtureServer() }, given);
  panel.start();
  const isRunning = () => panel.getSnapshot().servers[0]?.state.kind === 'running';
  await eventually(isRunning, () => void clock.advance(1));
  await clock.advance(3000);
  const pushes: Push[] = [];
  panel.onPush((push) => pushes.push(push));
  return { clock, panel, pushes };
}

describe('pushes of a panel', () => {
  it('come once per tick, with figures alone, however many calls are made', async () => {
    const { clock, panel, pushes } = await runningServer();
    const context = 'caller';
    const call = { context, name: 'busy', method: 'tools/call' } as const;
    const params = { name: 'echo', arguments: { text: 'x' } };
    for (let index = 0; index < CALLS_PER_S * SECONDS; index += 1) {
      await panel.sessions.call({ ...call, callId: `call-${index}`, params });
      await clock.advance(1000 / CALLS_PER_S);
    }
    expect(pushes).toHaveLength(SECONDS);
    // The first push tells of the session that the calls opened.
    expect(pushes.flatMap(({ servers }) => servers ?? []).map(({ sessions }) => sessions)).toEqual([1]);
    for (const { samples } of pushes.slice(1)) expect(samples).toMatchObject([{ name: 'busy' }]);
  });

  it('come at once for a change of state, with the whole server', async () => {
    const { clock, panel, pushes } = await runningServer();
    const stopped = panel.servers.stop('busy');
    await clock.advance(100);
    expect(pushes[0]?.servers).toMatchObject([{ name: 'busy', state: { kind: 'stopping' } }]);
    await stopped;
  });

  it('say that a call has been under way since the last tick, and that it is no more', async () => {
    const { clock, panel, pushes } = await runningServer();
    const params = { name: 'sleep', arguments: { ms: 60_000 } };
    const call = panel.sessions.call({ callId: 'long', name: 'busy', method: 'tools/call', params });
    const busyOf = (push: Push | undefined) => [...(push?.servers ?? []), ...(push?.samples ?? [])][0]?.busy;
    await clock.advance(2000);
    expect(busyOf(pushes.at(-1))).toMatchObject({ calls: 1, oldest: 'tools/call sleep' });
    panel.sessions.cancel('long');
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' });
    await clock.advance(1000);
    expect(pushes.at(-1)?.samples).toMatchObject([{ name: 'busy', sample: { processCount: 1 } }]);
    expect(busyOf(pushes.at(-1))).toBeUndefined();
  });
});
