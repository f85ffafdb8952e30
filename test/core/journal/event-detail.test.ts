import { describe, expect, it } from 'vitest';
import { toEventDetail } from '../../../electron/core/journal/event-detail.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';

const SECRET = 'correct horse battery staple';
const redact = createRedactor([SECRET]);
const KIBI = 1024;

describe('the detail of an event', () => {
  it('is kept as it is where it is of a usual size', () => {
    const detail = { message: 'exit code 1', exitCode: 1, evidence: { calls: [{ method: 'ping' }] } };
    expect(toEventDetail(detail, redact)).toEqual(detail);
  });

  it('is bounded in all, keeps the last words of a long text, and says what is missing', () => {
    const stderrTail = `${'at line\n'.repeat(10 * KIBI)}FATAL: the cause`;
    const rpcData = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`f${index}`, 'x'.repeat(100)]),
    );
    const detail = toEventDetail({ stderrTail, rpcData, list: [1] }, redact);
    expect(detail['stderrTail']).toMatch(/FATAL: the cause$/);
    expect(JSON.stringify(detail).length).toBeLessThan(128 * KIBI);
    expect(detail['leftOut']).toMatchObject({ values: 2500 });
  });

  it('can be cloned and written, however deeply it was nested', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const detail = toEventDetail({ message: 'the end', rpcData: deep }, redact);
    expect(structuredClone(detail)).toMatchObject({ message: 'the end' });
    expect(JSON.stringify(detail).length).toBeLessThan(KIBI);
  });

  it('never holds a part of a secret that gives it away, wherever it is cut', () => {
    const parts = Array.from({ length: SECRET.length - 7 }, (_, at) => SECRET.slice(at, at + 8));
    for (let at = 0; at < SECRET.length; at += 1) {
      const text = 'x'.repeat(12_000 + at) + SECRET.repeat(4 * KIBI);
      const told = JSON.stringify(toEventDetail({ text, more: text, still: text }, redact));
      expect(parts.filter((part) => told.includes(part))).toEqual([]);
    }
  });
});
