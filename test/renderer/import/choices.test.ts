import { describe, expect, it } from 'vitest';
import type { Imports } from '../../../shared/manage.ts';
import { choicesOfFiles, choicesOfSnippet, foundWords } from '../../../renderer/import/choices.ts';
import { readyOnes, toggleChoice } from '../../../renderer/import/ticks.ts';

const server = (name: string, status: 'new' | 'same' | 'different', changes: object = {}) => ({
  name,
  entry: { command: 'npx', args: [name] },
  status,
  ...changes,
});
type File = Imports['files'][number];
const fileOf = (label: string, servers: readonly unknown[], problems: File['problems'] = []) =>
  ({ strategy: label, label, path: `/${label}.json`, servers, problems }) as File;
const files = choicesOfFiles({
  files: [
    fileOf(
      'Client One',
      [server('github', 'new'), server('memory', 'same'), server('db', 'different')],
      [{ path: '', message: 'Expected a comma.', line: 7 }],
    ),
    fileOf('Client Two', [
      server('github', 'new', { entry: { command: 'docker' } }),
      server('my-db', 'new', { originalName: 'my db' }),
      server('mem', 'same', { existingName: 'memory' }),
      server('off', 'new', { entry: { disabled: true } }),
    ]),
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

  it('names the server above that is the same, and does not call it new', () => {
    const twins = choicesOfFiles({
      files: [
        fileOf('Client One', [server('memory', 'new')]),
        fileOf('Client Two', [
          server('memory', 'new'),
          server('mem', 'new', { entry: { args: ['memory'], command: 'npx' } }),
          server('other', 'different', { existing: {} }),
          server('more', 'same'),
        ]),
      ],
    });
    const choices = twins.flatMap((file) => file.choices);
    expect(choices.map(({ status, words }) => `${status}: ${words}`)).toEqual([
      'new: new',
      'twin: same as in Client One above',
      'twin: same as memory above',
      'different: differs from yours',
      'same: same as yours',
    ]);
    expect(foundWords(twins)).toEqual({ count: 1, labels: ['Client One'] });
    expect([...readyOnes(choices, {})]).toEqual([choices[0]?.id]);
  });

  it('counts nothing that has come here since the last look', () => {
    expect(foundWords(files, ['github', 'my-db'])).toEqual({ count: 1, labels: ['Client Two'] });
  });

  it('keeps how the entry that is replaced is supervised and switched, because other clients know nothing of it', () => {
    const panel = { limits: { maxMemoryMiB: 512 } };
    const entry = { command: 'npx', disabled: true };
    const replaced = server('db', 'different', { entry, existing: { command: 'uvx', panel } });
    const [file] = choicesOfFiles({ files: [fileOf('Client One', [replaced])] });
    expect(file?.choices[0]?.entry).toEqual({ command: 'npx', panel });
    expect(file?.choices[0]?.words).toBe('differs from yours');
  });

  it('counts each new name once', () => {
    expect(foundWords(files)).toEqual({ count: 3, labels: ['Client One', 'Client Two'] });
    expect([...readyOnes(all, {})].map((id) => all.findIndex((choice) => choice.id === id))).toEqual([
      0, 4, 6,
    ]);
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
});
