import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configOf, configOfLine as config } from '../../../support/config-of.ts';
import {
  defaultStartConcurrency,
  isProgress,
  StartGate,
  type StartTicket,
} from '../../../../electron/core/supervisor/start/start-gate.ts';
import { lineWords, type StartPurpose } from '../../../../electron/core/supervisor/start/start-line.ts';
import type { TreeFacts } from '../../../../electron/core/telemetry/tree-facts.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { createFakeClock } from '../../fake-clock.ts';

const remote = configOf({ url: 'http://localhost/mcp' }, 'r');

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
  const tickets = new Map<string, StartTicket>();
  const moves: string[] = [];
  const aborts = new Map<string, AbortController>();
  const outcomes = new Map<string, unknown>();
  const enter = (
    name: string,
    commandLine = 'node server.mjs',
    purpose: StartPurpose = 'automatic',
    ready?: Promise<void>,
  ) => {
    const abort = new AbortController();
    aborts.set(name, abort);
    const { signal } = abort;
    const onMoved = () => moves.push(name);
    const request = { purpose, signal, onMoved, ...(ready && { ready }) };
    const ticket = gate.join(config(commandLine, name), request);
    tickets.set(name, ticket);
    ticket.admitted.then(
      () => {
        inside.push(name);
        releases.set(name, () => {
          if (inside.includes(name)) inside.splice(inside.indexOf(name), 1);
          ticket.release();
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
      for (const [name, facts] of Object.entries(looks)) tickets.get(name)?.looked({ ...idle, ...facts });
    }
    await settle();
  };
  const lineOf = (name: string) => tickets.get(name)?.line;
  const hurry = (name: string) => tickets.get(name)?.hurry();
  return { clock, gate, inside, enter, hurry, release, settle, lookFor, lineOf, moves, aborts, outcomes };
}

describe('StartGate', () => {
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

  it('lets no look at a start that is over take a place', async () => {
    const { inside, enter, release, settle, lookFor } = gateOf(1);
    enter('a');
    await settle();
    release('a');
    await lookFor(1000, { a: { usedCpuMs: 500 } });
    enter('b');
    await settle();
    expect(inside).toEqual(['b']);
  });

  it('keeps the turn of one that is not ready yet, and lets others pass meanwhile', async () => {
    const { inside, enter, release, settle } = gateOf(1);
    const ready = createDeferred<void>();
    enter('first', 'node x', 'automatic', ready.promise);
    enter('a');
    enter('b');
    await settle();
    expect(inside).toEqual(['a']);
    ready.resolve();
    await settle();
    release('a');
    await settle();
    expect(inside).toEqual(['first']);
    release('first');
    await settle();
    expect(inside).toEqual(['b']);
  });

  it('names the start that installs the same package, where a place is free', async () => {
    const { enter, settle, lineOf } = gateOf(2);
    enter('first', 'npx server');
    enter('second', 'npx server');
    await settle();
    expect(lineOf('second')).toEqual({ position: 0, behind: [], starting: ['first'], sameInstall: 'first' });
  });

  it('tells those that wait when the line has changed, and nobody else', async () => {
    const { enter, release, settle, moves } = gateOf(1);
    for (const name of ['a', 'b', 'c']) enter(name);
    await settle();
    moves.splice(0);
    release('a');
    await settle();
    expect(moves).toEqual(['c']);
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
    const signal = AbortSignal.abort(new Error('late'));
    await expect(gate.join(config('node x'), { purpose: 'awaited', signal }).admitted).rejects.toThrow(
      'late',
    );
    expect(gate.size).toBe(0);
  });

  it('holds remote servers back until it is open, and then lets them in, however many are inside', async () => {
    const { enter, gate, settle } = gateOf(1, false);
    enter('a');
    const ticket = gate.join(remote, { purpose: 'automatic', signal: new AbortController().signal });
    let isInside = false;
    void ticket.admitted.then(() => (isInside = true));
    await settle();
    expect(isInside).toBe(false);
    gate.open();
    await ticket.admitted;
    expect(gate.size).toBe(2);
    ticket.release();
    expect(gate.size).toBe(1);
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

  it('lets in neither too many nor one package twice, nobody before who goes first, and is empty in the end', async () => {
    const kinds = ['enter', 'enter', 'release', 'abort', 'hurry', 'idle', 'work'] as const;
    const step = fc.tuple(
      fc.constantFrom(...kinds),
      fc.integer({ min: 0, max: 11 }),
      fc.constantFrom<StartPurpose>('awaited', 'automatic', 'retry'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, concurrency) => {
          const bench = gateOf(concurrency);
          const { gate, inside, enter, hurry, release, settle, lookFor, lineOf, aborts, outcomes, clock } =
            bench;
          /** What the test knows of each start that has entered and is not over, in the order of entering. */
          const known = new Map<string, { purpose: StartPurpose; idleMs: number; key: string | undefined }>();
          const over = (name: string) => known.delete(name);
          const waiting = () => [...known].filter(([name]) => !inside.includes(name));
          const taken = (purpose: StartPurpose, others = inside) =>
            others.filter((name) => {
              const { idleMs, purpose: own } = known.get(name)!;
              return idleMs < (purpose === 'awaited' || own === 'retry' ? 3000 : 15_000);
            });
          const hasRoom = (purpose: StartPurpose) => {
            const others = taken(purpose);
            if (purpose === 'retry' && others.some((name) => known.get(name)!.purpose === 'retry'))
              return false;
            return others.length < concurrency + (purpose === 'awaited' ? 1 : 0);
          };
          const isKeyFree = (key: string | undefined) =>
            key === undefined || !inside.some((name) => known.get(name)!.key === key);
          let entered = 0;
          for (const [kind, index, purpose] of steps) {
            const before = [...inside];
            const pick = <T>(list: readonly T[]): T | undefined => list[index % Math.max(1, list.length)];
            if (kind === 'enter') {
              const key = index < 6 ? `package-${index % 3}` : undefined;
              const name = `s${(entered += 1)}`;
              known.set(name, { purpose, idleMs: 0, key });
              enter(name, key === undefined ? 'node server.mjs' : `npx ${key}`, purpose);
            }
            const waits = pick(waiting())?.[0];
            const starts = pick(inside);
            if (kind === 'abort' && waits !== undefined) {
              aborts.get(waits)!.abort(new Error('stopped'));
              over(waits);
            }
            if (kind === 'hurry' && waits !== undefined) {
              hurry(waits);
              known.get(waits)!.purpose = 'awaited';
            }
            if (kind === 'release' && starts !== undefined) {
              release(starts);
              over(starts);
            }
            await settle();
            if ((kind === 'idle' || kind === 'work') && starts !== undefined) {
              const forMs = kind === 'idle' ? 4000 : 1000;
              // Only this one is looked at, and nobody has looked at the others.
              for (let ms = 0; ms < forMs; ms += 1000) {
                await lookFor(1000, { [starts]: kind === 'work' ? { usedCpuMs: 100 } : {} });
                const { idleMs } = known.get(starts)!;
                known.get(starts)!.idleMs = kind === 'work' ? 0 : idleMs + 1000;
              }
            }
            const cameIn = inside.filter((name) => !before.includes(name));
            // The last to come in found room, whoever was inside then: those of before and those of this step.
            for (const name of cameIn) {
              const { purpose: own, key } = known.get(name)!;
              const allowed = concurrency + (own === 'awaited' ? 1 : 0);
              const others = taken(
                own,
                inside.filter((other) => other !== name),
              );
              const cameLater = cameIn.slice(cameIn.indexOf(name) + 1);
              expect(others.filter((other) => !cameLater.includes(other)).length).toBeLessThan(allowed);
              if (key !== undefined)
                expect(inside.filter((other) => known.get(other)!.key === key)).toEqual([name]);
            }
            // Nobody waits who might go, and so nobody was passed by one that comes later.
            for (const [, { purpose: own, key }] of waiting())
              expect(hasRoom(own) && isKeyFree(key)).toBe(false);
            // The places in the line follow one another.
            const ranks: Record<StartPurpose, number> = { awaited: 0, automatic: 1, retry: 2 };
            const order = waiting()
              .sort(([, one], [, other]) => ranks[one.purpose] - ranks[other.purpose])
              .map(([name]) => name);
            for (const [at, name] of order.entries()) {
              const { position = 0, behind = [] } = lineOf(name) ?? {};
              expect(behind).toEqual(order.slice(at - behind.length, at));
              expect(position).toBeLessThanOrEqual(at + 1);
              // An awaited start does not count those that are idle for some seconds; it may wait for its package alone.
              if (taken('awaited').length >= concurrency + 1) expect(position).toBe(at + 1);
            }
          }
          for (const abort of aborts.values()) abort.abort(new Error('over'));
          for (const name of [...inside]) release(name);
          await settle();
          expect([gate.size, clock.pending]).toEqual([0, 0]);
          expect(outcomes.size + inside.length).toBeLessThanOrEqual(entered);
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

const names = Array.from({ length: 25 }, (_, at) => `s${at + 1}`);
const words = (position: number) =>
  lineWords({
    position,
    behind: names.slice(0, position - 1),
    starting: ['x', 'y', 'z'],
    sameInstall: undefined,
  });

describe('the words of a place in the line', () => {
  it('name the place, and who is before it, from the first to the 25th', () => {
    expect(words(1)).toBe('1st in line, until one of x, y, z has started');
    expect([2, 3, 4].map(words)).toEqual([
      '2nd in line, behind s1',
      '3rd in line, behind s1, s2',
      '4th in line, behind s1, s2, s3',
    ]);
    for (let position = 5; position <= 25; position += 1)
      expect(words(position)).toBe(
        `${{ 21: '21st', 22: '22nd', 23: '23rd' }[position] ?? `${position}th`} in line, behind s1, s2, s3 and ${position - 4} more`,
      );
  });
});

describe('progress of a start', () => {
  // Samples of each second of a cold `npx -y @modelcontextprotocol/server-memory`, and of the server once it
  // waited.
  it.each([
    [true, 'npm reads its configuration', { newProcesses: 0, usedCpuMs: 420, writtenBytes: 10_187 }],
    [true, 'it fetches', { newProcesses: 0, usedCpuMs: 470, writtenBytes: 1_524_945 }],
    [true, 'it computes the tree', { newProcesses: 0, usedCpuMs: 140, writtenBytes: 0 }],
    [
      true,
      'it extracts, and what it uses of the CPU cannot be read',
      { newProcesses: 0, writtenBytes: 28_376 },
    ],
    [true, 'it starts the server', { newProcesses: 2, usedCpuMs: 20, writtenBytes: 0 }],
    [false, 'the server waits', { newProcesses: 0, usedCpuMs: 0, writtenBytes: 0 }],
    [false, 'an event loop wakes up twice', { newProcesses: 0, usedCpuMs: 0, writtenBytes: 16 }],
    [false, 'a busy event loop waits', { newProcesses: 0, usedCpuMs: 30, writtenBytes: 800 }],
    [false, 'nothing can be read of it', { newProcesses: 0 }],
  ])('%s: %s', (expected, _what, facts) => expect(isProgress(facts)).toBe(expected));
});
