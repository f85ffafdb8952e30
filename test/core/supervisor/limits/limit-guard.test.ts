import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LimitGuard,
  type LimitSample,
  type LimitSettings,
} from '../../../../electron/core/supervisor/limits/limit-guard.ts';
import type { PanelError } from '../../../../shared/error-codes.ts';
import { NO_OPEN_FILES_LIMIT } from '../../../../shared/open-files.ts';
import { defaultPanelSettings } from '../../../../shared/panel-settings.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const SAMPLE_INTERVAL_MS = 1000;
const PATIENCE_MS = 30_000;

const SETTINGS: LimitSettings = {
  ...defaultPanelSettings.limits,
  maxMemoryMiB: 100,
  maxOpenFiles: 50,
  sustainedSamples: 3,
};

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
  settings = SETTINGS;
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
      message: 'alpha used 150 MiB of memory, over its limit of 100 MiB of memory, most of it node (pid 11).',
      data: {
        limit: 'memory',
        value: 150 * BYTES_PER_MIB,
        max: 100 * BYTES_PER_MIB,
        holder: { pid: 11, command: 'node' },
      },
    });
    expect(bench.acts[0]!.error.remedy).toContain('raise "Memory" in its configuration');
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

  it('waits no longer once it becomes twice the limit, and names the figure of then', () => {
    const bench = new Bench();
    bench.awaitedCalls = 1;
    bench.sample(5, { memoryMiB: 150 });
    bench.sample(1, { memoryMiB: 201 });
    expect(bench.events).toEqual(['limit-breached memory']);
    expect(bench.acts.map(({ atMs }) => atMs)).toEqual([5000]);
    expect(bench.acts[0]!.error.data?.['value']).toBe(201 * BYTES_PER_MIB);
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
});

describe('the limit of open files', () => {
  it.each([
    ['linux', 'open files', 'Open files'],
    ['win32', 'handles', 'Handles'],
  ] as const)('ends the tree in the words of %s', (platform, words, setting) => {
    const bench = new Bench(platform);
    bench.sample(3, { openFiles: 60 });
    const { message, remedy } = bench.acts[0]!.error;
    expect(message).toBe(
      `alpha used 60 ${words}, over its limit of 50 ${words}, most of it python (pid 12).`,
    );
    expect(remedy).toBe(`If it needs that much, raise "${setting}" in its configuration.`);
  });
});

/** Events of samples one second apart, each with the number of the sample that brought it; nothing is ended. */
function told(samples: readonly LimitSample[], limits: Partial<LimitSettings> = {}) {
  const clock = createFakeClock();
  const events: { readonly sample: number; readonly kind: string; readonly detail: object }[] = [];
  const guard = new LimitGuard({
    clock,
    server: 'alpha',
    settings: () => ({ ...SETTINGS, onBreach: 'notify', ...limits }),
    awaitedCalls: () => 0,
    logEvent: (kind, detail) => events.push({ sample: clock.now() / 1000, kind, detail }),
    onAct: () => expect.unreachable('it only tells'),
  });
  for (const sample of samples) {
    guard.sampled(sample);
    clock.tick(SAMPLE_INTERVAL_MS);
  }
  return events;
}
const memory = (...percents: readonly (number | undefined)[]) =>
  percents.map((percent): LimitSample => ({
    memoryBytes: percent === undefined ? undefined : percent * BYTES_PER_MIB,
  }));
const cpu = (...percents: readonly number[]) => percents.map((cpuPercent): LimitSample => ({ cpuPercent }));
const outlineOf = (...played: Parameters<typeof told>) =>
  told(...played).map(({ sample, kind }) => `${sample}:${kind}`);

