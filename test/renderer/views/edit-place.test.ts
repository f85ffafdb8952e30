import { describe, expect, it } from 'vitest';
import type { ErrorReport } from '../../../shared/error-codes.ts';
import { likeliestDialog } from '../../../renderer/views/edit-place.ts';
import { aServer } from '../builders.ts';

const dialogFor = (lastError: ErrorReport) =>
  likeliestDialog(aServer('a', { state: { kind: 'failed', since: 0 }, lastError }));

describe('likeliestDialog()', () => {
  it('leads to the part of the entry that the error is about', () => {
    const fix = { kind: 'check-path', path: '/srv/sever.mjs' } as const;
    expect(dialogFor({ code: 'START_FAILED', message: 'No such script.', fix })).toMatchObject({
      kind: 'edit',
      at: { target: 'args' },
    });
  });

  it('proposes the command that was meant', () => {
    const data = { wrong: 'nod', suggestion: 'node' };
    expect(dialogFor({ code: 'COMMAND_NOT_FOUND', message: 'No such command.', data })).toMatchObject({
      at: { target: 'command', command: 'node' },
    });
  });

  it('passes over what is only to be copied, and knows no place for what no entry can mend', () => {
    const engine = { kind: 'start-engine', engine: 'docker' } as const;
    expect(dialogFor({ code: 'START_FAILED', message: 'No engine.', fix: engine })).toMatchObject({
      at: { target: 'command' },
    });
    const disk = { kind: 'free-disk' } as const;
    expect(dialogFor({ code: 'START_FAILED', message: 'The disk is full.', fix: disk })).toEqual({
      kind: 'edit',
      server: 'a',
    });
    expect(likeliestDialog(aServer('a'))).toEqual({ kind: 'edit', server: 'a' });
  });

  it('opens the question, where a person has to decide', () => {
    expect(dialogFor({ code: 'CONSENT_REQUIRED', message: 'Not agreed.' })).toEqual({
      kind: 'consent',
      server: 'a',
    });
    expect(dialogFor({ code: 'SECRET_MISSING', message: 'Missing.' })).toEqual({
      kind: 'missing',
      server: 'a',
    });
  });
});
