import { describe, expect, it } from 'vitest';
import { readItems, toItems } from '../../../renderer/offer/offer-items.ts';
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
