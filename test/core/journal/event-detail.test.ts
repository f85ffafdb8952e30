import { describe, expect, it } from 'vitest';
import { toKeptEvent } from '../../../electron/core/journal/journal.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';

const SECRET = 'correct horse battery staple';
const redact = createRedactor([SECRET]);
const KIBI = 1024;
const error = { code: 'CRASHED', message: 'exit code 1' };
/** Detail of a crash that is kept, with what a server's error brings along. */
const kept = (more: object) => toKeptEvent('crashed', { ...error, ...more }, redact).detail;

describe('the detail of an event', () => {
  it('is kept as it is where it is of a usual size', () => {
    const more = { exitCode: 1, calls: [{ method: 'ping' }], url: 'http://127.0.0.1/' };
    expect(kept(more)).toEqual({ ...error, ...more });
  });

  it('has no field without a value', () => {
    expect(Object.keys(kept({ exitCode: undefined }))).toEqual(['code', 'message']);
  });

  it('is bounded in all, keeps the last words of a long text, and says what is missing', () => {
    const stderrTail = `${'at line\n'.repeat(10 * KIBI)}FATAL: the cause`;
    const rpcData = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`f${index}`, 'x'.repeat(100)]),
    );
    const detail = kept({ stderrTail, rpcData });
    expect(detail).toMatchObject({ stderrTail: expect.stringMatching(/FATAL: the cause$/) as unknown });
    expect(JSON.stringify(detail).length).toBeLessThan(128 * KIBI);
    expect(detail).toMatchObject({ leftOut: { values: 2500 } });
  });

  it('can be cloned and written, however deeply it was nested', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const detail = kept({ rpcData: deep });
    expect(structuredClone(detail)).toMatchObject(error);
    expect(JSON.stringify(detail).length).toBeLessThan(KIBI);
  });

  it('never holds a part of a secret that gives it away, wherever it is cut', () => {
    const parts = Array.from({ length: SECRET.length - 7 }, (_, at) => SECRET.slice(at, at + 8));
    for (let at = 0; at < SECRET.length; at += 1) {
      const text = 'x'.repeat(12_000 + at) + SECRET.repeat(4 * KIBI);
      const told = JSON.stringify(kept({ text, more: text, still: text }));
      expect(parts.filter((part) => told.includes(part))).toEqual([]);
    }
  });
});
