import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { stateLine } from '../../electron/core/panel/state-line.ts';
import { createTerminal, oneLine } from '../../electron/core/terminal.ts';

describe('createTerminal', () => {
  it('writes states to one stream and notices to the other, one line each', () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = createTerminal(stdout, stderr);
    terminal.state('a running');
    terminal.notice('two\nlines');
    expect(String(stdout.read())).toBe('a running\n');
    expect(String(stderr.read())).toBe('two lines\n');
  });

  it('goes on when the reader of a stream has gone', () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const terminal = createTerminal(stdout, stderr);
    stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(() => terminal.state('a running')).not.toThrow();
  });
});

describe('oneLine', () => {
  it('lets no text of a server break the line or speak to the terminal', () => {
    expect(oneLine('a\r\nb\u001b[31mred\u0007\u009b2J\u2028c\0')).toBe('a b [31mred 2J c');
  });
});

describe('stateLine', () => {
  it('is time, server, state and the reason if there is one', () => {
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
    expect(stateLine({ at, server: 'a', state: { kind: 'running', since: at } })).toBe(
      '2026-01-02T03:04:05.006Z a running',
    );
    const failed = { kind: 'failed', since: at, reason: 'exit code 1' } as const;
    expect(stateLine({ at, server: 'a', state: failed })).toBe(
      '2026-01-02T03:04:05.006Z a failed exit code 1',
    );
  });
});
