import { describe, expect, it } from 'vitest';
import { includedDraft, startDraft, toDraft } from '../../../renderer/forms/form-draft.ts';
import type { Draft, FormField } from '../../../renderer/forms/form-field.ts';
import { parseJson, readForm } from '../../../renderer/forms/form-value.ts';
import { toForm } from '../../../renderer/forms/schema-form.ts';

const formOf = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  toForm({ type: 'object', properties, ...rest });

/** Only field of a form with this property. */
function fieldOf(property: unknown, rest: Record<string, unknown> = {}): FormField {
  const form = formOf({ it: property }, rest);
  if (form.kind !== 'object') throw new Error('not an object');
  return form.fields[0]!;
}

describe('the field of a property', () => {
  it.each([
    ['text', { type: 'string' }],
    ['text', { type: 'string', format: 'date-time', pattern: 'x' }],
    ['number', { type: 'number' }],
    ['number', { type: 'integer' }],
    ['boolean', { type: 'boolean' }],
    ['choice', { type: 'string', enum: ['a', 'b'] }],
    ['choice', { enum: ['a', 1, true] }],
    ['choice', { const: 'only' }],
    ['choice', { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }],
    ['list', { type: 'array', items: { type: 'string' } }],
    ['list', { items: { type: 'string' } }],
    ['object', { type: 'object', properties: { a: { type: 'string' } } }],
    ['object', { properties: { a: {} } }],
    // Odd, free or open schemas become JSON.
    ['json', {}],
    ['json', true],
    ['json', null],
    ['json', { type: 'object' }],
    ['json', { type: 'object', additionalProperties: { type: 'string' } }],
    ['json', { type: 'array' }],
    ['json', { type: 'array', prefixItems: [{ type: 'string' }], items: {} }],
    ['json', { type: 'array', items: [{ type: 'string' }, { type: 'number' }] }],
    ['variants', { type: ['string', 'number'] }],
    ['variants', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['variants', { oneOf: [{ type: 'object', properties: { a: {} } }, { type: 'string' }] }],
    ['json', { anyOf: [] }],
    ['json', { anyOf: [{}, { type: 'object' }] }],
    ['json', { oneOf: Array.from({ length: 30 }, (_, n) => ({ type: 'string', minLength: n })) }],
    ['json', { type: 'strange' }],
    ['json', { $ref: 'https://example.com/schema.json' }],
    ['json', { $ref: '#/nowhere' }],
    ['json', { $ref: '#/properties/it' }],
  ])('is %s for %j', (kind, property) => expect(fieldOf(property).kind).toBe(kind));

  it.each([
    ['text', { type: ['string', 'null'] }],
    ['text', { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'T' }],
    ['number', { oneOf: [{ type: 'null' }, { type: 'integer' }] }],
    ['choice', { type: ['string', 'null'], enum: ['a', null] }],
    ['choice', { anyOf: [{ enum: ['a', 'b'] }, { const: null }] }],
    ['list', { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }],
    ['variants', { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }],
  ])('is a nullable %s for %j', (kind, property) => {
    expect(fieldOf(property)).toMatchObject({ kind, isNullable: true });
  });

  it('has label, description, default, range and required mark from the schema', () => {
    const schema = {
      type: 'integer',
      title: 'How many',
      description: 'At once.',
      default: 3,
      minimum: 1,
      maximum: 9,
    };
    expect(fieldOf(schema, { required: ['it'] })).toEqual({
      kind: 'number',
      key: 'it',
      label: 'How many',
      description: 'At once.',
      initial: 3,
      isInteger: true,
      least: 1,
      most: 9,
      isRequired: true,
      isNullable: false,
    });
    expect(fieldOf({ type: 'string' })).toEqual({
      kind: 'text',
      key: 'it',
      label: 'it',
      isRequired: false,
      isNullable: false,
    });
  });

  it('follows references within the schema, keeping what stands beside them', () => {
    const $defs = { 'a/b': { type: 'string', enum: ['x'], description: 'inner' } };
    expect(fieldOf({ $ref: '#/$defs/a~1b', description: 'outer' }, { $defs })).toMatchObject({
      kind: 'choice',
      description: 'outer',
    });
    const nested = { anyOf: [{ $ref: '#/$defs/a~1b' }, { type: 'null' }] };
    expect(fieldOf(nested, { $defs })).toMatchObject({ kind: 'choice', isNullable: true });
  });

  it('joins the parts of allOf', () => {
    const parts = [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'boolean' } } },
    ];
    expect(fieldOf({ allOf: parts })).toMatchObject({
      kind: 'object',
      fields: [
        { key: 'a', kind: 'text', isRequired: true },
        { key: 'b', kind: 'boolean', isRequired: false },
      ],
    });
  });

  it('ends where a schema contains itself', () => {
    const $defs = { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } };
    const text = JSON.stringify(fieldOf({ $ref: '#/$defs/node' }, { $defs }));
    expect(text).toContain('"kind":"json"');
    expect(text.length).toBeLessThan(4000);
  });
});

