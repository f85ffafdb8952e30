import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { redactJson } from '../../../electron/core/logs/log-archive.ts';

const SECRET = 'correct-horse-battery';
const redact = createRedactor([SECRET, '90210777']);

describe('redactJson', () => {
  it('leaves a text without secrets as it was written', () => {
    const json = fc
      .jsonValue({ maxDepth: 3 })
      .chain((value) => fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, 2)));
    const plain = createRedactor([]);
    fc.assert(
      fc.property(json, (text) => {
        const shown = redactJson(text, plain);
        if (JSON.stringify(plain(JSON.parse(text) as unknown)) === JSON.stringify(JSON.parse(text)))
          expect(shown).toBe(text);
      }),
    );
  });

  it('blacks out what is known, however it is written, and stays JSON', () => {
    const escaped = [...SECRET]
      .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const text = `{ "a": "x ${SECRET} y", "b": ["${escaped}"],\n "c" : 90210777, "${SECRET}": 1.50 }`;
    const shown = redactJson(text, redact);
    expect(JSON.parse(shown)).toEqual({
      ...{ a: 'x [redacted] y', b: ['[redacted]'], c: '[redacted]' },
      '[redacted]': 1.5,
    });
    expect(shown).toContain('1.50');
    expect(shown).toContain('"c" :');
  });

  it.each([
    ['password', 'abc'],
    ['access_key', 'abcdefgh1'],
    ['p\\u0061ssword', 'abc'],
    ['Authorization', 'Basic x'],
  ])('blacks out the value of %s for its name', (name, value) => {
    expect(redactJson(`{"${name}":"${value}"}`, redact)).not.toContain(value);
  });

  it('finds the beginning of a secret at the end of a text that was cut off, also within an escape', () => {
    for (const cut of [`{"a":"${SECRET.slice(0, 12)}`, `{"password":"abc`, `{"password":"abc\\`]) {
      const shown = redactJson(cut, redact);
      expect(shown).not.toMatch(/correct|abc/);
      expect(shown).toContain('[redacted]');
    }
  });

  it('takes no longer for a long text than in proportion', () => {
    for (const text of [`"${'\\"'.repeat(100_000)}`, '"'.repeat(100_001), '{"a":"'.repeat(20_000)])
      expect(redactJson(text, createRedactor([])).length).toBeGreaterThan(0);
  });
});
