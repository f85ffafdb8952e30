import { describe, expect, it } from 'vitest';
import { readsAsServer, withPasted, wordsOnTaken } from '../../../renderer/editor/use-pasted-snippet.ts';
import { draftOf } from '../../../renderer/editor/server-draft.ts';
import { anAsk } from '../builders.ts';
import { readmeBlocks } from '../../fixtures/readme-blocks.ts';

const empty = draftOf('', {});

describe('a text that is pasted into the name or the command', () => {
  it.each(readmeBlocks)('is read as a server where it is one: $title', ({ text }) => {
    expect([readsAsServer('name', empty, text), readsAsServer('command', empty, text)]).toEqual([true, true]);
  });

  it('stays a value of its field where it can be nothing else', () => {
    for (const text of ['github', 'mcp-server-time', 'a.b_c-d', '', 'npx'])
      expect([text, readsAsServer('name', empty, text)]).toEqual([text, false]);
    for (const text of ['npx', 'mcp-server-time', 'C:\\Program Files\\nodejs\\node.exe', '/opt/my tools/run'])
      expect([text, readsAsServer('command', empty, text)]).toEqual([text, false]);
  });

  it('replaces nothing that was entered before', () => {
    for (const entry of [
      { command: 'node' },
      { args: ['x'] },
      { env: { A: '1' } },
      { url: 'https://a.example' },
      { cwd: '/srv' },
    ])
      expect(readsAsServer('command', draftOf('a', entry), 'npx -y @acme/stock')).toBe(false);
  });

  it('stands in the field in the end where it is no server', () => {
    expect(withPasted('My  server', [3, 3], 'Brave\nSearch ')).toBe('My Brave Search server');
    expect(withPasted('old', [0, 3], 'new')).toBe('new');
    expect(withPasted('old', [0, 3], 'x'.repeat(5000))).toBe('old');
  });
});

describe('wordsOnTaken()', () => {
  it('names what is still to be filled in, once each', () => {
    const ask = anAsk({ id: 'a', label: 'TOKEN', placeholder: '<T>' });
    const taken = { name: 'stock', entry: {}, problem: 'look at it', asks: [ask, { ...ask, id: 'b' }] };
    expect(wordsOnTaken(taken)).toBe('Filled in stock from the pasted text. Missing: TOKEN. look at it');
    // What this machine has is filled in already.
    expect(
      wordsOnTaken({ name: 'stock', entry: {}, obstacle: 'no npx', asks: [{ ...ask, found: 'x' }] }),
    ).toBe('Filled in stock from the pasted text. It cannot work here: no npx.');
    expect(wordsOnTaken({ name: 'stock', entry: {} })).toBe('Filled in stock from the pasted text.');
  });
});
