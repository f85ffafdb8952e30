import { describe, expect, it } from 'vitest';
import type { ErrorReport } from '../../../shared/error-codes.ts';
import { likeliestPlace } from '../../../renderer/views/edit-place.ts';
import { aServer } from '../builders.ts';

const placeFor = (lastError: ErrorReport) =>
  likeliestPlace(aServer('a', { state: { kind: 'failed', since: 0 }, lastError }));

describe('likeliestPlace()', () => {
  it('leads to the part of the entry that the error is about', () => {
    const fix = { kind: 'check-path', path: '/srv/sever.mjs' } as const;
    expect(placeFor({ code: 'START_FAILED', message: 'No such script.', fix })).toEqual({ target: 'args' });
  });

  it('proposes the command that was meant', () => {
    const data = { wrong: 'nod', suggestion: 'node' };
    expect(placeFor({ code: 'COMMAND_NOT_FOUND', message: 'No such command.', data })).toEqual({
      target: 'command',
      command: 'node',
    });
  });

  it('passes over what is only to be copied, and knows no place for what no entry can mend', () => {
    const engine = { kind: 'start-engine', engine: 'docker' } as const;
    expect(placeFor({ code: 'START_FAILED', message: 'No engine.', fix: engine })).toEqual({
      target: 'command',
    });
    const disk = { kind: 'free-disk' } as const;
    expect(placeFor({ code: 'START_FAILED', message: 'The disk is full.', fix: disk })).toBeUndefined();
    expect(likeliestPlace(aServer('a'))).toBeUndefined();
  });
});
