import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverEntrySchema, toServerConfig } from '../../../../shared/server-config.ts';
import {
  defaultStartConcurrency,
  StartGate,
  type StartPlace,
} from '../../../../electron/core/supervisor/start/start-gate.ts';
import type { TreeFacts } from '../../../../electron/core/telemetry/tree-facts.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { createFakeClock } from '../../fake-clock.ts';

const config = (commandLine: string) => {
  const [command, ...args] = commandLine.split(' ');
  return toServerConfig('s', serverEntrySchema.parse({ command, args }), (cwd) => cwd);
};
const remote = toServerConfig('r', serverEntrySchema.parse({ url: 'http://localhost/mcp' }), (cwd) => cwd);

const idle: TreeFacts = {
  newProcesses: 0,
  usedCpuMs: 0,
  writtenBytes: 0,
};

function gateOf(startConcurrency: number, isOpen?: boolean) {
  const clock = createFakeClock();
  const gate = new StartGate({
    clock,
    startConcurrency,
    ...(isOpen !== undefined && { isOpen }),
  });
  const inside: string[] = [];
  const releases = new Map<string, () => void>();
  const places = new Map<string, StartPlace>();
  const aborts = new Map<string, AbortController>();
  const outcomes = new Map<string, unknown>();
  const enter = (name: string, commandLine = 'node server.mjs') => {
    const abort = new AbortController();
    aborts.set(name, abort);
    gate.enter(config(commandLine), abort.signal).then(
      (place) => {
        inside.push(name);
        places.set(name, place);
        releases.set(name, () => {
          if (inside.includes(name)) inside.splice(inside.indexOf(name), 1);
          place.release();
        });
      },
      (reason: unknown) => outcomes.set(name, reason),
    );
  };
  const release = (name: string) => releases.get(name)?.();
  const settle = () => clock.advance(0);
  /** Looks at the tree of each, every second. */
  const lookFor = async (ms: number, looks: Readonly<Record<string, Partial<TreeFacts>>>) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1000) {
      await clock.advance(1000);
      for (const [name, facts] of Object.entries(looks)) places.get(name)?.looked({ ...idle, ...facts });
    }
    await settle();
  };
  return { clock, gate, inside, enter, release, settle, lookFor, aborts, outcomes };
}

