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
];
const find = (typed: string) => rank(commands, typed, (words) => words).map(({ item }) => item);

describe('rank()', () => {
  it('leaves everything in its order while nothing is typed', () => {
    expect(find(' ')).toEqual(commands);
  });

  it('puts beginnings of words first', () => {
    expect(find('rg')[0]).toBe('Restart github');
    expect(find('restart git')[0]).toBe('Restart github');
    expect(find('settings')).toEqual(['Show settings']);
    expect(find('mem')[0]).toBe('Start memory-graph');
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
    expect(rank(['Stop github'], 'sg', (words) => words)[0]?.hits).toEqual([0, 5]);
  });
});
