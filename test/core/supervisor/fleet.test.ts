import { describe, expect, it } from 'vitest';
import { Fleet } from '../../../electron/core/supervisor/fleet.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { createSupervisorBench, testConfig, type SupervisorBench } from './supervisor-bench.ts';

function bench() {
  const benches = new Map<string, SupervisorBench>();
  const removed: string[] = [];
  const fleet = new Fleet({
    createSupervisor: (config) => {
      const supervisor = createSupervisorBench({}, () => 0.5, config);
      benches.set(config.name, supervisor);
      return supervisor.supervisor;
    },
    onRemoved: (name) => removed.push(name),
  });
  const settle = async () => {
    for (const one of benches.values()) await one.settle();
  };
  const ready = async () => {
    await settle();
    for (const one of benches.values()) for (const run of one.runs) run.becomeReady();
    await settle();
  };
  const gone = async () => {
    await settle();
    for (const one of benches.values()) for (const run of one.runs) if (run.endError) run.becomeGone();
    await settle();
  };
  return { fleet, benches, removed, settle, ready, gone };
}

const named = (
  name: string,
  panel: Record<string, unknown> = {},
  changes: Partial<ServerConfig> = {},
): ServerConfig => ({ ...testConfig(panel), name, ...changes }) as ServerConfig;

describe('Fleet', () => {
  it('starts what is to start by itself, and nothing else', async () => {
    const { fleet, ready } = bench();
    fleet.apply([named('a'), named('b', { autoStart: false }), named('c', {}, { enabled: false })]);
    await ready();
    expect(fleet.supervisors.map(({ name, stateKind }) => [name, stateKind])).toEqual([
      ['a', 'running'],
      ['b', 'stopped'],
      ['c', 'stopped'],
    ]);
  });

  it('stops a server that left the configuration, and lets it go when its last process has', async () => {
    const { fleet, ready, gone, removed } = bench();
    fleet.apply([named('a'), named('b')]);
    await ready();
    fleet.apply([named('b')]);
    expect(() => fleet.get('a')).toThrowError(/no server "a".*Known/);
    expect(removed).toEqual([]);
    await gone();
    expect(removed).toEqual(['a']);
    expect(fleet.supervisors.map(({ name }) => name)).toEqual(['b']);
  });

  it('keeps a server that comes back while it is leaving', async () => {
    const { fleet, ready, gone, removed, benches } = bench();
    fleet.apply([named('a')]);
    await ready();
    fleet.apply([]);
    fleet.apply([named('a')]);
    await gone();
    await ready();
    expect(removed).toEqual([]);
    expect(fleet.get('a').stateKind).toBe('running');
    expect(benches.get('a')?.runs).toHaveLength(2);
  });

  it('stops a server that is disabled, and starts it when it is enabled again', async () => {
    const { fleet, ready, gone } = bench();
    fleet.apply([named('a')]);
    await ready();
    fleet.apply([named('a', {}, { enabled: false })]);
    await gone();
    expect(fleet.get('a').stateKind).toBe('stopped');
    fleet.apply([named('a')]);
    await ready();
    expect(fleet.get('a').stateKind).toBe('running');
  });

  it('follows the order of the configuration', async () => {
    const { fleet, ready } = bench();
    fleet.apply([named('a'), named('b')]);
    await ready();
    fleet.apply([named('c'), named('b'), named('a')]);
    expect(fleet.supervisors.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  });

  it('starts nothing after it was closed', async () => {
    const { fleet, ready, gone, benches } = bench();
    fleet.apply([named('a')]);
    await ready();
    const closed = fleet.close();
    fleet.apply([named('a'), named('b')]);
    await gone();
    await closed;
    expect(fleet.get('a').stateKind).toBe('stopped');
    expect(benches.has('b')).toBe(false);
  });
});
