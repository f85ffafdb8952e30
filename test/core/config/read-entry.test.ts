import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../electron/core/config/json-nodes.ts';

describe('readEntry', () => {
  const text = '{ // c\n "mcpServers": { "a": { "command": "x", "odd": [1], }, "b": 3 } }';

  it('gives the entry as it stands, unknown keys included', () => {
    expect(readEntry(text, 'a')).toEqual({ command: 'x', odd: [1] });
  });

  it('gives an entry whose name means something in JavaScript, and the last of two', () => {
    const odd = '{"mcpServers":{"__proto__":{"command":"x"},"a":{"command":"y"},"a":{"command":"z"}}}';
    expect(readEntry(odd, '__proto__')).toEqual({ command: 'x' });
    expect(readEntry(odd, 'a')).toEqual({ command: 'z' });
  });

  it.each(['b', 'c', '__proto__', 'toString'])('gives nothing for %s', (name) => {
    expect(readEntry(text, name)).toBeUndefined();
  });
});
