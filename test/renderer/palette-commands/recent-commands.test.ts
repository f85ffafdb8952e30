import { describe, expect, it } from 'vitest';
import { rank } from '../../../renderer/palette-commands/rank.ts';
import { noteRecent, readRecent } from '../../../renderer/palette-commands/command-palette.tsx';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

describe('the commands given last', () => {
  it('are kept, the latest before the others, each once, six at most', () => {
    const storage = memory();
    for (const words of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']) noteRecent(storage, words);
    expect(readRecent(storage)).toEqual(['g', 'f', 'e', 'd', 'c', 'a']);
  });

  it.each(['no JSON', '7', '{"a":1}', '[1,null]'])('are none when %j is kept', (text) => {
    expect(readRecent({ getItem: () => text })).toEqual([]);
  });

  it('cost nothing where the storage refuses', () => {
    const refuse = () => {
      throw new Error('full');
    };
    expect(() => noteRecent({ getItem: () => null, setItem: refuse }, 'a')).not.toThrow();
  });
});

describe('words in another order', () => {
  const commands = ['Restart github', 'Stop all servers', 'Show activity of gitlab', 'Restart gitlab'].map(
    (words) => ({
      words,
    }),
  );
  const find = (typed: string) => rank(commands, typed).map(({ item }) => item.words);

  it('find the same command', () => {
    expect(find('github restart')).toEqual(['Restart github']);
    expect(find('all stop')).toEqual(['Stop all servers']);
    expect(find('stop all')[0]).toBe('Stop all servers');
  });

  it('find nothing where one of them is not there', () => {
    expect(find('github zzz')).toEqual([]);
  });
});
