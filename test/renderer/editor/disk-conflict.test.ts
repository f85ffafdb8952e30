import { describe, expect, it } from 'vitest';
import { conflictOf } from '../../../renderer/editor/use-server-editor.ts';

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
