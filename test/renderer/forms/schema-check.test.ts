import { describe, expect, it } from 'vitest';
import { ruleProblems, schemaProblems } from '../../../renderer/forms/schema-check.ts';

describe('the rules of a field', () => {
  it.each<[object, unknown, string]>([
    [{ minLength: 3, maxLength: 9 }, 'ab', 'must have 3 to 9 characters'],
    [{ minLength: 1, maxLength: 1 }, 'ab', 'must have 1 character'],
    [{ maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    [{ pattern: '^[a-z]+$' }, 'A', 'must match ^[a-z]+$'],
    [{ format: 'date' }, '2026-13-01', 'must be a date, such as 2026-11-22'],
    [{ format: 'time' }, '6 pm', 'must be a time, such as 18:30:00Z'],
    [{ format: 'date-time' }, 'now', 'must be a date and time, such as 2026-11-22T18:30:00Z'],
    [{ format: 'email' }, 'me', 'must be an e-mail address, such as name@example.com'],
    [{ format: 'uri' }, 'here', 'must be an address, such as https://example.com/page'],
    [{ format: 'uuid' }, '1', 'must be a UUID, such as 123e4567-e89b-42d3-a456-426614174000'],
    [{ format: 'ipv4' }, '1', 'must have the format ipv4'],
    [{ exclusiveMinimum: 0 }, 0, 'must be above 0'],
    [{ exclusiveMaximum: 9 }, 9, 'must be below 9'],
    [{ multipleOf: 5 }, 7, 'must be a multiple of 5'],
    [{ minItems: 2 }, [1], 'must have at least 2 items'],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'must not have duplicate items'],
  ])('%j refuse %j', (rules, value, words) => {
    expect(ruleProblems(value, rules as Record<string, unknown>)).toEqual([words]);
  });

  it.each<[object, unknown]>([
    [{ minLength: 2, pattern: '^a' }, 'ab'],
    [{ format: 'date' }, '2026-02-28'],
    [{ format: 'uri' }, 'https://example.com/a?b=c'],
    [{ format: 'unknown to us' }, 'x'],
    [{ multipleOf: 0.1 }, 0.3],
    [{ uniqueItems: true }, [1, 2]],
  ])('%j let %j pass', (rules, value) => {
    expect(ruleProblems(value, rules as Record<string, unknown>)).toEqual([]);
  });
});

describe('a schema', () => {
  it('says at which place of a value what is wrong', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { $ref: '#/$defs/one' } } },
      required: ['name'],
      $defs: { one: { type: 'object', properties: { n: { type: 'number' } } } },
    };
    expect(schemaProblems({ list: [{}, { n: 'x' }] }, schema)).toEqual([
      { place: '', words: expect.stringContaining('"name"') as string },
      { place: 'list.1.n', words: expect.stringContaining('Expected "number"') as string },
    ]);
  });

  it('tells of a choice that nothing fits, not of what is wrong with each branch', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'object', required: ['a'] }] };
    expect(schemaProblems({}, schema)).toEqual([{ place: '', words: 'matches none of its variants' }]);
  });

  it('finds nothing where it cannot be checked here', () => {
    expect(schemaProblems('x', { $ref: 'https://example.com/other.json' })).toEqual([]);
    expect(schemaProblems('x', { $ref: '#' })).toEqual([]);
    expect(schemaProblems(`${'a'.repeat(40)}!`, { pattern: '^(a+)+$' })).toEqual([]);
  });

  it('is given up where its references multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/$defs/d${index + 1}` };
        return [`d${index}`, index === 39 ? { type: 'number' } : { anyOf: [next, next] }];
      }),
    );
    expect(schemaProblems('x', { $defs, $ref: '#/$defs/d0' })).toEqual([]);
  });

  it('leaves constants as they are, whatever words are in them', () => {
    const constant = { pattern: '(a+)+', default: 1 };
    expect(schemaProblems(constant, { const: constant })).toEqual([]);
    expect(schemaProblems({}, { const: constant })).toHaveLength(1);
  });
});
