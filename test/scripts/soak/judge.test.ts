import { describe, expect, it } from 'vitest';
import { toldEvent, type EventKind, type PanelEvent } from '../../../shared/events.ts';
import { growthOf, judgeGrowth, memoryCourse } from '../../soak/growth.ts';
import { judge } from '../../soak/judge.ts';
import { readOptions } from '../../soak/options.ts';
import { SeededRandom } from '../../soak/random.ts';
import type { CallRecord, Deed, ProcessSample, SoakRecord } from '../../soak/record.ts';
import { slopePerMinute } from '../../bench/harness/figures.ts';
import { MINUTE_MS } from '../../../shared/units.ts';

const aRecord = (changes: Partial<SoakRecord> = {}): SoakRecord => ({
  startedAt: 0,
  endedAt: 20 * MINUTE_MS,
  deeds: [],
  calls: [],
  lines: [],
  events: [],
  samples: [],
  problems: [],
  latenessMs: 0,
  ...changes,
});
const anEvent = (at: number, kind: EventKind, server: string | null = 'one'): PanelEvent => ({
  id: `${at}-${kind}`,
  at,
  server,
  ...toldEvent(kind, {}),
});
const aDeed = (changes: Partial<Deed> = {}): Deed => ({
  kind: 'deaf server',
  server: 'one',
  at: 100_000,
  until: 130_000,
  expects: { kind: 'stalled', withinMs: 10_000 },
  justifies: ['stalled'],
  breaksCalls: true,
  ...changes,
});
/** Deed that no event has to follow. */
const unexpected = ({ kind, server, at, justifies, breaksCalls }: Deed): Deed => ({
  kind,
  server,
  at,
  until: at + 30_000,
  justifies,
  breaksCalls,
});
const aCall = (end: CallRecord['end'], at: number): CallRecord => ({
  client: 'client 1',
  server: 'one',
  tool: 'echo',
  startedAt: at,
  endedAt: at + 500,
  end,
});
const kindsOf = (record: SoakRecord) => judge(record).map(({ kind }) => kind);

describe('the judgement of a soak', () => {
  it('takes no verdict for wrong that something was done for', () => {
    expect(kindsOf(aRecord({ deeds: [aDeed()], events: [anEvent(108_000, 'stalled')] }))).toEqual([]);
  });

  it('finds the stall of a server that nothing was done to, or only something that stalls nobody', () => {
    const events = [anEvent(108_000, 'stalled')];
    expect(kindsOf(aRecord({ events }))).toEqual(['wrong-verdict']);
    const busy = aDeed({ kind: 'server that computes', justifies: ['high-cpu'] });
    expect(kindsOf(aRecord({ events, deeds: [unexpected(busy)] }))).toEqual(['wrong-verdict']);
    const other = aDeed({ server: 'two', isInterrupted: true });
    expect(kindsOf(aRecord({ events, deeds: [other] }))).toEqual(['wrong-verdict']);
  });

  it('finds a stall that was told late or never, and gives a busy machine more time', () => {
    expect(kindsOf(aRecord({ deeds: [aDeed()] }))).toEqual(['missed']);
    const late = aRecord({ deeds: [aDeed()], events: [anEvent(120_000, 'stalled')] });
    expect(kindsOf(late)).toEqual(['missed']);
    expect(judge(late)[0]?.words).toContain('came after 20000 ms');
    expect(kindsOf({ ...late, latenessMs: 4000 })).toEqual([]);
    expect(kindsOf(aRecord({ deeds: [aDeed({ isInterrupted: true })] }))).toEqual([]);
  });

  it('finds a start that the journal lacks, unless the panel was killed at that moment', () => {
    const lines = [
      { at: 1000, server: 'one', state: 'starting' },
      { at: 2000, server: 'one', state: 'running' },
    ];
    expect(kindsOf(aRecord({ lines }))).toEqual(['lost-event']);
    expect(kindsOf(aRecord({ lines, events: [anEvent(2001, 'started')] }))).toEqual([]);
    const kill = unexpected(aDeed({ kind: 'kill -9 of the panel', server: null, at: 2500 }));
    expect(kindsOf(aRecord({ lines, deeds: [kill] }))).toEqual([]);
    expect(kindsOf(aRecord({ lines, deeds: [{ ...kill, at: 9000 }] }))).toEqual(['lost-event']);
  });

  it('finds calls without an answer, wrong answers, lost sessions, and errors that nothing explains', () => {
    const explained = [anEvent(105_000, 'stalled')];
    const deeds = [aDeed()];
    const found = (end: CallRecord['end'], at: number) =>
      kindsOf(aRecord({ deeds, events: explained, calls: [aCall(end, at)] }));
    expect(found('answered', 110_000)).toEqual([]);
    expect(found('error', 110_000)).toEqual([]);
    expect(found('error', 10_000)).toEqual(['unexplained-error']);
    expect(found('lost', 110_000)).toEqual(['lost-call']);
    expect(found('wrong-answer', 110_000)).toEqual(['wrong-answer']);
    expect(found('session-gone', 110_000)).toEqual(['session-not-recovered']);
  });

  it('tells what the soak itself saw', () => {
    const record = aRecord({
      deeds: [aDeed({ failure: 'it never came back' })],
      problems: ['2 processes were left'],
    });
    expect(judge(record).map(({ words }) => words)).toEqual([
      'deaf server of one: it never came back',
      '2 processes were left',
    ]);
  });
});

