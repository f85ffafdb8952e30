import { describe, expect, it } from 'vitest';
import { rank } from '../../../renderer/palette-commands/rank.ts';

const commands = [
  'Open github',
  'Start memory-graph',
  'Restart github',
  'Stop github',
  'Remove github',
  'Show settings',
  'Open everything',
].map((words) => ({ words, isHarmful: words.startsWith('Remove') }));
const find = (typed: string) => rank(commands, typed).map(({ item }) => item.words);

describe('rank()', () => {
  it('leaves everything in its order while nothing is typed', () => {
    expect(find(' ')).toEqual(commands.map(({ words }) => words));
  });

  it('puts beginnings of words first', () => {
    expect(find('rg')[0]).toBe('Restart github');
    expect(find('restart git')[0]).toBe('Restart github');
    expect(find('settings')).toEqual(['Show settings']);
    expect(find('mem')[0]).toBe('Start memory-graph');
  });

  it('puts whole words before beginnings of words, and those before scattered letters', () => {
    const names = ['Open r-u-n', 'Open runner', 'Open run'].map((words) => ({ words }));
    expect(rank(names, 'run').map(({ item }) => item.words)).toEqual([
      'Open run',
      'Open runner',
      'Open r-u-n',
    ]);
  });

  it('puts what is harmful behind all that fits as well by its words', () => {
    expect(find('github').at(-1)).toBe('Remove github');
    expect(find('re')[0]).toBe('Restart github');
    expect(find('remove git')[0]).toBe('Remove github');
  });

  it('never puts what removes above what came before it and fits as well', () => {
    const found = find('reg');
    expect(found.indexOf('Restart github')).toBeLessThan(found.indexOf('Remove github'));
  });

  it('finds nothing for letters that are not there in that order', () => {
    expect(find('zzz')).toEqual([]);
    expect(find('bug')).toEqual([]);
  });

  it('tells where the letters are', () => {
    expect(rank([{ words: 'Stop github' }], 'sg')[0]?.hits).toEqual([0, 5]);
  });
});
