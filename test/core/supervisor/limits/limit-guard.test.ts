import { describe, expect, it } from 'vitest';
import {
  LimitGuard,
  type LimitSample,
  type LimitSettings,
} from '../../../../electron/core/supervisor/limits/limit-guard.ts';
import type { PanelError } from '../../../../shared/error-codes.ts';
import { defaultPanelSettings } from '../../../../shared/panel-settings.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import { createFakeClock } from '../../fake-clock.ts';

const SAMPLE_INTERVAL_MS = 1000;
const PATIENCE_MS = 30_000;

/**
 * Guard of a server with limits of 100 MiB and 50 open files; three samples in a row make a breach or its
 * end.
 */
class Bench {
  readonly clock = createFakeClock();
  readonly events: string[] = [];
  readonly details: Record<string, unknown>[] = [];
  readonly acts: { action: 'restart' | 'stop'; error: PanelError; atMs: number }[] = [];
  awaitedCalls = 0;
  settings: LimitSettings = {
    ...defaultPanelSettings.limits,
    maxMemoryMiB: 100,
    maxOpenFiles: 50,
    sustainedSamples: 3,
  };
  readonly #guard: LimitGuard;

  constructor(platform: NodeJS.Platform = 'linux') {
    this.#guard = new LimitGuard({
      clock: this.clock,
      server: 'alpha',
      platform,
      settings: () => this.settings,
      awaitedCalls: () => this.awaitedCalls,
      logEvent: (kind, detail) => {
        this.events.push('limit' in detail ? `${kind} ${String(detail.limit)}` : kind);
        this.details.push(detail);
      },
      onAct: (action, error) => this.acts.push({ action, error, atMs: this.clock.now() }),
    });
  }

  sample(count: number, figures: { memoryMiB?: number; openFiles?: number; cpuPercent?: number }): void {
    for (let index = 0; index < count; index += 1) {
      this.#guard.sampled(sampleOf(figures));
      this.clock.tick(SAMPLE_INTERVAL_MS);
    }
  }

  /** Actions taken, each with its limit. */
  get acted(): string[] {
    return this.acts.map(({ action, error }) => `${action} for ${String(error.data?.['limit'])}`);
  }
}

function sampleOf(figures: { memoryMiB?: number; openFiles?: number; cpuPercent?: number }): LimitSample {
  const { memoryMiB = 10, openFiles = 5, cpuPercent = 1 } = figures;
  return {
    memoryBytes: memoryMiB * BYTES_PER_MIB,
    cpuPercent,
    largestProcess: { pid: 11, command: 'node', memoryBytes: memoryMiB * BYTES_PER_MIB },
    maxOpenFiles: { pid: 12, command: 'python', openFiles },
  };
}

describe('LimitGuard: one limit', () => {
  it('ends an idle tree in the sample that makes the breach, with figures, holder and remedy', () => {
    const bench = new Bench();
    bench.sample(3, { memoryMiB: 150 });
    expect(bench.events).toEqual(['limit-breached memory']);
    expect(bench.acts.map(({ atMs }) => atMs)).toEqual([2000]);
    const { code, message, data } = bench.acts[0]!.error;
    expect({ code, message, data }).toEqual({
      code: 'LIMIT_BREACHED',
      message: 'alpha held 150 MiB of memory, over its limit of 100 MiB of memory, most of it node (pid 11).',
      data: {
        limit: 'memory',
        value: 150 * BYTES_PER_MIB,
        max: 100 * BYTES_PER_MIB,
        holder: { pid: 11, command: 'node' },
      },
    });
    expect(bench.acts[0]!.error.remedy).toContain('raise "Memory" in its configuration');
  });

  it('ends the tree for open files in the words of open files', () => {
    const bench = new Bench();
    bench.sample(3, { openFiles: 60 });
    expect(bench.acts[0]!.error.message).toBe(
      'alpha held 60 open files, over its limit of 50 open files, most of it python (pid 12).',
    );
    expect(bench.acts[0]!.error.remedy).toContain('raise "Open files" in its configuration');
  });

  it('never ends a tree for CPU', () => {
    const bench = new Bench();
    bench.sample(100, { cpuPercent: 400 });
    expect([bench.events, bench.acted]).toEqual([['high-cpu'], []]);
  });

  it('lets calls in flight finish, and acts in the first sample without any', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(10, { memoryMiB: 150 });
    expect(bench.acted).toEqual([]);
    bench.awaitedCalls = 0;
    bench.sample(1, { memoryMiB: 150 });
    expect(bench.acted).toEqual(['restart for memory']);
  });

  it('waits for calls in flight no longer than its patience', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(60, { memoryMiB: 150 });
    const breachedAtMs = 2 * SAMPLE_INTERVAL_MS;
    expect(bench.acts.map(({ atMs }) => atMs)).toEqual([breachedAtMs + PATIENCE_MS]);
  });

  it('does not wait for calls at more than twice the limit', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(3, { memoryMiB: 201 });
    expect(bench.acts.map(({ atMs }) => atMs)).toEqual([2000]);
  });

  it('waits no longer once it becomes twice the limit, and names the figure of then', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(5, { memoryMiB: 150 });
    bench.sample(1, { memoryMiB: 250 });
    expect(bench.events).toEqual(['limit-breached memory']);
    expect(bench.acts.map(({ atMs }) => atMs)).toEqual([5000]);
    expect(bench.acts[0]!.error.data?.['value']).toBe(250 * BYTES_PER_MIB);
  });

  it('spares a server that is back within its limit before its calls are done', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(3, { memoryMiB: 150 });
    bench.sample(3, { memoryMiB: 50 });
    bench.awaitedCalls = 0;
    bench.sample(60, { memoryMiB: 50 });
    expect([bench.events, bench.acted]).toEqual([['limit-breached memory', 'limit-recovered memory'], []]);
  });

  it('acts once, and is silent about a tree that is on its way out', () => {
    const bench = new Bench();
    bench.sample(3, { memoryMiB: 150 });
    bench.sample(20, { memoryMiB: 250, openFiles: 200, cpuPercent: 400 });
    expect([bench.events, bench.acted]).toEqual([['limit-breached memory'], ['restart for memory']]);
  });
});

