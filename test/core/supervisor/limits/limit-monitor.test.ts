import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_OPEN_FILES_LIMIT } from '../../../../shared/open-files.ts';
import { defaultPanelSettings } from '../../../../shared/panel-settings.ts';
import {
  freshLimits,
  watchLimits,
  type LimitFact,
  type LimitSample,
  type LimitSettings,
} from '../../../../electron/core/supervisor/limits/limit-guard.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const MIB = 1024 * 1024;
const settings: LimitSettings = {
  ...defaultPanelSettings.limits,
  maxMemoryMiB: 100,
  maxCpuPercent: 80,
  maxOpenFiles: 50,
  sustainedSamples: 3,
};

/** Facts of samples one second apart, each with the number of the sample that brought it. */
function play(
  samples: readonly LimitSample[],
  applied: LimitSettings | ((index: number) => LimitSettings) = settings,
) {
  let state = freshLimits;
  return samples.flatMap((sample, index) => {
    const current = typeof applied === 'function' ? applied(index) : applied;
    const result = watchLimits(state, sample, current, index * 1000);
    state = result.state;
    return result.facts.map((fact) => ({ sample: index, fact }));
  });
}
const memory = (...percents: readonly (number | undefined)[]) =>
  percents.map((percent): LimitSample => ({
    memoryBytes: percent === undefined ? undefined : percent * MIB,
  }));
const cpu = (...percents: readonly number[]) => percents.map((cpuPercent): LimitSample => ({ cpuPercent }));
/** Outline of each fact: "sample:kind". */
const outline = (facts: readonly { sample: number; fact: LimitFact }[]) =>
  facts.map(({ sample, fact }) => `${sample}:${fact.kind}`);

describe('watchLimits', () => {
  it.each<[string, LimitSample[], string[]]>([
    ['is quiet below the limit', memory(10, 99, 100, 100, 100, 100), []],
    ['waits for the third sample over it', memory(101, 101, 101, 101, 101), ['2:limit-breached']],
    ['forgets two samples over it after one that is not', memory(101, 101, 100, 101, 101, 50), []],
    ['does not let a missing figure count', memory(101, undefined, 101, undefined, undefined), []],
    [
      'does not let a missing figure interrupt',
      memory(101, undefined, 101, undefined, 101),
      ['4:limit-breached'],
    ],
    [
      'stays in the episode at ninety percent',
      memory(101, 101, 101, 95, 90, 92, 101, 101, 101),
      ['2:limit-breached'],
    ],
    [
      'ends the episode after three samples below ninety percent',
      memory(101, 101, 101, 89, 89, 90, 89, 89, undefined, 89),
      ['2:limit-breached', '9:limit-recovered'],
    ],
    [
      'tells a second episode again',
      memory(101, 101, 101, 1, 1, 1, 101, 101, 101),
      ['2:limit-breached', '5:limit-recovered', '8:limit-breached'],
    ],
    [
      'says once when a breach becomes severe',
      memory(101, 101, 101, 150, 201, 300),
      ['2:limit-breached', '4:limit-worsened'],
    ],
    ['has nothing to add to a breach that was severe', memory(101, 101, 201, 300), ['2:limit-breached']],
    ['warns of high CPU once', cpu(81, 81, 81, 400, 400, 400), ['2:high-cpu']],
    ['takes no CPU figure for none', [{}, {}, {}, {}], []],
    ['takes a figure that is no number for none', memory(Number.NaN, Number.NaN, Number.NaN, Infinity), []],
  ])('%s', (_name, samples, expected) => {
    expect(outline(play(samples))).toEqual(expected);
  });

  it('names value, limit and the process that holds most of it', () => {
    const sample: LimitSample = {
      memoryBytes: 250 * MIB,
      largestProcess: { pid: 7, command: 'chrome', memoryBytes: 200 * MIB },
      maxOpenFiles: { pid: 8, command: 'node', openFiles: 60 },
    };
    expect(play([sample, sample, sample]).map(({ fact }) => fact)).toEqual([
      {
        kind: 'limit-breached',
        limit: 'memory',
        value: 250 * MIB,
        max: 100 * MIB,
        isSevere: true,
        holder: { pid: 7, command: 'chrome' },
      },
      {
        kind: 'limit-breached',
        limit: 'openFiles',
        value: 60,
        max: 50,
        isSevere: false,
        holder: { pid: 8, command: 'node' },
      },
    ]);
  });

  it('says how long it was over the limit, from the first sample above it', () => {
    expect(play(cpu(10, 90, 90, 90, 90, 1, 1, 1)).at(-1)).toEqual({
      sample: 7,
      fact: { kind: 'limit-recovered', limit: 'cpu', value: 1, max: 80, durationMs: 6000 },
    });
  });

  it('watches each limit by itself', () => {
    const samples = memory(101, 101, 101, 101).map((sample, index) => ({
      ...sample,
      cpuPercent: index > 0 ? 90 : 0,
    }));
    expect(outline(play(samples))).toEqual(['2:limit-breached', '3:high-cpu']);
  });

  it('ends the episode when the limit is raised above the need', () => {
    const raised = { ...settings, maxMemoryMiB: 1000 };
    const facts = play(memory(150, 150, 150, 150, 150, 150), (index) => (index < 3 ? settings : raised));
    expect(outline(facts)).toEqual(['2:limit-breached', '5:limit-recovered']);
  });

  it('acts on the first sample where one is enough', () => {
    const hasty = { ...settings, sustainedSamples: 1 };
    expect(outline(play(memory(101, 1, 101), hasty))).toEqual([
      '0:limit-breached',
      '1:limit-recovered',
      '2:limit-breached',
    ]);
  });
});

