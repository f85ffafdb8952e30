import { describe, expect, it } from 'vitest';
import type { ContainerReading } from '../../../electron/core/platform/containers/container-reading.ts';
import { sampleContainer } from '../../../electron/core/telemetry/sampler.ts';
import { sampleTree } from '../../../electron/core/telemetry/tree-sample.ts';
import { limitSampleOf } from '../../../electron/core/supervisor/limits/limited-tree.ts';
import { reading } from './reading.ts';

const time = { epochMs: 5, nowMs: 0 };
const client = sampleTree(undefined, [reading({ pid: 7, command: 'docker', rssBytes: 25 })], time).tree;
const inside = (changes: Partial<ContainerReading>): ContainerReading => ({
  atMs: 0,
  memoryBytes: 300,
  cpuTimeMs: 0,
  processCount: 2,
  isPaused: false,
  ...changes,
});

describe('the sample of a container', () => {
  it('has the figures of the container, and none of its client', () => {
    const { tree } = sampleContainer(client, inside({}), undefined, time);
    expect(tree.sample).toEqual({ at: 5, memoryBytes: 300, processCount: 2 });
    expect(limitSampleOf(tree)).toEqual({ memoryBytes: 300, cpuPercent: undefined });
    // What the client does says nothing about the server; what the server does is seen.
    expect(client.facts.reachesOut).toBe(true);
    expect(tree.facts).toEqual({ newProcesses: 1, reachesOut: false });
    const busy = sampleContainer(client, inside({ isAtWork: true }), undefined, time);
    expect(busy.tree.facts.isAtWork).toBe(true);
  });

  it('is held while there is no connection to it, because nobody could hear it', () => {
    const { tree } = sampleContainer(client, 'out-of-reach', undefined, time);
    expect(tree.facts.isHeld).toBe(true);
    expect(sampleContainer(client, undefined, undefined, time).tree.facts.isHeld).toBeUndefined();
  });

  it('is paused also where no process of this machine belongs to it', () => {
    const nothing = sampleTree(undefined, [], time).tree;
    const { tree } = sampleContainer(nothing, inside({ isPaused: true, cpuTimeMs: 9 }), undefined, time);
    expect(tree.facts.stoppedServer).toMatchObject({ by: 'engine', cpuTimeMs: 9 });
  });

  it('has CPU over the time between two readings, by their own clock', () => {
    const first = sampleContainer(client, inside({}), undefined, time);
    const again = sampleContainer(client, inside({}), first.memory, time);
    expect(again.tree.sample.cpuPercent).toBeUndefined();
    const second = sampleContainer(client, inside({ atMs: 2000, cpuTimeMs: 1000 }), again.memory, time);
    expect(second.tree.sample.cpuPercent).toBe(50);
    expect(second.tree.facts.usedCpuMs).toBe(1000);
    // The same reading again is no idle second.
    const third = sampleContainer(client, inside({ atMs: 2000, cpuTimeMs: 1000 }), second.memory, time);
    expect(third.tree.sample.cpuPercent).toBe(50);
  });

  it('has no figures while the engine tells none, instead of those of the client', () => {
    const { tree } = sampleContainer(client, undefined, undefined, time);
    expect(tree.sample).toEqual({ at: 5, processCount: 1 });
    expect(tree.facts.reachesOut).toBe(true);
  });

  it('shows a paused container as a server that its engine has stopped', () => {
    const { tree } = sampleContainer(client, inside({ isPaused: true, cpuTimeMs: 9 }), undefined, time);
    expect(tree.facts.stoppedServer).toMatchObject({ pid: 7, cpuTimeMs: 9, by: 'engine' });
  });
});
