import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillAsks } from '../../shared/asks.ts';
import type { Ask } from '../../shared/manage.ts';

const ask = (changes: Partial<Ask>): Ask => ({
  id: 'a',
  label: 'A',
  secret: true,
  where: 'env',
  key: 'TOKEN',
  placeholder: '<TOKEN>',
  kind: 'value',
  ...changes,
});

describe('fillAsks()', () => {
  it('puts an answer into the place that its ask names, and into no other', () => {
    const entry = {
      command: '<TOKEN>',
      args: ['--key', 'x', '<TOKEN>'],
      env: { TOKEN: 'Bearer <TOKEN>', OTHER: '<TOKEN>' },
    };
    expect(fillAsks({ entry, asks: [ask({})] }, { a: 's3' })).toEqual({
      ...entry,
      env: { TOKEN: 'Bearer s3', OTHER: '<TOKEN>' },
    });
    expect(fillAsks({ entry, asks: [ask({ where: 'args', key: '2' })] }, { a: 's3' })).toEqual({
      ...entry,
      args: ['--key', 'x', 's3'],
    });
  });

  it('puts the answer of a ${…} wherever it stands', () => {
    const entry = {
      url: 'https://${input:host}/mcp',
      headers: { Authorization: 'Bearer ${input:host}' },
      cwd: '${input:host}',
    };
    expect(fillAsks({ entry, asks: [ask({ placeholder: '${input:host}' })] }, { a: 'h' })).toEqual({
      url: 'https://h/mcp',
      headers: { Authorization: 'Bearer h' },
      cwd: 'h',
    });
  });

  it('fills a secret that was left empty, and no other empty text', () => {
    const asks = [ask({ placeholder: '' })];
    const entry = { args: [''], env: { TOKEN: '', OTHER: '' }, headers: { TOKEN: '' } };
    const filled = { ...entry, env: { TOKEN: 's3', OTHER: '' } };
    expect(fillAsks({ entry, asks }, { a: 's3' })).toEqual(filled);
    expect(fillAsks({ entry, asks }, { a: '' })).toEqual(entry);
    // Another text has come to stand there.
    expect(fillAsks({ entry: filled, asks }, { a: 'new' })).toEqual(filled);
  });

  it('leaves what was not answered, and what an answer looks like, as it is', () => {
    const asks = [ask({}), ask({ id: 'b', key: 'OTHER', placeholder: '${env:X}' })];
    const entry = { env: { TOKEN: '<TOKEN>', OTHER: '${env:X}' }, panel: { autoStart: false } };
    expect(fillAsks({ entry, asks }, { b: '' })).toEqual(entry);
    expect(fillAsks({ entry, asks }, { a: '${env:X}', b: '<TOKEN>' })).toEqual({
      env: { TOKEN: '${env:X}', OTHER: '<TOKEN>' },
      panel: { autoStart: false },
    });
    expect(fillAsks({ entry }, { a: 'x' })).toEqual(entry);
  });

  it('keeps any entry that has no asks, whatever its keys are called', () => {
    const entries = fc.dictionary(fc.constantFrom('env', 'args', 'url', '__proto__', 'x'), fc.jsonValue());
    fc.assert(
      fc.property(entries, (entry) => {
        expect(fillAsks({ entry, asks: [] }, {})).toEqual({ ...entry });
      }),
    );
  });
});
