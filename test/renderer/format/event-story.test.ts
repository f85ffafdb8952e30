import { describe, expect, it } from 'vitest';
import { eventKinds, toldEvent, type EventDetail, type EventKind } from '../../../shared/events.ts';
import { askRefusalReasons } from '../../../shared/gateway.ts';
import { healthPatchSchema } from '../../../shared/panel-settings.ts';
import { tellEvent } from '../../../renderer/format/event-words.ts';
import { breachIn, formatLimit, raiseFor } from '../../../renderer/format/limit-sentences.ts';
import {
  describeVerdictRow,
  LONGEST_SILENCE_MS,
  silenceToAllow,
} from '../../../renderer/format/verdict-sentences.ts';
import { anEvent } from '../builders.ts';

const MIB = 1024 * 1024;
const factsOf = <K extends EventKind>(kind: K, detail: EventDetail<K>) =>
  Object.fromEntries(
    (tellEvent(toldEvent(kind, detail))?.facts ?? []).map(({ term, lines }) => [term, lines]),
  );

describe('the story of a verdict', () => {
  const detail = {
    row: 4,
    words: 'no answer for 31 s',
    elapsedMs: 31_000,
    pendingMethods: ['tools/call', 'ping'],
    evidence: {
      silentMs: 31_000,
      thresholdMs: 30_000,
      lastAnswerMs: 95_000,
      probes: [{ kind: 'ping', unansweredMs: 30_400 }, { kind: 'tools/list' }],
      calls: [
        { method: 'tools/call', target: 'query', ageMs: 250_000 },
        { method: 'resources/list', ageMs: 900 },
      ],
      answeredDuringCalls: false,
      work: { overMs: 30_000, cpuMs: 600, writtenBytes: 2 * MIB },
    },
  };

  it('says by what it was judged in words, without the number of the rule, and what it rests on', () => {
    expect(factsOf('stalled', detail)).toEqual({
      'Judged so': [expect.stringMatching(/^A health check that was sent while it had nothing else to do/)],
      Silence: ['31 s, 30 s allowed', 'last answer 1 m 35 s ago'],
      Checks: ['ping unanswered for 30 s, tools/list unanswered'],
      'Calls in flight': ['tools/call query, for 4 m 10 s', 'resources/list, for 900 ms'],
      'During calls': ['no check answered'],
      Meanwhile: ['2.0 % of a core, 2.00 MiB written'],
    });
  });

  it('says so when there was nothing open', () => {
    const evidence = { silentMs: 900, thresholdMs: 2000, probes: [], calls: [], answeredDuringCalls: true };
    expect(factsOf('suspect', { evidence })).toEqual({
      Silence: ['900 ms, 2 s allowed'],
      Checks: ['none unanswered'],
      'Calls in flight': ['none'],
      'During calls': ['has answered a check during these calls'],
    });
  });

  it('makes do with less', () => {
    expect(factsOf('suspect', { elapsedMs: 5000, pendingMethods: ['ping'] })).toEqual({
      Silence: ['5 s'],
      'Calls in flight': ['ping'],
    });
    expect(tellEvent(toldEvent('stalled', {}))).toBeUndefined();
  });

  it('has one sentence for each row of the table', () => {
    for (const row of [0, 1, 2, 3, 4, '4b', '5b', 6, 7, '7b', '7c', 8, 9])
      expect(describeVerdictRow(row)).toMatch(/^[A-Z].*\.$/);
    expect(describeVerdictRow(5)).toBeUndefined();
    expect(describeVerdictRow(undefined)).toBeUndefined();
  });
});

describe('the silence to allow after a verdict that was wrong', () => {
  const allowing = (thresholdMs: number) => ({ evidence: { thresholdMs } });

  it('is twice what was allowed then, or now where that is not known', () => {
    expect(silenceToAllow(allowing(30_000), 45_000)).toBe(60_000);
    expect(silenceToAllow({}, 45_000)).toBe(90_000);
  });

  it('keeps within what the settings take', () => {
    const { stallThresholdMs } = healthPatchSchema.shape;
    const longest = silenceToAllow(allowing(LONGEST_SILENCE_MS - 1), 0)!;
    expect(stallThresholdMs.safeParse(longest).success).toBe(true);
    expect(stallThresholdMs.safeParse(longest + 1).success).toBe(false);
    expect(silenceToAllow(allowing(longest), 0)).toBeUndefined();
  });
});

describe('the story of an end', () => {
  it('holds exit code, code, remedy, and all that was kept of stderr', () => {
    const story = tellEvent({
      kind: 'crashed',
      detail: {
        code: 'CRASHED',
        message: 'The server exited with code 3.',
        exitCode: 3,
        remedy: 'Read what it wrote to stderr.',
        generation: 2,
        stderrTail: '\n  at main\n\u001b[31mboom\u001b[0m\n\n',
      },
    });
    expect(story?.output).toEqual({ term: 'Last of stderr', text: '  at main\nboom' });
    expect(story?.advice).toBe('Read what it wrote to stderr.');
    expect(story?.facts.map(({ term, lines }) => [term, ...lines])).toEqual([
      ['What happened', 'The server exited with code 3.'],
      ['Exit code', '3'],
      ['Code', 'CRASHED'],
      ['Run', 'number 2 since the panel started'],
    ]);
  });

  it('names the calls that were lost with it, oldest first, or says that there were none', () => {
    const calls = [
      { method: 'tools/call', target: 'query', ageMs: 4200 },
      { method: 'resources/list', ageMs: 20 },
    ];
    expect(factsOf('crashed', { calls })).toEqual({
      'Calls in flight': ['tools/call query, for 4.2 s', 'resources/list, for 20 ms'],
    });
    expect(factsOf('limit-breached', { calls: [] })).toEqual({ 'Calls in flight': ['none'] });
  });

  it('names the signal in place of a code', () => {
    expect(factsOf('crashed', { signal: 'SIGKILL', exitCode: 137 })).toEqual({ Signal: ['SIGKILL'] });
  });
});

