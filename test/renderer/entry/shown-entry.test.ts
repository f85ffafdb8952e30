import { describe, expect, it } from 'vitest';
import { MASK } from '../../../renderer/entry/entry-json.ts';
import { changedKeys, hasMasked, shownText } from '../../../renderer/entry/shown-entry.ts';

const shown = (entry: Record<string, unknown>) => JSON.parse(shownText(entry, false)) as typeof entry;

describe('shownText', () => {
  it('masks environment, headers, and what may be secret among arguments and in an address', () => {
    expect(
      shown({
        args: [
          '--api-key=abc',
          '--token',
          'abc',
          '-e',
          'GITHUB_TOKEN=abc',
          'https://me:abc@host/x?sig=abc#top',
        ],
        env: { A: 'abc' },
        headers: { Authorization: 'Bearer abc' },
        url: 'https://host/mcp?profile=abc&flag',
      }),
    ).toEqual({
      args: [
        `--api-key=${MASK}`,
        '--token',
        MASK,
        '-e',
        `GITHUB_TOKEN=${MASK}`,
        `https://me:${MASK}@host/x?sig=${MASK}#top`,
      ],
      env: { A: MASK },
      headers: { Authorization: MASK },
      url: 'https://host/mcp?profile=abc&flag',
    });
  });

  it('leaves everything else as it stands', () => {
    const entry = {
      command: 'npx',
      args: ['-y', '@scope/server', '--port=80', '/a path', 3, 'https://host/mcp', '--token', '-v'],
      panel: { limits: { maxMemoryMiB: 512 } },
      unknown: { kept: true },
    };
    expect(shown(entry)).toEqual(entry);
    expect(hasMasked(entry)).toBe(false);
  });

  it('shows everything once it is asked for', () => {
    const entry = { command: 'x', args: ['--api-key=abc'], env: { A: 'abc' } };
    expect(hasMasked(entry)).toBe(true);
    expect(JSON.parse(shownText(entry, true))).toEqual(entry);
  });
});

describe('changedKeys', () => {
  it('names what differs, whichever of the two has it, and not what is only ordered otherwise', () => {
    const before = { command: 'a', args: ['x'], env: { A: '1', B: '2' }, cwd: '/' };
    const after = { command: 'b', args: ['x'], env: { B: '2', A: '1' }, disabled: true };
    expect(changedKeys(before, after)).toEqual(['command', 'cwd', 'disabled']);
  });
});