describe('limit episodes', () => {
  const figure = fc.option(fc.integer({ min: 0, max: 250 }), { nil: undefined, freq: 6 });
  const samples = fc.array(figure, { maxLength: 80 });
  const sustained = fc.integer({ min: 1, max: 6 });

  it('begin only after that many samples over the limit in a row, and end only after as many well below it', () => {
    fc.assert(
      fc.property(samples, sustained, (percents, sustainedSamples) => {
        for (const { sample, fact } of play(memory(...percents), { ...settings, sustainedSamples })) {
          if (fact.kind === 'limit-worsened') continue;
          const read = percents.slice(0, sample + 1).filter((percent) => percent !== undefined);
          const last = read.slice(-sustainedSamples);
          expect(last).toHaveLength(sustainedSamples);
          expect(
            last.every((percent) => (fact.kind === 'limit-breached' ? percent > 100 : percent < 90)),
          ).toBe(true);
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('have one beginning and one end each, in turn', () => {
    fc.assert(
      fc.property(samples, sustained, (percents, sustainedSamples) => {
        const facts = play(memory(...percents), { ...settings, sustainedSamples });
        const kinds = facts.map(({ fact }) => fact.kind).filter((kind) => kind !== 'limit-worsened');
        kinds.forEach((kind, index) =>
          expect(kind).toBe(index % 2 === 0 ? 'limit-breached' : 'limit-recovered'),
        );
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('always begin when enough samples in a row are over the limit', () => {
    fc.assert(
      fc.property(samples, sustained, (percents, sustainedSamples) => {
        const over = Array<number>(sustainedSamples).fill(101);
        const facts = play(memory(...percents, ...over), { ...settings, sustainedSamples });
        const begun = facts.filter(({ fact }) => fact.kind === 'limit-breached').length;
        const ended = facts.filter(({ fact }) => fact.kind === 'limit-recovered').length;
        expect(begun).toBe(ended + 1);
      }),
    );
  });
});

describe('the largest limit of open files', () => {
  it('stands for none: nothing exceeds it', () => {
    const unlimited = { ...settings, maxOpenFiles: NO_OPEN_FILES_LIMIT };
    const sample = { maxOpenFiles: { pid: 1, command: 'chrome', openFiles: 2 * NO_OPEN_FILES_LIMIT } };
    expect(
      play(
        Array.from({ length: 9 }, () => sample),
        unlimited,
      ),
    ).toEqual([]);
  });
});
