import { describe, expect, it } from 'vitest';
import {
  choicesOfFiles,
  choicesOfSnippet,
  foundWords,
  newOnes,
  targetOf,
  toggleChoice,
} from '../../../renderer/import/choices.ts';

const server = (name: string, status: 'new' | 'same' | 'different', changes: object = {}) => ({
  name,
  entry: { command: 'npx' },
  status,
  ...changes,
});
const files = choicesOfFiles({
  files: [
    {
      strategy: 'one',
      label: 'Client One',
      path: '/one.json',
      servers: [server('github', 'new'), server('memory', 'same'), server('db', 'different')],
      problems: [{ path: '', message: 'Expected a comma.', line: 7 }],
    },
    {
      strategy: 'two',
      label: 'Client Two',
      path: '/two.json',
      servers: [
        server('github', 'new'),
        server('my-db', 'new', { originalName: 'my db' }),
        server('mem', 'same', { existingName: 'memory' }),
        server('off', 'new', { entry: { disabled: true } }),
      ],
      problems: [],
    },
  ],
});
const all = files.flatMap(({ choices }) => choices);

describe('what other clients offer', () => {
  it('says of each what taking it over would mean', () => {
    expect(all.map(({ words }) => words)).toEqual([
      'new',
      'same as yours',
      'differs from yours',
      'new',
      'new · called my db there',
      'here as memory',
      'new · switched off',
    ]);
    expect(files[0]?.problems).toEqual(['Expected a comma. (line 7)']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('counts each new name once', () => {
    expect(foundWords(files)).toEqual({ count: 3, labels: ['Client One', 'Client Two'] });
    expect([...newOnes(all)].map((id) => all.findIndex((choice) => choice.id === id))).toEqual([0, 4, 6]);
  });

  it('takes one of several with one name', () => {
    const [first, , , second] = all;
    const ticked = toggleChoice(all, new Set([first!.id]), second!.id);
    expect([...ticked]).toEqual([second!.id]);
    expect([...toggleChoice(all, ticked, second!.id)]).toEqual([]);
  });
});

describe('what a paste offers', () => {
  it('replaces nothing that is here', () => {
    const snippet = {
      entries: [
        { name: 'github', entry: {} },
        { name: 'new', entry: {} },
        { name: 'old', entry: { disabled: true } },
      ],
      problems: [],
    };
    expect(choicesOfSnippet(snippet, ['github']).map(({ name, words }) => `${name}: ${words}`)).toEqual([
      'github-2: new · called github there',
      'new: new',
      'old: new · switched off',
    ]);
  });

  it('shows no values', () => {
    expect(targetOf({ command: 'npx', args: ['-y', 5, 'x'], env: { TOKEN: 'secret' } })).toBe('npx -y x');
    expect(targetOf({ url: 'https://a.example/mcp?key=secret' })).toBe('https://a.example/mcp?…');
  });
});