describe('StartGate', () => {
  it('lets in as many as allowed, and the others in the order they came', async () => {
    const { gate, inside, enter, release, settle, clock } = gateOf(2);
    for (const name of ['a', 'b', 'c', 'd']) enter(name);
    await settle();
    expect(inside).toEqual(['a', 'b']);
    release('b');
    await settle();
    expect(inside).toEqual(['a', 'c']);
    release('a');
    release('c');
    release('d');
    await settle();
    expect(inside).toEqual(['d']);
    release('d');
    expect(gate.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('lets nothing in before it is opened, and forgets who gave up meanwhile', async () => {
    const { gate, inside, enter, settle, aborts, outcomes } = gateOf(2, false);
    for (const name of ['a', 'b', 'c']) enter(name);
    aborts.get('a')?.abort('stopped');
    await settle();
    expect([inside, outcomes.get('a')]).toEqual([[], 'stopped']);
    gate.open();
    await settle();
    expect(inside).toEqual(['b', 'c']);
  });

  it('starts one package at a time, and lets others pass', async () => {
    const { inside, enter, release, settle } = gateOf(3);
    enter('first', 'npx -y server@1');
    enter('second', 'npx -y server@2');
    enter('other', 'npx -y different');
    enter('plain');
    await settle();
    expect(inside).toEqual(['first', 'other', 'plain']);
    release('plain');
    await settle();
    expect(inside).toEqual(['first', 'other']);
    release('first');
    await settle();
    expect(inside).toEqual(['other', 'second']);
  });

  it.each([
    ['uses CPU', { usedCpuMs: 60 }],
    ['writes', { writtenBytes: 100_000 }],
    ['starts processes', { newProcesses: 1 }],
  ])('keeps the place of a start that %s, however long it takes', async (_, facts) => {
    const { inside, enter, release, settle, lookFor } = gateOf(1);
    enter('slow', 'npx -y server');
    enter('next');
    await lookFor(600_000, { slow: facts });
    expect(inside).toEqual(['slow']);
    release('slow');
    await settle();
    expect(inside).toEqual(['next']);
  });

  it('keeps the place of a start that nobody has looked at', async () => {
    const { inside, enter, clock } = gateOf(1);
    enter('slow');
    enter('next');
    await clock.advance(60_000);
    expect(inside).toEqual(['slow']);
  });

  it('gives the place of a start that does nothing to the next, but never its package', async () => {
    const { gate, inside, enter, release, settle, lookFor, clock } = gateOf(1);
    enter('slow', 'npx -y server');
    enter('same', 'npx -y server');
    enter('plain');
    // Idle trees write a few bytes now and then, as Node does on its wake-ups.
    const doesNothing = { usedCpuMs: 10, writtenBytes: 16 };
    await lookFor(14_000, { slow: doesNothing });
    expect(inside).toEqual(['slow']);
    await lookFor(1000, { slow: doesNothing });
    expect(inside).toEqual(['slow', 'plain']);
    await lookFor(60_000, { slow: doesNothing, plain: { usedCpuMs: 100 } });
    expect(inside).toEqual(['slow', 'plain']);
    release('slow');
    release('plain');
    await settle();
    expect(inside).toEqual(['same']);
    release('same');
    expect(gate.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('takes the place back when a start that did nothing works again', async () => {
    const { inside, enter, release, settle, lookFor } = gateOf(1);
    for (const name of ['slow', 'second', 'third']) enter(name);
    await lookFor(15_000, { slow: {} });
    expect(inside).toEqual(['slow', 'second']);
    await lookFor(1000, { slow: { usedCpuMs: 500 }, second: { usedCpuMs: 500 } });
    release('second');
    await lookFor(5000, { slow: { usedCpuMs: 500 } });
    expect(inside).toEqual(['slow']);
    release('slow');
    await settle();
    expect(inside).toEqual(['third']);
  });

  it('lets no look at a start that is over take a place', async () => {
    const { gate, inside, enter, release, settle, lookFor } = gateOf(1);
    enter('a');
    await settle();
    release('a');
    await lookFor(1000, { a: { usedCpuMs: 500 } });
    enter('b');
    await settle();
    expect([inside, gate.othersBefore(config('node x'))]).toEqual([['b'], 1]);
  });

  it('keeps the turn of one that is not ready yet, and lets others pass meanwhile', async () => {
    const { gate, inside, enter, release, settle } = gateOf(1);
    const ready = createDeferred<void>();
    const entered = gate.enter(config('node x'), new AbortController().signal, ready.promise);
    enter('a');
    enter('b');
    await settle();
    expect(inside).toEqual(['a']);
    ready.resolve();
    await settle();
    release('a');
    const place = await entered;
    await settle();
    expect(inside).toEqual([]);
    place.release();
    await settle();
    expect(inside).toEqual(['b']);
  });

  it('says how many others a start would wait for', async () => {
    const { gate, enter, release, settle } = gateOf(3, false);
    const before = (commandLine: string) => gate.othersBefore(config(commandLine));
    expect(before('node x')).toBe(0);
    for (const name of ['a', 'b', 'c']) enter(name, `npx ${name}`);
    expect(before('node x')).toBe(3);
    gate.open();
    await settle();
    expect([before('node x'), gate.othersBefore(remote)]).toEqual([3, 0]);
    release('a');
    await settle();
    expect([before('node x'), before('npx b')]).toEqual([0, 1]);
  });

  it('lets a waiter leave without a trace', async () => {
    const { gate, inside, enter, release, settle, aborts, outcomes } = gateOf(1);
    for (const name of ['a', 'b', 'c']) enter(name);
    await settle();
    const reason = new Error('stopped');
    aborts.get('b')!.abort(reason);
    await settle();
    expect(outcomes.get('b')).toBe(reason);
    expect(gate.size).toBe(2);
    release('a');
    await settle();
    expect(inside).toEqual(['c']);
  });

  it('keeps nothing of one that is let in and aborted in the same turn', async () => {
    const { gate, enter, release, settle, aborts, outcomes, clock } = gateOf(1);
    enter('a');
    enter('b');
    await settle();
    release('a');
    aborts.get('b')!.abort(new Error('stopped'));
    await settle();
    expect(outcomes.get('b')).toBeInstanceOf(Error);
    expect([gate.size, clock.pending]).toEqual([0, 0]);
  });

  it('refuses one that was aborted before it came', async () => {
    const { gate } = gateOf(1);
    await expect(gate.enter(config('node x'), AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(gate.size).toBe(0);
  });

  it('lets remote servers in at once', async () => {
    const { gate, enter, settle } = gateOf(1);
    enter('a');
    await settle();
    const place = await gate.enter(remote, new AbortController().signal);
    expect(gate.size).toBe(2);
    place.release();
    expect(gate.size).toBe(1);
  });

  it('holds remote servers back as well until it is open', async () => {
    const { gate, settle } = gateOf(1, false);
    const entered = gate.enter(remote, new AbortController().signal);
    let isInside = false;
    void entered.then(() => (isInside = true));
    await settle();
    expect(isInside).toBe(false);
    gate.open();
    (await entered).release();
    expect(gate.size).toBe(0);
  });

  it('does not mind being left twice', async () => {
    const { inside, enter, release, settle } = gateOf(1);
    for (const name of ['a', 'b', 'c']) enter(name);
    await settle();
    release('a');
    release('a');
    await settle();
    expect(inside).toEqual(['b']);
  });

  it('never lets in too many or one package twice, and is empty in the end', async () => {
    const step = fc.tuple(fc.constantFrom('enter', 'release', 'abort'), fc.integer({ min: 0, max: 9 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, concurrency) => {
          const { gate, inside, enter, release, settle, aborts, clock } = gateOf(concurrency);
          const entered = new Set<string>();
          for (const [kind, index] of steps) {
            const name = `${index}`;
            if (kind === 'enter' && !entered.has(name)) {
              entered.add(name);
              enter(name, index < 6 ? `npx package-${index % 3}` : 'node server.mjs');
            }
            if (kind === 'release') release(name);
            if (kind === 'abort') aborts.get(name)?.abort(new Error('stopped'));
            await settle();
            expect(inside.length).toBeLessThanOrEqual(concurrency);
            const packages = inside.filter((other) => Number(other) < 6).map((other) => Number(other) % 3);
            expect(new Set(packages).size).toBe(packages.length);
          }
          for (const abort of aborts.values()) abort.abort(new Error('over'));
          for (const name of [...inside]) release(name);
          await settle();
          expect([gate.size, clock.pending]).toEqual([0, 0]);
        },
      ),
    );
  });
});

describe('defaultStartConcurrency', () => {
  it('is three, and four on a machine with eight cores', () => {
    expect([1, 2, 7, 8, 64].map(defaultStartConcurrency)).toEqual([3, 3, 3, 4, 4]);
  });
});
