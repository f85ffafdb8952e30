import { describe, expect, it } from 'vitest';
import { levelOf } from '../../../shared/log-level.ts';

describe('the level of a line', () => {
  it.each([
    // Bracketed words.
    ['[error] cannot connect', 'error'],
    ['[2026-11-22 10:00:00 WARN ] slow', 'warning'],
    ['[INFO] ready', 'info'],
    ['<err> no', 'error'],
    // Words with a colon, after a time or a name.
    ['error: no such file', 'error'],
    ['ERROR: no such file', 'error'],
    ['WARNING: deprecated', 'warning'],
    ['2026-11-22T10:00:00.000Z INFO started', 'info'],
    ['2026-11-22 10:00:00,123 - my.module - WARNING - low', 'warning'],
    ['2026/11/22 10:00:00 ERROR dial tcp', 'error'],
    ['INFO:     Uvicorn running on http://127.0.0.1:8000', 'info'],
    ['WARN  cache is cold', 'warning'],
    ['DEBUG request took 4 ms', 'debug'],
    ['npm warn deprecated x', 'warning'],
    ['npm ERR! code E404', 'error'],
    ['fatal: not a git repository', 'error'],
    // Key and value.
    ['{"level":"warn","msg":"x"}', 'warning'],
    ['{"time":1,"level":50,"msg":"x"}', 'error'],
    ['{"severity":"ERROR","message":"x"}', 'error'],
    ['time=10:00 level=info msg="x"', 'info'],
    ['ts=1 lvl=dbg msg=x', 'debug'],
    // Log messages of the protocol.
    ['{"method":"notifications/message","params":{"level":"critical","data":"x"}}', 'error'],
    ['{"method":"notifications/message","params":{"level":"notice","data":"x"}}', 'info'],
    // Exceptions.
    ["TypeError: Cannot read properties of undefined (reading 'x')", 'error'],
    ['java.lang.IllegalStateException: closed', 'error'],
    ['Traceback (most recent call last):', 'error'],
    ["thread 'main' panicked at src/main.rs:3", 'error'],
    ['panic: runtime error: index out of range', 'error'],
    // Plain lines.
    ['Listening on port 3000', undefined],
    ['error handling is enabled', undefined],
    ['Information for maintainers', undefined],
    ['0 errors, 0 warnings', undefined],
    ['{"level":"seven"}', undefined],
    // Names that every object has.
    ['{"level":"constructor","msg":"x"}', undefined],
    ['level=__proto__ msg=x', undefined],
    ['severity: toString', undefined],
    ['chatter 3', undefined],
    ['', undefined],
  ])('of %j is %s', (line, level) => expect(levelOf(line)).toBe(level));

  it('is found at the start of a line of any length', () => {
    expect(levelOf(`[error] ${'x'.repeat(2 ** 20)}`)).toBe('error');
    expect(levelOf(`${'x '.repeat(2 ** 19)}[error]`)).toBeUndefined();
  });
});
