import { describe, expect, it } from 'vitest';
import { rank } from '../../../renderer/palette-commands/rank.ts';
import {
  noteRecent,
  panelCommands,
  readRecent,
} from '../../../renderer/palette-commands/command-palette.tsx';
import type { ServerView } from '../../../shared/domain.ts';
import { aStorage, noStorage } from '../a-storage.ts';
import { aSample, aServer } from '../builders.ts';
import { servicesWith } from '../in-window.ts';

describe('the commands given last', () => {
  it('are kept, the latest before the others, each once, six at most', () => {
    const storage = aStorage();
    for (const words of ['a', 'b', 'a', 'c', 'd', 'e', 'f', 'g']) noteRecent(storage, words);
    expect(readRecent(storage)).toEqual(['g', 'f', 'e', 'd', 'c', 'a']);
  });

  it.each(['no JSON', '7', '{"a":1}', '[1,null]'])('are none when %j is kept', (text) => {
    expect(readRecent({ getItem: () => text })).toEqual([]);
  });

  it('cost nothing where the storage refuses', () => {
    expect(() => noteRecent({ ...aStorage(), setItem: noStorage.setItem }, 'a')).not.toThrow();
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

/** Commands of a panel, and what of them reaches the main process. */
function given(servers: readonly ServerView[] = [], recent: readonly string[] = []) {
  const asked: string[] = [];
  const zoomWindow = (step: string) => (asked.push(step), Promise.reject(new Error('gone')));
  const services = servicesWith({ zoomWindow }, { servers: [...servers] });
  const context = { ...services, theme: ['auto', () => undefined] as const };
  return { asked, commands: panelCommands({ context, servers, current: undefined, recent }) };
}

describe('the commands of the palette', () => {
  it('begin with some servers, those in trouble first, then the recent ones, and end with what is harmful', () => {
    const running = Array.from({ length: 9 }, (_, index) =>
      aServer(`s${index}`, { sample: aSample(5, { memoryBytes: 2 ** 20 }) }),
    );
    const broken = aServer('broken', { state: { kind: 'failed', since: 0 } });
    const recent = ['Stop all servers', 'Remove s1', 'Show usage', 'Open s8', 'gone'];
    const { commands } = given([...running, broken], recent);
    expect(commands.slice(0, 8).map(({ words }) => words)).toEqual([
      ...['Open broken', 'Open s0', 'Open s1', 'Open s2', 'Open s3', 'Open s4'],
      ...['Show usage', 'Open s8'],
    ]);
    expect(commands.slice(0, 2).map(({ figures }) => figures)).toEqual(['Failed', 'Running · 1.00 MiB']);
    const harmful = commands.map(({ isHarmful }) => isHarmful === true);
    expect(harmful.indexOf(true)).toBe(harmful.lastIndexOf(false) + 1);
    expect(commands.filter(({ isHarmful }) => isHarmful).map(({ words }) => words)).toEqual([
      ...['Stop all servers', 'Restart failed servers'],
      ...['Remove broken', ...running.map(({ name }) => `Remove ${name}`)],
    ]);
    expect(new Set(commands).size).toBe(commands.length);
  });

  it.each([
    ['Zoom in', 'in', /^(?:Ctrl\+|⌘)\+$/],
    ['Zoom out', 'out', /^(?:Ctrl\+|⌘)−$/],
    ['Actual size', 'reset', /^(?:Ctrl\+|⌘)0$/],
  ])('have “%s”, with its keys', (words, step, shortcut) => {
    const { asked, commands } = given();
    const command = commands.find((one) => one.words === words);
    expect(command?.shortcut).toMatch(shortcut);
    command?.run();
    expect(asked).toEqual([step]);
  });
});

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
