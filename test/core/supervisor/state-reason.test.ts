import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import { commandNotFound } from '../../../electron/core/platform/spawn-error.ts';
import { endError } from '../../../electron/core/supervisor/diagnosis/end-words.ts';
import { reasonOf, reasonOfVerdict, withReason } from '../../../electron/core/supervisor/state-reason.ts';

const launch = { command: 'node', args: [], env: {}, environment: {} };
const ended = (stderr: string) =>
  reasonOf(endError('START_FAILED', { exit: { exitCode: 1 }, isStarting: true, stderr, launch }));

describe('reasonOf', () => {
  it('has what stands behind a name, and the cause alone', () => {
    expect(ended('Error: no token\n')).toEqual({
      reason: 'Error: no token (exited with code 1 before its handshake)',
      reasonData: {
        phrase: 'Error: no token (exited with code 1 before its handshake)',
        brief: 'Error: no token',
      },
    });
    expect(ended('')).toEqual({
      reason: 'The server exited with code 1 before its handshake was complete.',
      reasonData: { phrase: 'exited with code 1 before its handshake was complete' },
    });
  });

  it('leaves the search path to the sentence, and says that there is more', () => {
    expect(reasonOf(commandNotFound('npxx', '/usr/bin'))).toEqual({
      reason: 'The command "npxx" was not found. PATH tried: /usr/bin',
      reasonData: { phrase: 'the command "npxx" was not found', hasMore: true },
    });
  });

  it('has no data where the sentence is all there is', () => {
    expect(reasonOf(new PanelError('UNREACHABLE', 'It is away.'))).toEqual({ reason: 'It is away.' });
  });
});

it('another reason takes the data of the last one away', () => {
  const silence = { what: 'overdue', forMs: 12_000 } as const;
  const state = { kind: 'stalled', since: 0, ...reasonOfVerdict({ words: 'overdue', silence }) } as const;
  expect(state.reasonData).toEqual({ silence });
  expect(withReason(state, 'installing')).toEqual({ kind: 'stalled', since: 0, reason: 'installing' });
  expect(withReason(state, undefined)).toEqual({ kind: 'stalled', since: 0 });
});
