import { expect, it } from 'vitest';
import { createSupervisorBench, testConfig, watch } from './supervisor-bench.ts';

async function running(panel = {}, config = testConfig(panel)) {
  const bench = createSupervisorBench(panel, undefined, config);
  const started = bench.supervisor.start();
  await bench.settle();
  await bench.ready();
  await started;
  return bench;
}

async function asleep() {
  const bench = await running();
  await bench.clock.advance(90_000);
  const sleep = watch(bench.supervisor.sleep('idle'));
  await bench.settle();
  await bench.gone();
  expect([sleep.outcome, bench.supervisor.stateKind]).toEqual(['resolved', 'asleep']);
  return bench;
}

const told = ({ events }: Awaited<ReturnType<typeof running>>) => events.map(({ kind }) => kind);

it('a sleep is told once no process is left, with why and for how long it was unused, and a waking with what it took', async () => {
  const bench = await asleep();
  const { supervisor, clock } = bench;
  expect(bench.runs.filter(({ isAlive }) => isAlive)).toEqual([]);
  expect(supervisor.view()).toMatchObject({ state: { kind: 'asleep' }, generation: 1, asleep: {} });
  expect(bench.events.at(-1)).toMatchObject({ kind: 'slept', detail: { why: 'idle', idleForMs: 90_000 } });
  await clock.advance(3_600_000);
  const woken = watch(supervisor.start('call'));
  await clock.advance(700);
  await bench.ready();
  expect([woken.outcome, supervisor.stateKind, supervisor.generation]).toEqual(['resolved', 'running', 2]);
  expect(bench.events.at(-1)).toMatchObject({
    kind: 'woken',
    detail: { by: 'call', tookMs: 700, sleptForMs: 3_600_000, generation: 2 },
  });
  expect(told(bench)).toEqual(['started', 'slept', 'woken']);
  expect(supervisor.view().asleep).toBeUndefined();
});

it('a sleeping server takes a changed definition with its next start, and is restarted by a restart', async () => {
  const bench = await asleep();
  bench.supervisor.configure(testConfig({}, { args: ['--other'] }));
  await bench.settle();
  expect([bench.supervisor.stateKind, bench.runs.length]).toEqual(['asleep', 1]);
  const restarted = watch(bench.supervisor.restart());
  await bench.settle();
  await bench.ready();
  expect([restarted.outcome, bench.events.at(-1)?.detail['by']]).toEqual(['resolved', 'command']);
});

it('a stop makes it stopped, while it falls asleep and afterwards', async () => {
  const bench = await asleep();
  await bench.supervisor.stop();
  expect([bench.supervisor.stateKind, bench.supervisor.wasStopped]).toEqual(['stopped', true]);
  const other = await running();
  const sleep = watch(other.supervisor.sleep());
  const stop = watch(other.supervisor.stop());
  await other.settle();
  await other.gone();
  expect([sleep.outcome, stop.outcome]).toEqual(['SUPERSEDED', 'resolved']);
  expect(told(other)).toEqual(['started', 'stopped']);
  expect(other.events.at(-1)).toMatchObject({ detail: { by: 'person' } });
});

it('a start while it falls asleep wakes it once the old process is gone', async () => {
  const bench = await running();
  void bench.supervisor.sleep().catch(() => undefined);
  const start = watch(bench.supervisor.start());
  await bench.settle();
  expect(bench.runs).toHaveLength(1);
  await bench.renewed();
  expect([start.outcome, bench.supervisor.generation]).toEqual(['resolved', 2]);
  expect(told(bench)).toEqual(['started', 'ended', 'started']);
});

it('a crash while it falls asleep is no crash, and a waking that fails is a failed start', async () => {
  const bench = await running();
  const sleep = watch(bench.supervisor.sleep());
  await bench.settle();
  bench.run().crash();
  await bench.gone();
  expect([sleep.outcome, bench.supervisor.stateKind]).toEqual(['resolved', 'asleep']);
  const woken = watch(bench.supervisor.start('call'));
  await bench.settle();
  await bench.failed();
  expect(woken.outcome).toBe('START_FAILED');
  await bench.clock.advance(60_000);
  await bench.ready();
  expect(told(bench)).toEqual(['started', 'slept', 'start-failed', 'restart-scheduled', 'restarted']);
});

it.each([
  ['a remote server', 'remote', { transport: 'http', url: 'http://localhost:1' }],
  ['a server that does not run', 'not-running', {}],
] as const)('%s cannot sleep', async (_name, why, fields) => {
  const config = { ...testConfig(), ...fields } as ReturnType<typeof testConfig>;
  const { supervisor } = why === 'remote' ? await running({}, config) : createSupervisorBench();
  await expect(supervisor.sleep()).rejects.toMatchObject({ code: 'CANNOT_SLEEP', data: { why } });
});