describe('a form', () => {
  it('has what must be filled in first', () => {
    const form = formOf({ a: {}, b: {}, c: {} }, { required: ['c', 'b'] });
    expect(form.kind === 'object' && form.fields.map(({ key }) => key)).toEqual(['b', 'c', 'a']);
  });

  it.each([[undefined], [null], [7], [[]], ['x']])('is JSON for a schema that is none: %j', (schema) => {
    expect(toForm(schema).kind).toBe('json');
  });

  it('is empty, not JSON, for a tool without arguments', () => {
    expect(toForm({ type: 'object' })).toMatchObject({ kind: 'object', fields: [] });
    expect(readForm(toForm({ type: 'object' }), startDraft(toForm({ type: 'object' }))).value).toEqual({});
  });
});

describe('a schema that asks for more fields than anybody fills in', () => {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}`);
  const propertiesOf = (schema: unknown) => Object.fromEntries(names.map((name) => [name, schema]));

  it.each([
    [
      'by references to itself',
      { $defs: { all: { type: 'object', properties: propertiesOf({ $ref: '#/$defs/all' }) } } },
      { $ref: '#/$defs/all' },
    ],
    ['by objects in objects', {}, { type: 'object', properties: propertiesOf({ type: 'string' }) }],
  ])('is typed as JSON: %s', (_how, rest, property) => {
    expect(formOf(propertiesOf(property), rest).kind).toBe('json');
  });

  it('has a JSON field in the place of a choice between thousands, and its other fields', () => {
    const options = Array.from({ length: 5000 }, (_, index) => `option ${index}`);
    expect(formOf({ one: { enum: options }, two: { type: 'string' } })).toMatchObject({
      fields: [{ kind: 'json' }, { kind: 'text' }],
    });
  });
});

describe('readForm', () => {
  const read = (property: unknown, draft: Draft, isRequired = false) => {
    const { value, problems } = readForm(
      fieldOf(property, { required: isRequired ? ['it'] : [] }),
      draft,
      'it',
    );
    return problems.length > 0 ? problems.map(({ path, message }) => `${path} ${message}`) : value;
  };
  const text = { type: 'string' };
  const maybe = { type: ['string', 'null'] };
  const count = { type: 'integer', minimum: 1, maximum: 9 };
  const list = { type: 'array', items: { type: 'integer' } };
  const object = {
    type: 'object',
    properties: { a: { type: 'string' }, n: { type: 'number' } },
    required: ['n'],
  };

  it.each<[unknown, Draft, unknown]>([
    [text, 'x', 'x'],
    [text, ' ', ' '],
    [text, '', undefined],
    [count, ' 7 ', 7],
    [count, '', undefined],
    [count, 'x', ['it must be a number']],
    [count, 'Infinity', ['it must be a number']],
    [count, '1.5', ['it must be a whole number']],
    [count, '0', ['it must be at least 1']],
    [count, '10', ['it must be at most 9']],
    [{ type: 'number' }, '-1.5e3', -1500],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'boolean' }, '', undefined],
    [{ enum: ['a', 2] }, '1', 2],
    [{ enum: ['a', 2] }, '', undefined],
    [{ enum: ['a', 2] }, '9', undefined],
    [list, ['1', '2'], [1, 2]],
    [list, [], undefined],
    [list, ['1', 'x'], ['it.1 must be a number']],
    [object, undefined, undefined],
    [object, { a: '', n: '2' }, { n: 2 }],
    [object, { a: 'x', n: '' }, ['it.n is required']],
    [{}, '{"a": [1]}', { a: [1] }],
    [{}, 'null', null],
    [{}, '', undefined],
  ])('%j with %j says %j', (property, draft, value) => expect(read(property, draft)).toEqual(value));

  it.each<[unknown, Draft, unknown]>([
    [text, '', ['it is required']],
    [maybe, '', null],
    [maybe, 'x', 'x'],
    [count, '', ['it is required']],
    [{ type: 'boolean' }, '', ['it is required']],
    [{ enum: ['a'] }, '', ['it is required']],
    [list, [], []],
    [{ anyOf: [list, { type: 'null' }] }, [], null],
    [{ anyOf: [object, { type: 'null' }] }, undefined, null],
    [object, undefined, ['it is required']],
    [{}, '', ['it is required']],
  ])('%j, required, with %j says %j', (property, draft, value) => {
    expect(read(property, draft, true)).toEqual(value);
  });

  it('says what is wrong with JSON', () => {
    expect(read({}, '{a}')).toEqual([expect.stringMatching(/^it is not JSON: /)]);
    expect(parseJson('[1]')).toEqual({ value: [1] });
  });

  it('sends a property of any name as a property of its own', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as unknown;
    const form = toForm(schema);
    const { value } = readForm(form, toDraft(form, JSON.parse('{"__proto__":"x"}')));
    expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
  });
});

describe('a field of several forms', () => {
  const target = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'file' }, path: { type: 'string' } },
        required: ['kind'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'page' }, n: { type: 'integer' } },
        required: ['kind', 'n'],
      },
      { title: 'By name', type: 'string', minLength: 3 },
      { type: ['integer', 'boolean'] },
    ],
  };
  const field = fieldOf(target);
  const read = (draft: Draft) => readForm(field, draft, 'it');

  it('names each by what tells it from the others', () => {
    const labels = field.kind === 'variants' && field.variants.map(({ label }) => label);
    expect(labels).toEqual(['kind: file', 'kind: page', 'By name', 'Variant 4']);
  });

  it('sends the chosen one, checks it by its own rules, and is left out while none is chosen', () => {
    expect(startDraft(field)).toBeUndefined();
    expect(read(undefined)).toEqual({ value: undefined, problems: [] });
    const page = includedDraft(fieldOf({ oneOf: [target.oneOf[1], target.oneOf[2]] }));
    expect(page).toEqual({ chosen: '0', '0': { kind: '0', n: '' } });
    expect(read({ chosen: '1', '1': { kind: '0', n: '4' } }).value).toEqual({ kind: 'page', n: 4 });
    expect(read({ chosen: '2', '2': 'ab' }).problems).toEqual([
      { path: 'it.2', message: 'must have at least 3 characters', isOfSchema: true },
    ]);
    const must = fieldOf(target, { required: ['it'] });
    expect(readForm(must, { chosen: '' }, 'it').problems).toMatchObject([{ message: 'is required' }]);
  });

  it('shows a value in the form that holds all of it, and in none that would lose a part', () => {
    for (const value of [{ kind: 'file', path: 'a' }, { kind: 'page', n: 4 }, 'abc', 7, true])
      expect(read(toDraft(field, value)), JSON.stringify(value)).toEqual({ value, problems: [] });
    expect(toDraft(field, { kind: 'other' })).toBeUndefined();
  });

  it('stays a form where the same is said of every variant beside them', () => {
    const beside = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    const both = toForm(beside);
    expect(both).toMatchObject({ kind: 'variants', variants: [{ label: 'With a' }, { label: 'With b' }] });
    expect(readForm(both, toDraft(both, { b: 'x' })).value).toEqual({ b: 'x' });
  });
});

describe('the rules of a form', () => {
  it('are told at the field that breaks them', () => {
    const form = formOf({
      tags: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 2, uniqueItems: true },
      day: { type: 'string', format: 'date' },
      free: { type: 'object', additionalProperties: { type: 'number' } },
    });
    const draft = toDraft(form, { tags: ['long one'], day: 'soon', free: { a: 'x' } });
    expect(readForm(form, draft).problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'tags.0: must have at most 3 characters',
      'tags: must have at least 2 items',
      'day: must be a date, such as 2026-11-22',
      expect.stringMatching(/^free: at a: .*Expected "number"/),
    ]);
  });
});

describe('drafts', () => {
  it('open with the defaults', () => {
    const form = formOf(
      {
        text: { type: 'string', default: 'hello' },
        count: { type: 'integer', default: 0 },
        flag: { type: 'boolean', default: false },
        must: { type: 'boolean' },
        level: { enum: ['low', 'high'], default: 'high' },
        only: { const: 'v1' },
        tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
        free: { default: { x: 1 } },
        nested: { type: 'object', properties: { a: { type: 'string', default: 'inner' } } },
        wrong: { type: 'integer', default: 'no number' },
        none: { type: ['string', 'null'], default: null },
      },
      { required: ['must', 'only'] },
    );
    expect(readForm(form, startDraft(form))).toEqual({
      value: {
        must: false,
        only: 'v1',
        text: 'hello',
        count: 0,
        flag: false,
        level: 'high',
        tags: ['a'],
        free: { x: 1 },
      },
      problems: [],
    });
  });

  it('hold an object that was left out as soon as it is wanted', () => {
    const field = fieldOf({ type: 'object', properties: { a: { type: 'string', default: 'x' } } });
    expect(startDraft(field)).toBeUndefined();
    expect(readForm(field, includedDraft(field)).value).toEqual({ a: 'x' });
  });

  it('take over a value and give it back unchanged', () => {
    const form = formOf({
      text: { type: 'string' },
      list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
      level: { enum: [1, 'two', { three: 3 }] },
      any: {},
    });
    const value = {
      text: 'a\nb',
      list: [{ n: 1 }, {}, { n: -2.5 }],
      level: { three: 3 },
      any: [null, false],
    };
    expect(readForm(form, toDraft(form, value))).toEqual({ value, problems: [] });
  });

  it('cannot hold what the field is not made for', () => {
    expect(toDraft(fieldOf({ type: 'string' }), 7)).toBeUndefined();
    expect(toDraft(fieldOf({ enum: ['a'] }), 'b')).toBeUndefined();
    expect(toDraft(fieldOf({ type: 'object', properties: { a: {} } }), [])).toBeUndefined();
  });
});
