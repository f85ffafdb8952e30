import { describe, expect, it } from 'vitest';
import { draftOf } from '../../../renderer/editor/server-draft.ts';
import { conflictOf, problemsOf, toFieldProblem } from '../../../renderer/editor/use-server-editor.ts';
import { nameProblem } from '../../../renderer/entry/raw-entry.ts';
import { serverNameSchema } from '../../../shared/server-config.ts';

describe('problemsOf()', () => {
  const good = draftOf('github', { command: 'npx' });

  it('finds nothing wrong with a command or an address', () => {
    expect(problemsOf(good, ['memory'])).toEqual({});
    expect(problemsOf(draftOf('far', { url: 'https://far.example/mcp' }), [])).toEqual({});
  });

  it('names each field that needs something', () => {
    const pairs = [
      { name: 'A', value: '1' },
      { name: ' A ', value: '2' },
    ];
    const nameless = [{ name: '', value: 'x' }];
    expect(
      Object.keys(problemsOf({ ...good, name: 'memory', command: ' ', env: pairs }, ['memory'])),
    ).toEqual(['name', 'command', 'env']);
    const far = { ...good, reach: 'address', url: 'ftp://far.example', headers: nameless } as const;
    expect(problemsOf(far, [])).toEqual({
      url: 'Expected an address that begins with http:// or https://.',
      headers: 'A header has a value but no name.',
    });
    expect(problemsOf({ ...good, panel: { 'limits.maxMemoryMiB': 'much' } }, [])).toEqual({
      'panel.limits.maxMemoryMiB': 'Expected a number.',
    });
  });

  it('judges names as the schema does', () => {
    for (const name of [
      'a',
      'a.b-c_9',
      '.',
      '..',
      '...',
      '',
      'a b',
      'ä',
      'a/b',
      'x'.repeat(64),
      'x'.repeat(65),
    ])
      expect([name, nameProblem(name, []) === undefined]).toEqual([
        name,
        serverNameSchema.safeParse(name).success,
      ]);
  });
});

describe('toFieldProblem()', () => {
  const refusal = (field: string, statement: string) =>
    toFieldProblem({ code: 'CONFIG_INVALID', message: 'said in other words', data: { field, statement } });

  it('finds the field that a refusal names, whatever its message says', () => {
    expect(refusal('panel.limits.maxMemoryMiB', 'expected at least 1, found 0')).toEqual({
      path: 'panel.limits.maxMemoryMiB',
      words: 'Expected at least 1, found 0.',
    });
    expect(refusal('command', 'is missing (or "url" for a remote server)')).toEqual({
      path: 'command',
      words: 'Is missing (or "url" for a remote server).',
    });
    expect(refusal('env.TOKEN', 'expected a text in quotes, found 5')?.path).toBe('env');
    expect(refusal('name', 'expected 1 to 64 letters')?.path).toBe('name');
  });

  it('leaves alone what is about no field', () => {
    const data = { field: 'command', statement: 'is missing' };
    expect(toFieldProblem({ code: 'CONFIG_BROKEN', message: 'x', data })).toBeUndefined();
    expect(toFieldProblem({ code: 'CONFIG_INVALID', message: 'name: x' })).toBeUndefined();
    expect(refusal('', 'expected an object, found 5')).toBeUndefined();
  });
});

const base = { command: 'npx', args: ['x'] };

const gone = { error: { code: 'SERVER_UNKNOWN', message: 'none' } } as const;

const broken = { error: { code: 'CONFIG_BROKEN', message: 'broken' } } as const;

describe('conflictOf', () => {
  it('is none while the file says the same, cannot be read, or has not been read yet', () => {
    expect(conflictOf(base, { entry: { args: ['x'], command: 'npx' } })).toBeUndefined();
    expect(conflictOf(base, broken)).toBeUndefined();
    expect(conflictOf(base, {})).toBeUndefined();
  });

  it('names what has changed', () => {
    const entry = { command: 'npx', args: ['y'], cwd: '/' };
    expect(conflictOf(base, { entry })).toEqual({ onDisk: entry, changed: ['args', 'cwd'] });
  });

  it('is a removal until that has been accepted, and then an entry that comes back', () => {
    expect(conflictOf(base, gone)).toEqual({ changed: [] });
    expect(conflictOf(undefined, gone)).toBeUndefined();
    expect(conflictOf(undefined, { entry: base })).toEqual({ onDisk: base, changed: ['command', 'args'] });
  });
});