describe('LimitGuard: what a person wants done', () => {
  it.each(['restart', 'stop', 'notify'] as const)('says in the event that it is to %s', (onBreach) => {
    const bench = new Bench();
    bench.settings = { ...bench.settings, onBreach };
    bench.sample(3, { memoryMiB: 150 });
    expect(bench.details).toEqual([expect.objectContaining({ limit: 'memory', action: onBreach })]);
    expect(bench.acted).toEqual(onBreach === 'notify' ? [] : [`${onBreach} for memory`]);
  });

  it('acts on a breach that was only told when the setting changes, while the breach lasts', () => {
    const bench = new Bench();
    bench.settings = { ...bench.settings, onBreach: 'notify' };
    bench.sample(60, { memoryMiB: 150 });
    expect(bench.acted).toEqual([]);
    bench.settings = { ...bench.settings, onBreach: 'stop' };
    bench.sample(1, { memoryMiB: 150 });
    expect(bench.acted).toEqual(['stop for memory']);
  });
});

describe('LimitGuard: two limits at once', () => {
  it.each([
    ['memory', { memoryMiB: 150 }, 'openFiles', { openFiles: 60 }],
    ['openFiles', { openFiles: 60 }, 'memory', { memoryMiB: 150 }],
  ] as const)('still acts on the other limit when %s recovers', (first, overFirst, second, overSecond) => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(3, overFirst);
    bench.sample(3, { ...overFirst, ...overSecond });
    bench.sample(3, overSecond);
    expect(bench.events).toEqual([
      `limit-breached ${first}`,
      `limit-breached ${second}`,
      `limit-recovered ${first}`,
    ]);
    expect(bench.acted).toEqual([]);
    bench.awaitedCalls = 0;
    bench.sample(1, overSecond);
    expect(bench.acted).toEqual([`restart for ${second}`]);
  });

  it('counts the patience of each limit from its own breach', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(10, { memoryMiB: 150 });
    bench.sample(3, { memoryMiB: 150, openFiles: 60 });
    bench.sample(60, { openFiles: 60 });
    const filesBreachedAtMs = 12 * SAMPLE_INTERVAL_MS;
    expect(bench.acts.map(({ atMs }) => atMs)).toEqual([filesBreachedAtMs + PATIENCE_MS]);
    expect(bench.acted).toEqual(['restart for openFiles']);
  });

  it('still acts on a breach when another one was severe for a while and has recovered', () => {
    const bench = new Bench();
    bench.settings = { ...bench.settings, onBreach: 'notify' };
    bench.sample(3, { memoryMiB: 150, openFiles: 60 });
    bench.sample(1, { memoryMiB: 150, openFiles: 120 });
    bench.sample(3, { memoryMiB: 150, openFiles: 5 });
    bench.settings = { ...bench.settings, onBreach: 'restart' };
    bench.sample(1, { memoryMiB: 150 });
    expect(bench.acted).toEqual(['restart for memory']);
  });

  it('acts once for two breaches of one sample', () => {
    const bench = new Bench();
    bench.sample(10, { memoryMiB: 150, openFiles: 60 });
    expect(bench.events).toEqual(['limit-breached memory', 'limit-breached openFiles']);
    expect(bench.acted).toEqual(['restart for memory']);
  });

  it('does nothing once both are over', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(3, { memoryMiB: 150, openFiles: 60 });
    bench.sample(3, {});
    bench.awaitedCalls = 0;
    bench.sample(60, {});
    expect(bench.acted).toEqual([]);
  });
});

describe('the limit of open files on Windows', () => {
  it('is called one of handles when it was set and is exceeded', () => {
    const bench = new Bench('win32');
    bench.sample(3, { openFiles: 60 });
    expect(bench.acts.map(({ error }) => [error.message, error.remedy])).toEqual([
      [
        expect.stringContaining('held 60 handles, over its limit of 50 handles'),
        'If it needs that much, raise "Handles" in its configuration.',
      ],
    ]);
  });
});
