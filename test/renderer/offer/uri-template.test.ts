import { describe, expect, it } from 'vitest';
import { expandTemplate, variablesOf } from '../../../renderer/offer/uri-template.ts';

describe('templates', () => {
  it.each([
    ['a://b', []],
    ['a://{x}/{y}/{x}', ['x', 'y']],
    ['a://{+path}', ['path']],
    ['a://{?q,r}', undefined],
    ['a://{x*}', undefined],
    ['a://{', undefined],
  ])('%s has %j', (template, names) => expect(variablesOf(template)).toEqual(names));

  it('fill in nothing for what is missing', () => {
    expect(expandTemplate('a://{x}/{y}', { x: 'p/q' })).toBe('a://p%2Fq/');
  });
});
