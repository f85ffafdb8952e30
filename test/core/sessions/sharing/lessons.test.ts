import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  openObservedSharing,
  ObservedSharing,
  type SharingObservation,
} from '../../../../electron/core/sessions/sharing/observed.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const KEY = 'b'.repeat(40);
const [SAMPLING, ELICITATION] = ['sampling/createMessage', 'elicitation/create'] as const;

let home: string;
beforeEach(() => {
  home = tempFolder('lessons-');
});

const path = () => join(home, 'sharing-lessons.json');

async function opened() {
  const notices: string[] = [];
  return { ...(await openObservedSharing(path(), (line) => notices.push(line))), notices };
}

describe('what was learnt of a server', () => {
  it('is news once, and adds up', () => {
    const saved: (readonly SharingObservation[])[] = [];
    const lessons = new ObservedSharing([], (all) => saved.push(all));
    expect(lessons.learn(KEY, '1.0', SAMPLING)).toBe(true);
    expect(lessons.learn(KEY, '1.0', SAMPLING)).toBe(false);
    expect(lessons.learn(KEY, '1.0', ELICITATION)).toBe(true);
    expect(lessons.of(KEY, '1.0')).toEqual([SAMPLING, ELICITATION]);
    expect(lessons.of('c'.repeat(64), '1.0')).toEqual([]);
    expect(saved).toHaveLength(2);
  });

  it('holds for its version alone; a server that has not said its version yet is taken for the same', () => {
    const lessons = new ObservedSharing();
    lessons.learn(KEY, '1.0', SAMPLING);
    expect(lessons.of(KEY, undefined)).toEqual([SAMPLING]);
    expect(lessons.of(KEY, '2.0')).toEqual([]);
    expect(lessons.learn(KEY, '2.0', ELICITATION)).toBe(true);
    expect(lessons.of(KEY, '2.0')).toEqual([ELICITATION]);
    expect(lessons.of(KEY, '1.0')).toEqual([]);
    lessons.learn('d'.repeat(64), undefined, SAMPLING);
    expect(lessons.of('d'.repeat(64), '7')).toEqual([SAMPLING]);
  });

  it('is how it answers, too, beside what it asks; that it answers at once is never unlearnt', () => {
    const lessons = new ObservedSharing();
    expect(lessons.answersOf(KEY, '1.0')).toBeUndefined();
    lessons.learn(KEY, '1.0', SAMPLING);
    expect(lessons.learnAnswers(KEY, '1.0', 'in-turn')).toBe(true);
    expect(lessons.learnAnswers(KEY, '1.0', 'in-turn')).toBe(false);
    expect(lessons.learn(KEY, '1.0', ELICITATION)).toBe(true);
    expect(lessons.of(KEY, '1.0')).toEqual([SAMPLING, ELICITATION]);
    expect([lessons.answersOf(KEY, '1.0'), lessons.answersOf(KEY, '2.0')]).toEqual(['in-turn', undefined]);
    expect(lessons.learnAnswers(KEY, '1.0', 'at-once')).toBe(true);
    expect(lessons.learnAnswers(KEY, '1.0', 'in-turn')).toBe(false);
    expect(lessons.answersOf(KEY, '1.0')).toBe('at-once');
    expect(lessons.learnAnswers(KEY, '2.0', 'in-turn')).toBe(true);
    expect(lessons.of(KEY, '2.0')).toEqual([]);
  });

  it('holds for a version of any length, and is bounded in number: the oldest is forgotten', () => {
    const lessons = new ObservedSharing();
    lessons.learn(KEY, 'v'.repeat(9999), SAMPLING);
    expect(lessons.of(KEY, 'v'.repeat(9999))).toEqual([SAMPLING]);
    for (let index = 0; index < 1000; index += 1) lessons.learn(`key ${index}`, '1', SAMPLING);
    expect(lessons.of(KEY, undefined)).toEqual([]);
    expect(lessons.of('key 0', undefined)).toEqual([SAMPLING]);
  });
});

describe('the file of lessons', () => {
  it('keeps them from run to run, for its owner alone', async () => {
    const first = await opened();
    first.lessons.learn(KEY, '1.0', SAMPLING);
    first.lessons.learn(KEY, '1.0', ELICITATION);
    await first.flush();
    if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
    const second = await opened();
    expect(second.lessons.of(KEY, '1.0')).toEqual([SAMPLING, ELICITATION]);
    expect([...first.notices, ...second.notices]).toEqual([]);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"lessons":[]}',
    '{"version":1,"lessons":[{"key":"../x","methods":[]}]}',
  ])('is ignored where it is damaged, with a word, and replaced: %j', async (text) => {
    writeFileSync(path(), text);
    const first = await opened();
    expect(first.notices).toEqual([expect.stringContaining('is ignored and will be replaced')]);
    first.lessons.learn(KEY, '1.0', SAMPLING);
    await first.flush();
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
      version: 1,
      lessons: [{ key: KEY, version: '1.0', methods: [SAMPLING] }],
    });
  });

  it('that cannot be written loses nothing of this run, and is told', async () => {
    mkdirSync(path());
    const { lessons, flush, notices } = await opened();
    lessons.learn(KEY, '1.0', SAMPLING);
    await flush();
    expect(lessons.of(KEY, '1.0')).toEqual([SAMPLING]);
    expect(notices.at(-1)).toContain('was not written');
  });
});
