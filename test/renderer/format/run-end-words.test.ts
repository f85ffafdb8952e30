import { describe, expect, it } from 'vitest';
import {
  describeEnd,
  endAsText,
  endFigureWords,
  uptimeWords,
} from '../../../renderer/format/run-end-words.ts';
import { toldEvent } from '../../../shared/events.ts';
import { endCauses, type ChainFact, type RunEnd } from '../../../shared/restart-story.ts';
import { anEnd } from '../restarts/story-builders.ts';

const fact = (kind: ChainFact['kind'], role: ChainFact['role'], detail = {}): ChainFact => ({
  eventId: `${kind}-1`,
  at: 1_800_000_000_000,
  role,
  ...toldEvent(kind, detail),
});
const lineOf = (end: RunEnd): string => {
  const { title, details } = describeEnd(end);
  return [title, ...details].join(' · ');
};

describe('the line of an end', () => {
  it('says how it ended, by whom, and which calls were lost', () => {
    const calls: RunEnd['calls'] = [
      { method: 'tools/call', target: 'search', by: 'client', client: 'Editor' },
      { method: 'tools/list', by: 'panel' },
      { method: 'tools/call', target: 'write', by: 'client', isGivenUp: true },
    ];
    expect(lineOf(anEnd('1', { calls }))).toBe('crashed · exit 1 · 1 call lost: search');
    const stopped = { cause: 'request' as const, chain: [fact('stopped', 'end')] };
    expect(lineOf(anEnd('1', { ...stopped, calls }))).toBe('stopped on request · 1 call lost: search');
    const restarted = { cause: 'request' as const, chain: [fact('ended', 'end', { by: 'person' })] };
    expect(lineOf(anEnd('1', restarted))).toBe('restarted on request');
  });

  it('says which limit, and by how much it was exceeded', () => {
    const breach = { limit: 'memory', value: 1.5 * 2 ** 30, max: 2 ** 30 };
    const chain = [fact('limit-breached', 'sign', breach), fact('ended', 'end', { by: 'limit' })];
    expect(lineOf(anEnd('1', { cause: 'limit', limit: 'memory', chain }))).toBe(
      'over its memory limit · 1.50 GiB · limit 1.00 GiB',
    );
  });

  it('says which fields of its entry were edited', () => {
    const edit = { change: 'edited', fields: ['env.LEVEL'], restarts: true };
    const chain = [fact('config-changed', 'sign', edit), fact('ended', 'end', { by: 'configuration' })];
    expect(lineOf(anEnd('1', { cause: 'configuration', chain }))).toBe(
      'its configuration was edited · env.LEVEL',
    );
  });

  it('has words for every cause, whatever is missing', () => {
    for (const cause of endCauses) expect(lineOf(anEnd('1', { cause, chain: [] }))).not.toBe('');
  });
});

describe('how long a run was up', () => {
  it('is told as at most where nobody saw its end, and as never where it did not start', () => {
    expect(uptimeWords(anEnd('1', { uptimeMs: 6.2 * 3_600_000 }))).toBe('up for 6 h 12 m');
    expect(uptimeWords(anEnd('1', { uptimeMs: 3_600_000, isAtLatest: true }))).toBe('up for at most 1 h');
    expect(uptimeWords(anEnd('1', { cause: 'start' }))).toBe('never up');
    expect(uptimeWords(anEnd('1'))).toBe('');
  });
});

describe('what was in use at an end', () => {
  const limits = { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 100 };

  it('is told with its limits, and marked where it was over one', () => {
    const figures = { at: 1, memoryBytes: 2 ** 31, cpuPercent: 12, openFiles: 300, processCount: 2, limits };
    expect(endFigureWords(figures)).toEqual([
      { term: 'Memory', value: '2.00 GiB', limit: 'limit 1.00 GiB', isOver: true },
      { term: 'CPU', value: '12 %', limit: 'warns above 80 %', isOver: false },
      { term: 'Open files', value: '300', limit: 'limit 100 per process', isOver: false },
      { term: 'Processes', value: '2', isOver: false },
    ]);
  });

  it('leaves out what is not known', () => {
    expect(endFigureWords(undefined)).toEqual([]);
    expect(endFigureWords({ at: 1, cpuPercent: 12 })).toEqual([
      { term: 'CPU', value: '12 %', isOver: false },
    ]);
  });
});

describe('an end as text', () => {
  it('has all that is shown, without colours', () => {
    const end = anEnd('1', {
      uptimeMs: 60_000,
      stderr: '\u001b[31mout of luck\u001b[0m',
      calls: [{ method: 'tools/call', target: 'search', by: 'client', client: 'Editor', ageMs: 1200 }],
    });
    const text = endAsText(end, 'memory');
    for (const part of [
      'memory: crashed',
      'up for 1 m',
      'Lost: search (tools/call), Editor, for 1.2 s',
      'out of luck',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('\u001b');
  });
});