describe('growth over the second half', () => {
  const samples = (kibPerMinute: number): ProcessSample[] =>
    Array.from({ length: 60 }, (_, minute) => ({
      at: minute * MINUTE_MS,
      role: 'main',
      pid: minute < 15 ? 1 : 2,
      rssBytes: (100_000 + (minute % 2) * 50 + minute * kibPerMinute) * 1024,
      descriptors: 50,
      timers: 30,
    }));

  const anHour = (of: readonly ProcessSample[]) => aRecord({ endedAt: 60 * MINUTE_MS, samples: of });

  it('is the slope of the line that fits best, and only of the process that lived through it', () => {
    const [growth, ...others] = growthOf(anHour(samples(100)));
    expect(others).toEqual([]);
    expect(growth?.rssKiBPerMinute).toBeCloseTo(100, -1);
    expect(
      slopePerMinute([
        { at: 0, value: 1 },
        { at: 30_000, value: 2 },
      ]),
    ).toBeCloseTo(2);
  });

  it('is wrong from a mebibyte per minute on, where it was watched for long', () => {
    expect(judgeGrowth(anHour(samples(900)))).toEqual([]);
    expect(judgeGrowth(anHour(samples(1200))).map(({ kind }) => kind)).toEqual(['growth']);
    const short = aRecord({ endedAt: 20 * MINUTE_MS, samples: samples(1200).slice(0, 20) });
    expect(judgeGrowth(short)).toEqual([]);
  });

  it('is none of what fills up first, and its course is told by the minute', () => {
    const filling = samples(0).map((sample, minute) => ({
      ...sample,
      rssBytes: Math.min(minute, 40) * 2 * 1024 ** 2,
    }));
    expect(judgeGrowth(anHour(filling))).toEqual([]);
    expect(
      memoryCourse(anHour(filling))
        .map(({ rssMiB }) => rssMiB)
        .slice(38, 44),
    ).toEqual([76, 78, 80, 80, 80, 80]);
  });

  it('is wrong where descriptors or timers pile up, however short the time', () => {
    const piling = samples(0).map((sample, index) => ({
      ...sample,
      descriptors: 50 + 5 * index,
      timers: 30 + 10 * index,
    }));
    const [finding] = judgeGrowth(anHour(piling));
    expect(finding?.words).toMatch(/^main grew: descriptors by 145/);
  });
});

describe('the options of a soak', () => {
  it('are minutes, a seed and a file, seen from where the command was given', () => {
    const options = readOptions(['--minutes', '0.5', '--seed', '7', '--report', 'r.json'], '/work', () => 1);
    expect(options).toMatchObject({ minutes: 0.5, seed: 7, hasWindow: false });
    expect(options.reportPath).toMatch(/work.r\.json$/);
    expect(readOptions([], '/', () => 42).seed).toBe(42);
    expect(() => readOptions(['--minutes', 'many'], '/', () => 1)).toThrow(
      '--minutes: expected a number, found “many”',
    );
    expect(() => readOptions(['--minutes', '0'], '/', () => 1)).toThrow('--minutes');
  });

  it('make the same choices of the same seed', () => {
    const draw = (seed: number) =>
      Array.from(
        { length: 5 },
        (
          (random) => () =>
            random.next()
        )(new SeededRandom(seed)),
      );
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).every((number) => number >= 0 && number < 1)).toBe(true);
  });
});
