import { describe, expect, it } from 'vitest';
import { applyPush, applySnapshot, createPanelStore } from '../../../renderer/store/panel-store.ts';
import { aPush, aSample, aServer, aSnapshot, anEvent } from '../builders.ts';

const empty = createPanelStore().getState();
const withServers = (...names: string[]) =>
  applySnapshot(empty, aSnapshot(1, { servers: names.map((name) => aServer(name)) }));

describe('applySnapshot', () => {
  it('is ready, with servers in an order that does not depend on the file', () => {
    const state = withServers('web-10', 'Web-2', 'memory', 'github');
    expect(state.phase).toBe('ready');
    expect(state.names).toEqual(['github', 'memory', 'Web-2', 'web-10']);
  });

  it('forgets a failure to load', () => {
    const failed = { ...empty, loadError: { code: 'PROTOCOL_ERROR', message: 'no' } as const };
    expect(applySnapshot(failed, aSnapshot(1)).loadError).toBeUndefined();
  });

  it('keeps the list of names as it is when none came or went', () => {
    const before = withServers('a', 'b');
    const after = applySnapshot(before, aSnapshot(2, { servers: [aServer('b'), aServer('a')] }));
    expect(after.names).toBe(before.names);
  });
});

describe('applyPush', () => {
  it('replaces changed servers whole and leaves the others untouched', () => {
    const before = withServers('a', 'b');
    const changed = aServer('b', { state: { kind: 'failed', since: 5 } });
    const after = applyPush(before, aPush(2, { servers: [changed] }));
    expect(after.servers.get('b')).toBe(changed);
    expect(after.servers.get('a')).toBe(before.servers.get('a'));
    expect(after.names).toBe(before.names);
    expect(after.events).toBe(before.events);
  });

  it('puts figures into the entry that is there, in place of those that it had', () => {
    const busy = { calls: 1, oldestMs: 5 };
    const servers = [aServer('a', { sample: aSample(1), busy }), aServer('b')];
    const before = applySnapshot(empty, aSnapshot(1, { servers }));
    const after = applyPush(before, aPush(2, { samples: [{ name: 'a', sample: aSample(2) }] }));
    expect(after.servers.get('a')).toEqual(aServer('a', { sample: aSample(2) }));
    expect(after.servers.get('b')).toBe(before.servers.get('b'));
    expect(after.names).toBe(before.names);
  });

  it('has no entry for figures of a server that it does not know', () => {
    const after = applyPush(withServers('a'), aPush(2, { samples: [{ name: 'gone' }] }));
    expect([...after.servers.keys()]).toEqual(['a']);
  });

  it('adds and removes servers in place', () => {
    const before = withServers('a', 'c');
    const after = applyPush(before, aPush(2, { servers: [aServer('b')], removed: ['a'] }));
    expect(after.names).toEqual(['b', 'c']);
    expect([...after.servers.keys()].sort()).toEqual(['b', 'c']);
  });

  it('takes a server that is removed and sent at once for replaced', () => {
    const after = applyPush(
      withServers('a'),
      aPush(2, { servers: [aServer('a', { generation: 9 })], removed: ['a'] }),
    );
    expect(after.servers.get('a')?.generation).toBe(9);
  });

  it('appends events and keeps the last 500', () => {
    const events = Array.from({ length: 499 }, (_, index) => anEvent(`e${index}`));
    const before = applySnapshot(empty, aSnapshot(1, { events }));
    const after = applyPush(before, aPush(2, { events: [anEvent('x'), anEvent('y')] }));
    expect(after.events).toHaveLength(500);
    expect(after.events[0]?.id).toBe('e1');
    expect(after.events.at(-1)?.id).toBe('y');
  });

  it('takes over the state of the configuration', () => {
    const config = { path: '/x', error: { message: 'broken', line: 3 } };
    expect(applyPush(withServers('a'), aPush(2, { config })).config).toBe(config);
    expect(applyPush(withServers('a'), aPush(2)).config.path).toBe('/home/servers.json');
  });

  it('changes nothing but what an empty push has', () => {
    const before = withServers('a');
    expect(applyPush(before, aPush(2))).toEqual(before);
  });
});
