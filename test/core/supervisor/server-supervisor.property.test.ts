import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSupervisorBench, type SupervisorBench } from './supervisor-bench.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const MAX_ATTEMPTS = 3;

/** Steps that a person, the server and time can take, in any order. */
const steps = {
  start: (bench: SupervisorBench) => void bench.supervisor.start().catch(() => undefined),
  stop: (bench: SupervisorBench) => void bench.supervisor.stop().catch(() => undefined),
  restart: (bench: SupervisorBench) => void bench.supervisor.restart().catch(() => undefined),
  sleep: (bench: SupervisorBench) => void bench.supervisor.sleep('idle').catch(() => undefined),
  ready: (bench: SupervisorBench) => bench.runs.at(-1)?.becomeReady(),
  failToStart: (bench: SupervisorBench) => bench.runs.at(-1)?.failToStart(),
  crash: (bench: SupervisorBench) => bench.runs.at(-1)?.crash(),
  lateCrash: (bench: SupervisorBench) => bench.runs.at(-2)?.crash(),
  gone: (bench: SupervisorBench) => {
    for (const run of bench.runs) if (run.endError) run.becomeGone();
  },
  second: (bench: SupervisorBench) => bench.clock.advance(1000),
  minute: (bench: SupervisorBench) => bench.clock.advance(61_000),
  halfHour: (bench: SupervisorBench) => bench.clock.advance(1_800_000),
  resume: (bench: SupervisorBench) => bench.supervisor.resumed(),
} as const;
type Step = keyof typeof steps;
const anyStep = fc.constantFrom(...(Object.keys(steps) as Step[]));
/** Steps of a server that nobody looks after. A tree that failed is gone in the same step. */
const unattendedSteps = {
  ready: steps.ready,
  fail: async (bench: SupervisorBench) => {
    steps.failToStart(bench);
    steps.crash(bench);
    await bench.settle();
    steps.gone(bench);
  },
  resume: steps.resume,
  second: steps.second,
  halfHour: steps.halfHour,
} as const;
const unattendedStep = fc.constantFrom(...(Object.keys(unattendedSteps) as (keyof typeof unattendedSteps)[]));
const HOUR_MS = 3_600_000;

/** Ends whatever is under way: starts succeed, ended runs go. */
async function quiesce(bench: SupervisorBench): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    for (const run of bench.runs) if (run.endError) run.becomeGone();
    await bench.settle();
    bench.runs.at(-1)?.becomeReady();
    await bench.settle();
  }
}

function automaticStarts(bench: SupervisorBench): number {
  return bench.events.filter((event) => event.kind === 'restart-scheduled').length;
}

describe('ServerSupervisor under random histories', () => {
  it('never has two live runs, never exceeds the restart budget, and ends in the last commanded state', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 40 }),
        fc.constantFrom('start', 'stop', 'restart'),
        async (history, last) => {
          const bench = createSupervisorBench({ restart: { maxRestartAttempts: MAX_ATTEMPTS } });
          let automaticBefore = 0;
          for (const step of history) {
            await steps[step](bench);
            await bench.settle();
            const alive = bench.runs.filter((run) => run.isAlive).length;
            expect(alive).toBeLessThanOrEqual(bench.supervisor.stateKind === 'asleep' ? 0 : 1);
            if (step === 'start' || step === 'restart' || step === 'minute' || step === 'halfHour')
              automaticBefore = automaticStarts(bench);
            expect(automaticStarts(bench) - automaticBefore).toBeLessThanOrEqual(MAX_ATTEMPTS);
          }
          await steps[last as Step](bench);
          await quiesce(bench);
          expect(bench.supervisor.stateKind).toBe(last === 'stop' ? 'stopped' : 'running');
          expect(bench.runs.filter((run) => run.isAlive)).toHaveLength(last === 'stop' ? 0 : 1);
          if (last === 'stop') expect(bench.clock.pending).toBe(0);
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each([
    ['as often as the hour allows', true, 2],
    ['never when that is off', false, 0],
  ])('starts by itself, wake-ups included, %s', async (_name, enabled, most) => {
    await fc.assert(
      fc.asyncProperty(fc.array(unattendedStep, { maxLength: 40, size: 'max' }), async (history) => {
        const restart = { enabled, maxRestartAttempts: 1, maxPerHour: 2, slowRetryMs: 1000 };
        const bench = createSupervisorBench({ restart });
        steps.start(bench);
        await bench.settle();
        const startedAt: number[] = [];
        for (const step of history) {
          await unattendedSteps[step](bench);
          await bench.settle();
          const { restartsTotal, state } = bench.supervisor.view();
          // A new start is recorded once because a step makes one at most.
          if (restartsTotal > startedAt.length) startedAt.push(state.since);
          expect(startedAt).toHaveLength(restartsTotal);
          const ofTheHour = startedAt.filter((at) => at > bench.clock.epochMs() - HOUR_MS);
          expect(ofTheHour.length).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('settles every command', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (history) => {
        const bench = createSupervisorBench();
        const commands: Promise<unknown>[] = [];
        for (const step of history) {
          if (step === 'start' || step === 'stop' || step === 'restart' || step === 'sleep')
            commands.push(bench.supervisor[step]());
          else await steps[step](bench);
          for (const command of commands) command.catch(() => undefined);
        }
        const stop = bench.supervisor.stop();
        await quiesce(bench);
        await Promise.allSettled([...commands, stop]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
