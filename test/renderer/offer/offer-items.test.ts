import { describe, expect, it } from 'vitest';
import { expandTemplate, readItems, toItems, variablesOf } from '../../../renderer/offer/offer-items.ts';
import { anOffer } from '../builders.ts';

describe('toItems', () => {
  it('makes calls of tools, prompts, resources and templates', () => {
    const items = toItems(
      anOffer({
        tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
        prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }, { name: 'how' }, 7] }],
        resources: [{ uri: 'file:///a', name: 'A', mimeType: 'text/plain' }],
        resourceTemplates: [{ uriTemplate: 'db://{table}/{+path}' }],
      }),
    );
    expect(items.map(({ key }) => key)).toEqual([
      'tool echo',
      'prompt greet',
      'resource file:///a',
      'template db://{table}/{+path}',
    ]);
    const [echo, greet, file, table] = items;
    expect(echo!.toCall({ a: 1 })).toEqual({
      method: 'tools/call',
      params: { name: 'echo', arguments: { a: 1 } },
    });
    expect(greet!.form).toMatchObject({
      fields: [
        { key: 'who', kind: 'text', isRequired: true },
        { key: 'how', isRequired: false },
      ],
    });
    expect(greet!.toCall({ who: 'x' })).toEqual({
      method: 'prompts/get',
      params: { name: 'greet', arguments: { who: 'x' } },
    });
    expect(file).toMatchObject({ title: 'A', hints: ['text/plain'] });
    expect(file!.toCall({})).toEqual({ method: 'resources/read', params: { uri: 'file:///a' } });
    expect(table!.toCall({ table: 'a b', path: 'c/d' }).params).toEqual({ uri: 'db://a%20b/c/d' });
  });

  it('says what a server claims of a tool, and takes the title from where it is', () => {
    const [tool] = toItems(
      anOffer({
        tools: [{ name: 'rm', annotations: { title: 'Remove', destructiveHint: true, readOnlyHint: false } }],
      }),
    );
    expect(tool).toMatchObject({ title: 'Remove', hints: ['destructive'], isDestructive: true });
    const [quiet] = toItems(
      anOffer({ tools: [{ name: 'a', annotations: { destructiveHint: true, readOnlyHint: true } }] }),
    );
    expect(quiet?.isDestructive).toBe(false);
  });
});

describe('readItems', () => {
  it('joins the texts of an offer, and lists a name once', async () => {
    const texts = [
      { tools: [{ name: 'a' }, { name: 'b' }] },
      { tools: [{ name: 'a' }] },
      { prompts: [{ name: 'a' }] },
    ];
    const items = await readItems({ texts: texts.map((text) => JSON.stringify(text)) });
    expect(items.map(({ key }) => key)).toEqual(['tool a', 'tool b', 'prompt a']);
  });
});

const needed = (name: string) => ({ name, isOptional: false });

const optional = (name: string) => ({ name, isOptional: true });

describe('templates', () => {
  it.each([
    ['a://b', []],
    ['a://{x}/{y}/{x}', [needed('x'), needed('y')]],
    ['a://{+path}', [needed('path')]],
    ['a://{x}{?q,r}', [needed('x'), optional('q'), optional('r')]],
    ['a://{x}{?x}', [needed('x')]],
    ['a://b{#part}', [needed('part')]],
    ['a://{x*}', undefined],
    ['a://{x:3}', undefined],
    ['a://{x,y}', undefined],
    ['a://{;x}', undefined],
    ['a://{', undefined],
    ['a://}', undefined],
    ['a://{}', undefined],
  ])('%s has %j', (template, variables) => expect(variablesOf(template)).toEqual(variables));

  it.each([
    ['a://{x}/{y}', { x: 'p/q' }, 'a://p%2Fq/'],
    ['a://{+path}', { path: 'p/q r' }, 'a://p/q%20r'],
    ['a://b{?q,r}', { q: '1&2', r: 'ä' }, 'a://b?q=1%262&r=%C3%A4'],
    ['a://b{?q,r}', { q: '', r: 'x' }, 'a://b?r=x'],
    ['a://b{?q}', { q: 3 }, 'a://b'],
    ['a://b{/dir}{#part}', { dir: 'c/d', part: 'e' }, 'a://b/c%2Fd#e'],
  ])('%s with %j is %s', (template, values, address) =>
    expect(expandTemplate(template, values)).toBe(address),
  );

  it('with a query are a form, whose query can be left empty', () => {
    const [item] = toItems(anOffer({ resourceTemplates: [{ uriTemplate: 'a://{x}{?q}' }] }));
    expect(item?.form).toMatchObject({
      fields: [
        { key: 'x', isRequired: true },
        { key: 'q', isRequired: false },
      ],
    });
    expect(item?.toCall({ x: '1' }).params).toEqual({ uri: 'a://1' });
  });
});
