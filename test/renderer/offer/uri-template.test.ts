import { describe, expect, it } from 'vitest';
import { toItems, expandTemplate, variablesOf } from '../../../renderer/offer/offer-items.ts';
import { anOffer } from '../builders.ts';

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