describe('an episode of a limit', () => {
  const unlimited = { maxOpenFiles: { pid: 1, command: 'chrome', openFiles: 2 * NO_OPEN_FILES_LIMIT } };

  it.each<[string, LimitSample[], string[], Partial<LimitSettings>?]>([
    ['is none below the limit', memory(10, 99, 100, 100, 100, 100), []],
    ['lasts at ninety percent', memory(101, 101, 101, 95, 90, 92, 101, 101, 101), ['2:limit-breached']],
    [
      'ends after three samples below ninety percent',
      memory(101, 101, 101, 89, 89, 90, 89, 89, undefined, 89),
      ['2:limit-breached', '9:limit-recovered'],
    ],
    ['of CPU is told once', cpu(81, 81, 81, 400, 400, 400), ['2:high-cpu']],
    ['is none without a figure', [{}, {}, {}, {}], []],
    ['is none for a figure that is no number', memory(Number.NaN, Number.NaN, Number.NaN, Infinity), []],
    [
      'of one limit says nothing about another',
      memory(101, 101, 101, 101).map((sample, index) => ({ ...sample, cpuPercent: index > 0 ? 90 : 0 })),
      ['2:limit-breached', '3:high-cpu'],
    ],
    [
      'is none of open files at their largest limit, which stands for none',
      Array.from({ length: 9 }, () => unlimited),
      [],
      { maxOpenFiles: NO_OPEN_FILES_LIMIT },
    ],
  ])('%s', (_name, samples, expected, limits) => {
    expect(outlineOf(samples, limits)).toEqual(expected);
  });

  it('is told with value, limit and the process that holds most of it', () => {
    const sample: LimitSample = {
      memoryBytes: 250 * BYTES_PER_MIB,
      largestProcess: { pid: 7, command: 'chrome', memoryBytes: 200 * BYTES_PER_MIB },
      maxOpenFiles: { pid: 8, command: 'node', openFiles: 60 },
    };
    const [value, max] = [250 * BYTES_PER_MIB, 100 * BYTES_PER_MIB];
    const action = 'notify';
    expect(told([sample, sample, sample]).map(({ detail }) => detail)).toEqual([
      { limit: 'memory', value, max, isSevere: true, holder: { pid: 7, command: 'chrome' }, action },
      {
        ...{ limit: 'openFiles', value: 60, max: 50, isSevere: false },
        ...{ holder: { pid: 8, command: 'node' }, action },
      },
    ]);
  });

  it('is told at its end with how long it was over the limit, from the first sample above it', () => {
    expect(told(cpu(10, 90, 90, 90, 90, 1, 1, 1)).at(-1)).toEqual({
      ...{ sample: 7, kind: 'limit-recovered' },
      detail: { limit: 'cpu', value: 1, max: 80, durationMs: 6000 },
    });
  });

  it('ends when the limit is raised above the need', () => {
    const bench = new Bench();
    bench.settings = { ...bench.settings, onBreach: 'notify' };
    bench.sample(3, { memoryMiB: 150 });
    bench.settings = { ...bench.settings, maxMemoryMiB: 1000 };
    bench.sample(3, { memoryMiB: 150 });
    expect(bench.events).toEqual(['limit-breached memory', 'limit-recovered memory']);
  });

  const figure = fc.option(fc.integer({ min: 0, max: 250 }), { nil: undefined, freq: 6 });
  const anyFigures = fc.array(figure, { maxLength: 80 });
  const sustained = fc.integer({ min: 1, max: 6 });

  it('begins after that many samples over the limit in a row, ends after as many well below it, and alternates', () => {
    fc.assert(
      fc.property(anyFigures, sustained, (percents, sustainedSamples) => {
        const over = Array<number>(sustainedSamples).fill(101);
        const events = told(memory(...percents, ...over), { sustainedSamples });
        for (const [index, { sample, kind }] of events.entries()) {
          const isBegin = index % 2 === 0;
          expect(kind).toBe(isBegin ? 'limit-breached' : 'limit-recovered');
          const read = [...percents, ...over].slice(0, sample + 1).filter((percent) => percent !== undefined);
          const last = read.slice(-sustainedSamples);
          expect(last).toHaveLength(sustainedSamples);
          expect(last.every((percent) => (isBegin ? percent > 100 : percent < 90))).toBe(true);
        }
        // The samples over the limit at the end begin one at the latest.
        expect(events.at(-1)?.kind).toBe('limit-breached');
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