describe('the story of a limit', () => {
  it('says what was to be done, not that it was', () => {
    const { 'Configured action': words } = factsOf('limit-breached', { limit: 'memory', action: 'restart' });
    expect(words).toEqual(['restart it, once its calls are done or 30 s have passed']);
  });

  it('names figure, limit, the process that holds most, and the setting to raise', () => {
    const detail = {
      limit: 'memory',
      value: 1290 * MIB,
      max: 1024 * MIB,
      holder: { pid: 9, command: 'chrome' },
      action: 'notify',
    };
    expect(factsOf('limit-breached', detail)).toEqual({
      Figure: ['1.26 GiB'],
      Limit: ['1.00 GiB'],
      'Uses most': ['chrome (pid 9)'],
      'Configured action': ['only report it'],
    });
    expect(tellEvent(toldEvent('limit-breached', detail))?.advice).toContain(
      'raise "Memory" in its configuration',
    );
  });

  it.each([
    [{ limit: 'memory', value: 1030 * MIB, max: 1024 * MIB }, 'maxMemoryMiB', '1.5 GiB'],
    [{ limit: 'memory', value: 168 * MIB, max: 160 * MIB }, 'maxMemoryMiB', '256 MiB'],
    [{ limit: 'openFiles', value: 1010, max: 1000 }, 'maxOpenFiles', '1500'],
    [{ limit: 'cpu', value: 92, max: 80 }, 'maxCpuPercent', '120 %'],
  ] as const)('offers the next round limit for %j', (detail, setting, words) => {
    const raise = raiseFor(detail)!;
    expect(raise.setting).toBe(setting);
    expect(formatLimit(raise.setting, raise.to)).toBe(words);
  });

  it('offers a limit that also holds what the server has grown to since', () => {
    const detail = { limit: 'memory', value: 170 * MIB, max: 160 * MIB };
    expect(raiseFor(detail, { memoryBytes: 403 * MIB })?.to).toBe(512);
    expect(raiseFor(detail, { memoryBytes: 20 * MIB })?.to).toBe(256);
    expect(raiseFor(detail, {})?.to).toBe(256);
    expect(raiseFor({ limit: 'cpu', value: 92 }, { cpuPercent: 300 })?.to).toBe(380);
  });

  it('offers none where it is not known which limit, or how much was needed', () => {
    expect(raiseFor({ value: 3 })).toBeUndefined();
    expect(raiseFor({ limit: 'memory' })).toBeUndefined();
  });

  it.each([
    ['limit-breached', { limit: 'openFiles', value: 1010, max: 1000 }, 'raise "Open files"'],
    ['high-cpu', { value: 92, max: 80 }, 'raise "Warn when CPU exceeds"'],
    ['high-cpu', {}, 'raise "Warn when CPU exceeds"'],
  ] as const)('%s %j', (kind, detail, words) =>
    expect(tellEvent(toldEvent(kind, detail))?.advice).toContain(words),
  );

  it('is that of the CPU where the event is one of high CPU', () => {
    const event = anEvent('1', { kind: 'high-cpu', detail: { value: 92, max: 80 } });
    expect(raiseFor(breachIn(event)!)).toEqual({ setting: 'maxCpuPercent', to: 120 });
  });
});

it('is the text of a detail that cannot be read', () => {
  expect(tellEvent(toldEvent('crashed', { exitCode: 'one', stderrTail: 'boom' }))).toEqual({
    facts: [],
    output: { term: 'As it was written', text: '{"exitCode":"one","stderrTail":"boom"}' },
  });
});

it('has a story without holes for every kind, whatever its detail lacks or distorts', () => {
  const nonsense = { row: 'x', evidence: [], stderrTail: {}, message: 7, limit: [], holder: 3, value: NaN };
  const worse = { evidence: { probes: [null, 3, {}], calls: 'x', silentMs: 'y' }, limit: 'memory' };
  for (const kind of eventKinds) {
    for (const detail of [{}, nonsense, worse]) {
      expect(JSON.stringify(tellEvent(toldEvent(kind, detail)) ?? {})).not.toMatch(/undefined|NaN|\[object/);
    }
  }
});

describe('the story of a question that reached no client', () => {
  it.each(askRefusalReasons)('says why and what to do: %s', (reason) => {
    const detail = { method: 'elicitation/create', reason, count: 1200 };
    expect(factsOf('ask-refused', detail)).toEqual({
      Asked: ['for input of the user'],
      Method: ['elicitation/create'],
      Why: [expect.stringMatching(/^(no|several|the) /)],
      Questions: ['1200'],
    });
    expect(tellEvent(toldEvent('ask-refused', detail))?.advice).toMatch(/^\S.*\.$/);
  });
});
