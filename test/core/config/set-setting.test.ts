import { describe, expect, it } from 'vitest';
import { setSetting } from '../../../electron/core/config/servers-file.ts';

const path = ['panel', 'health', 'onStall'];

describe('setSetting', () => {
  it('makes the objects on the way and keeps comments, order and unknown keys', () => {
    const text =
      '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "x", "odd": 1 }, // a\n    "b": { "command": "y" }\n  }\n}\n';
    const changed = setSetting(text, 'a', path, 'notify');
    expect(changed).toContain('// mine');
    expect(changed).toContain('// a');
    expect(JSON.parse(changed.replaceAll(/\/\/.*$/gm, ''))).toEqual({
      mcpServers: {
        a: { command: 'x', odd: 1, panel: { health: { onStall: 'notify' } } },
        b: { command: 'y' },
      },
    });
  });

  it('replaces the value where it stands', () => {
    const text =
      '{ "mcpServers": { "a": { "command": "x", "panel": { "health": { "onStall": "restart" /* so */ } } } } }';
    expect(setSetting(text, 'a', path, 'notify')).toBe(text.replace('"restart"', '"notify"'));
  });
});
