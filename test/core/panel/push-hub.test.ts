import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanelEvent, Push, ServerView } from '../../../shared/domain.ts';
import { PushHub } from '../../../electron/core/panel/push-hub.ts';
import { createFakeClock } from '../fake-clock.ts';
import { propertyRuns } from '../../support/property-runs.ts';

function bench() {
  const clock = createFakeClock();
  const servers = new Map<string, ServerView>();
  const pushes: Push[] = [];
  const hub = new PushHub({
    clock,
    view: (name) => servers.get(name),
    config: () => ({ path: '/servers.json' }),
    approvals: () => [],
  });
  hub.pushed.subscribe((push) => pushes.push(push));
  const change = (name: string, view: Partial<ServerView> = {}) => {
    servers.set(name, { name, ...view } as ServerView);
    hub.serverChanged(name);
  };
  const mark = (name: string, view: Partial<ServerView> = {}) => {
    servers.set(name, { name, ...view } as ServerView);
    hub.serverMarked(name);
  };
  return { clock, servers, pushes, hub, change, mark };
}

const sample = (at: number) => ({ at, processCount: 1 });

const event = (id: string) => ({ id, at: 0, server: null, kind: 'started', detail: {} }) satisfies PanelEvent;

describe('PushHub', () => {
  it('sends what changed within a moment as one push, each server once and whole', async () => {
    const { clock, pushes, hub, change } = bench();
    change('one');
    change('two');
    change('one');
    hub.eventAppended(event('1'));
    expect(pushes).toEqual([]);
    await clock.advance(100);
    expect(pushes).toEqual([
      { sequence: 1, servers: [{ name: 'one' }, { name: 'two' }], events: [event('1')] },
    ]);
    await clock.advance(1000);
    expect(pushes).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('names a removed server, and not one that came back in the same moment', async () => {
    const { clock, pushes, servers, hub, change } = bench();
    change('gone');
    servers.delete('gone');
    hub.serverRemoved('gone');
    hub.serverRemoved('back');
    change('back');
    hub.configChanged();
    await clock.advance(100);
    expect(pushes).toEqual([
      { sequence: 1, servers: [{ name: 'back' }], removed: ['gone'], config: { path: '/servers.json' } },
    ]);
  });

  it('sends nothing to a hidden window, and leaves a gap so that it asks for a snapshot when shown', async () => {
    const { clock, pushes, hub, change } = bench();
    change('one');
    await clock.advance(100);
    hub.setOpen(false);
    change('one');
    hub.eventAppended(event('2'));
    await clock.advance(10_000);
    expect(pushes).toHaveLength(1);
    expect(clock.pending).toBe(0);
    hub.setOpen(true);
    change('two');
    await clock.advance(100);
    expect(pushes.map((push) => push.sequence)).toEqual([1, 3]);
    expect(pushes[1]?.events).toBeUndefined();
  });

  it('sends the figures alone of a server that changed in nothing else, with the tick', async () => {
    const { clock, pushes, hub, change, mark } = bench();
    hub.tick();
    change('one', { generation: 1, sample: sample(1) });
    change('other', { generation: 1 });
    await clock.advance(100);
    mark('one', { generation: 1, sample: sample(2), busy: { calls: 1, oldestMs: 5 } });
    mark('other', { generation: 2, sample: sample(2) });
    await clock.advance(500);
    expect(pushes).toHaveLength(1);
    hub.tick();
    mark('one', { generation: 1, sample: sample(3) });
    hub.tick();
    expect(pushes.slice(1)).toEqual([
      {
        sequence: 2,
        servers: [{ name: 'other', generation: 2, sample: sample(2) }],
        samples: [{ name: 'one', sample: sample(2), busy: { calls: 1, oldestMs: 5 } }],
      },
      { sequence: 3, samples: [{ name: 'one', sample: sample(3) }] },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('lets figures wait for the tick also when something else was thought to have changed', async () => {
    const { clock, pushes, hub, change } = bench();
    hub.tick();
    change('one', { sample: sample(1) });
    await clock.advance(100);
    change('one', { sample: sample(2) });
    await clock.advance(500);
    expect(pushes).toHaveLength(1);
    hub.tick();
    expect(pushes[1]).toEqual({ sequence: 2, samples: [{ name: 'one', sample: sample(2) }] });
  });

  it('says nothing of a server that is as it was', async () => {
    const { clock, pushes, hub, change, mark } = bench();
    change('one', { sample: sample(1), unansweredSince: 5000 });
    await clock.advance(100);
    change('one', { sample: sample(1), unansweredSince: 5001 });
    mark('one', { sample: sample(1), unansweredSince: 4999 });
    await clock.advance(100);
    hub.tick();
    expect(pushes).toHaveLength(1);
  });

  it('sends marks within moments of each other as one push where no tick comes, and goes on at its pace', async () => {
    const { clock, pushes, mark } = bench();
    for (let at = 1; at <= 100; at += 1) {
      mark('remote', { sample: sample(at) });
      await clock.advance(40);
    }
    expect(pushes.length).toBeGreaterThanOrEqual(3);
    expect(pushes.length).toBeLessThanOrEqual(4);
    await clock.advance(2000);
    expect(pushes.at(-1)?.samples).toEqual([{ name: 'remote', sample: sample(100) }]);
    expect(clock.pending).toBe(0);
  });
});

/** Steps that may happen to a panel with two servers between two looks of its window. */
const stepArbitrary = fc.oneof(
  fc.record({
    kind: fc.constantFrom('change', 'mark'),
    name: fc.constantFrom('a', 'b'),
    generation: fc.integer({ min: 1, max: 2 }),
    at: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    calls: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('remove'), name: fc.constantFrom('a', 'b') }),
  fc.record({ kind: fc.constantFrom('tick', 'snapshot', 'hide', 'show') }),
  fc.record({ kind: fc.constant('wait'), ms: fc.integer({ min: 1, max: 2000 }) }),
);
type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;

/**
 * Reader that keeps what it is sent as the contract says: a gap means a snapshot, figures replace those of
 * the entry that is there.
 */
function createReader(hub: PushHub, current: ReadonlyMap<string, ServerView>) {
  const reader = { servers: new Map<string, ServerView>(), sequence: 0, takeSnapshot };
  function takeSnapshot() {
    hub.flush();
    reader.sequence = hub.sequence;
    reader.servers = new Map(current);
  }
  hub.pushed.subscribe((push) => {
    if (push.sequence !== reader.sequence + 1) return takeSnapshot();
    reader.sequence = push.sequence;
    for (const name of push.removed ?? []) reader.servers.delete(name);
    for (const view of push.servers ?? []) reader.servers.set(view.name, view);
    for (const { name, ...figures } of push.samples ?? []) {
      const view = { ...reader.servers.get(name)! };
      delete view.sample;
      delete view.busy;
      reader.servers.set(name, { ...view, ...figures });
    }
  });
  return reader;
}

describe('a reader of the pushes', () => {
  it('knows every server as it is once the marks have come, whatever happened', async () => {
    const property = fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 40 }), async (steps) => {
      const { clock, servers, hub, change, mark } = bench();
      const reader = createReader(hub, servers);
      for (const step of steps) await take(step);
      hub.setOpen(true);
      await clock.advance(2000);
      change('last');
      await clock.advance(2000);
      expect(reader.servers).toEqual(servers);

      async function take(step: Step): Promise<void> {
        if ('generation' in step) {
          const { at, calls, generation } = step;
          (step.kind === 'mark' ? mark : change)(step.name, {
            generation,
            ...(at !== undefined && { sample: sample(at) }),
            ...(calls !== undefined && { busy: { calls, oldestMs: 1 } }),
          });
        } else if ('ms' in step) await clock.advance(step.ms);
        else if ('name' in step) {
          servers.delete(step.name);
          hub.serverRemoved(step.name);
        } else if (step.kind === 'tick') hub.tick();
        else if (step.kind === 'snapshot') reader.takeSnapshot();
        else hub.setOpen(step.kind === 'show');
      }
    });
    await fc.assert(property, { numRuns: propertyRuns(300) });
  });
});
