import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLook, type CpuAccount } from '../../../electron/core/telemetry/tree-sample.ts';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';
import { reading } from './reading.ts';
import { propertyRuns } from '../../support/property-runs.ts';

/** Usage that each look after the first one adds. */
function usedPerLook(...looks: readonly (readonly ProcessReading[])[]): readonly (number | undefined)[] {
  let account: CpuAccount | undefined;
  return looks.map((readings) => {
    const step = addLook(account, readings);
    account = step.account;
    return step.usedMs;
  });
}

const root = (reapedCpuTimeMs = 0, cpuTimeMs = 0) => reading({ pid: 1, ppid: 0, cpuTimeMs, reapedCpuTimeMs });
const child = (cpuTimeMs: number, ppid = 1, reapedCpuTimeMs = 0) =>
  reading({ pid: 2, ppid, cpuTimeMs, reapedCpuTimeMs });

describe('addLook', () => {
  const stranger = reading({ pid: 2, ppid: 1, startTime: 'later', cpuTimeMs: 30 });

  it.each<[string, ProcessReading[][], number[]]>([
    [
      'has nothing to say at the first look, whatever was used before',
      [[root(500, 900)], [root(500, 900)]],
      [0],
    ],
    [
      'sees no use in a child that leaves the tree',
      [[root()], [root(), child(5000)], [root()], [root(0, 10)]],
      [5000, 0, 10],
    ],
    [
      'takes a process with the pid of an older one for what it is',
      [[root()], [root(), child(70)], [root(70), stranger]],
      [70, 30],
    ],
  ])('%s', (_name, looks, used) => {
    expect(usedPerLook(...looks)).toEqual([undefined, ...used]);
  });

  it('counts exactly what was used, however processes fork, end, are waited for late, change parents, and go unseen', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80, size: 'max' }), (actions) => {
        const { model, look, countedMs } = startModel();
        for (const step of actions) {
          if (step.kind === 'look') look(step.missed);
          else model.apply(step);
        }
        // All CPU time is counted once nothing is unseen or in transit any more.
        model.reapAll();
        look();
        expect(countedMs()).toBe(model.burntMs);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

const who = fc.nat(20);
const life = fc.oneof(
  fc.record({ kind: fc.constantFrom('fork' as const, 'exit' as const, 'reap' as const), who }),
  fc.record({ kind: fc.constant('burn' as const), who, ms: fc.integer({ min: 10, max: 5000 }) }),
);
const action = fc.oneof(
  { weight: 3, arbitrary: life },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('look' as const), missed: fc.option(who, { nil: undefined }) }),
  },
);
type Action = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Model that was looked at once; each further look must not count more than was used so far. */
function startModel() {
  const model = new TreeModel();
  let countedMs = 0;
  let { account } = addLook(undefined, model.readings());
  const look = (missed?: number) => {
    const step = addLook(account, model.readings(missed));
    account = step.account;
    expect(step.usedMs).toBeGreaterThanOrEqual(0);
    countedMs += step.usedMs ?? 0;
    expect(countedMs).toBeLessThanOrEqual(model.burntMs);
  };
  return { model, look, countedMs: () => countedMs };
}

interface ModelProcess {
  readonly pid: number;
  parent: ModelProcess | undefined;
  ownMs: number;
  reapedMs: number;
  isZombie: boolean;
}

/**
 * Model of process accounting as the kernel does it, with a root that adopts orphans
 * (PR_SET_CHILD_SUBREAPER).
 */
class TreeModel {
  readonly #all: ModelProcess[] = [{ pid: 100, parent: undefined, ownMs: 0, reapedMs: 0, isZombie: false }];
  #nextPid = 101;
  #wasOneHidden = false;
  burntMs = 0;

  apply(step: Action): void {
    const who = this.#all[step.who % this.#all.length]!;
    if (step.kind === 'burn' && !who.isZombie) {
      who.ownMs += step.ms;
      this.burntMs += step.ms;
    }
    if (step.kind === 'fork' && !who.isZombie) {
      this.#all.push({ pid: this.#nextPid++, parent: who, ownMs: 0, reapedMs: 0, isZombie: false });
    }
    if (step.kind === 'exit' && who.parent !== undefined && !who.isZombie) this.#exit(who);
    if (step.kind === 'reap' && who.isZombie) this.#reap(who);
  }

  reapAll(): void {
    for (const process of [...this.#all]) if (process.isZombie) this.#reap(process);
  }

  /**
   * Readings, in which one process other than the root can be missed, with all below it; not in two looks in
   * a row.
   */
  readings(missed?: number): readonly ProcessReading[] {
    const hidden = missed === undefined || this.#wasOneHidden ? undefined : this.#all[missed];
    this.#wasOneHidden = hidden !== undefined;
    const isSeen = (process: ModelProcess): boolean =>
      process.parent === undefined || (process !== hidden && isSeen(process.parent));
    return this.#all
      .filter((process) => !process.isZombie && isSeen(process))
      .map(({ pid, parent, ownMs, reapedMs }) =>
        reading({ pid, ppid: parent?.pid ?? 1, cpuTimeMs: ownMs, reapedCpuTimeMs: reapedMs }),
      );
  }

  #exit(who: ModelProcess): void {
    who.isZombie = true;
    for (const process of this.#all) if (process.parent === who) process.parent = this.#all[0];
  }

  #reap(who: ModelProcess): void {
    who.parent!.reapedMs += who.ownMs + who.reapedMs;
    this.#all.splice(this.#all.indexOf(who), 1);
  }
}
