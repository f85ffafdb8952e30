import { describe, expect, it } from 'vitest';
import type { PanelEvent, Push, ServerView } from '../../shared/domain.ts';
import { PushHub } from '../../electron/core/push-hub.ts';
import { createFakeClock } from './fake-clock.ts';

function bench() {
  const clock = createFakeClock();
  const servers = new Map<string, ServerView>();
  const pushes: Push[] = [];
  const hub = new PushHub({
    clock,
    view: (name) => servers.get(name),
    config: () => ({ path: '/servers.json' }),
  });
  hub.pushed.subscribe((push) => pushes.push(push));
  const change = (name: string) => {
    servers.set(name, { name } as ServerView);
    hub.serverChanged(name);
  };
  return { clock, servers, pushes, hub, change };
}

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

  it('counts pushes by one', async () => {
    const { clock, pushes, change } = bench();
    for (let round = 1; round <= 5; round += 1) {
      change('one');
      await clock.advance(100);
    }
    expect(pushes.map((push) => push.sequence)).toEqual([1, 2, 3, 4, 5]);
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

  it('sends what was collected before a snapshot is taken, so that no later push repeats it', () => {
    const { pushes, hub, change } = bench();
    change('one');
    hub.flush();
    expect([pushes.length, hub.sequence]).toEqual([1, 1]);
    hub.flush();
    expect(pushes).toHaveLength(1);
  });
});
