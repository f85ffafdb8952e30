import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import { failureSignature } from '../../../../electron/core/supervisor/restart/restart-tracker.ts';

const failure = (message: string, data: Record<string, unknown> = { exitCode: 1 }) =>
  failureSignature(new PanelError('START_FAILED', message, { data }));

describe('failureSignature', () => {
  it.each([
    [
      'the name of a log',
      'see /root/.npm/_logs/2026-11-22T10_00_01_123Z-debug-0.log',
      'see /root/.npm/_logs/2026-11-22T11_30_59_001Z-debug-0.log',
    ],
    ['a time', '2026-11-22T10:00:01Z error: no key', '2026-11-22T11:30:59Z error: no key'],
    ['a pid and a port', 'pid 4743: EADDRINUSE :::8123', 'pid 99: EADDRINUSE :::8124'],
    ['an id', 'request req_011CQabcXYZ12 refused', 'request req_999ZZabcQRS77 refused'],
    ['a Windows path', String.raw`no C:\Users\a\x.json`, String.raw`no C:\Users\b\y.json`],
    ['an address in hex', 'main.go:6 +0x1b', 'main.go:7 +0x2c'],
  ])('is the same for another %s', (_, one, other) => expect(failure(one)).toBe(failure(other)));

  it.each([
    ['words', failure('SLACK_BOT_TOKEN is missing'), failure('invalid_auth')],
    ['exit code', failure('x', { exitCode: 1 }), failure('x', { exitCode: 2 })],
    ['signal', failure('x', { signal: 'SIGKILL' }), failure('x', { signal: 'SIGSEGV' })],
    ['code', failure('x', {}), failureSignature(new PanelError('START_TIMEOUT', 'x'))],
  ])('is another for other %s', (_, one, other) => expect(one).not.toBe(other));
});
