import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findImports } from '../../../electron/core/config/import/find-imports.ts';
import { OwnEndpoint } from '../../../electron/core/config/own-endpoint.ts';
import { withoutOwnPanel } from '../../../electron/core/config/import/own-panel.ts';
import { parseSnippet } from '../../../electron/core/config/import/parse-snippet.ts';
import { openServersFile } from '../../../electron/core/config/servers-file.ts';
import { createFakeClock } from '../fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PORT = 7411;
const token = `mcpcp_${'A'.repeat(43)}`;
const own = 'http://127.0.0.1:7411/servers/good/mcp';
const { isOwn } = new OwnEndpoint(PORT);

/** Entries that lead back to the panel, each with the field that does. */
const LOOPS: readonly (readonly [string, object, string])[] = [
  ['its address', { url: own }, 'url'],
  ['localhost', { url: 'http://localhost:7411/servers/good/mcp' }, 'url'],
  ['IPv6', { url: 'http://[::1]:7411/servers/good/mcp' }, 'url'],
  ['mcp-remote', { command: 'npx', args: ['-y', 'mcp-remote', own] }, 'args.2'],
  ['supergateway', { command: 'npx', args: ['-y', 'supergateway', `--streamableHttp=${own}`] }, 'args.2'],
  ['a script', { command: 'sh', args: ['-c', `npx mcp-remote '${own}'`] }, 'args.1'],
  [
    'a token in a header',
    { url: 'http://box:1/mcp', headers: { Authorization: `Bearer ${token}` } },
    'headers.Authorization',
  ],
  ['a token in a variable', { command: 'npx', env: { TOKEN: token } }, 'env.TOKEN'],
];

describe('the own endpoint', () => {
  it.each([
    own,
    'HTTP://127.0.0.1:7411/mcp',
    'http://127.1:7411/mcp/',
    'http://127.8.9.1:7411/servers/a/mcp',
    'http://2130706433:7411/mcp',
    'http://0x7f.1:7411/mcp',
    'http://0.0.0.0:7411/mcp',
    'http://localhost.:7411/mcp',
    'http://panel.localhost:7411/mcp',
    'http://[::]:7411/mcp',
    'http://[0:0:0:0:0:0:0:1]:7411/mcp',
    'http://[::ffff:127.0.0.1]:7411/mcp',
    'http://user:pass@127.0.0.1:7411/a/../mcp?x=1#y',
    `https://other.example ${own}`,
    token,
  ])('is %s', (text) => {
    expect(isOwn(text)).toBe(true);
  });

  it.each([
    'http://127.0.0.1:7412/mcp',
    'http://127.0.0.1/mcp',
    'http://127.0.0.1:7411/metrics',
    'http://127.0.0.1:7411/mcp-files',
    'http://192.168.0.1:7411/mcp',
    'http://127.0.0.1.example:7411/mcp',
    'http://notlocalhost:7411/mcp',
    'http://[::2]:7411/mcp',
    'mcpcp_short',
    'http://',
  ])('is not %s', (text) => {
    expect(isOwn(text)).toBe(false);
  });

  it('moves with the port on which the gateway listens', () => {
    const endpoint = new OwnEndpoint(0);
    expect(endpoint.isOwn(own)).toBe(false);
    expect([endpoint.listensAt(PORT), endpoint.listensAt(PORT)]).toEqual([true, false]);
    expect(endpoint.isOwn(own)).toBe(true);
  });
});

describe('an entry that leads back to the panel', () => {
  const open = async (text: string) => {
    const path = join(tempFolder('own-endpoint-'), 'servers.json');
    await writeFile(path, text);
    const options = { path, clock: createFakeClock(), isOwnEndpoint: isOwn };
    const file = await openServersFile({ ...options, onChange: () => undefined });
    onTestFinished(() => file.dispose());
    return file;
  };

  it.each(LOOPS)('is refused at save with its field: %s', async (_, entry, field) => {
    const file = await open('{ "mcpServers": {} }');
    await expect(file.put({ ...entry, name: 'good' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: `mcpServers.good.${field}: this is your own panel, expected the command or the address of the server itself`,
      data: { path: `mcpServers.good.${field}`, field },
    });
  });

  it.each(LOOPS)('is refused in the file, and the others go on: %s', async (_, entry, field) => {
    const { current } = await open(
      JSON.stringify({ mcpServers: { good: entry, other: { command: 'npx' } } }),
    );
    expect(current.servers.map(({ name }) => name)).toEqual(['other']);
    expect(current.error?.message).toContain(`mcpServers.good.${field}: this is your own panel`);
  });

  it.each(LOOPS)('is not offered by a paste, and the others are: %s', (_, entry, field) => {
    const text = JSON.stringify({ mcpServers: { good: entry, other: { command: 'npx' } } });
    const { entries, problems } = withoutOwnPanel(parseSnippet(text), isOwn);
    expect(entries.map(({ name }) => name)).toEqual(['other']);
    expect(problems).toEqual([
      { path: `good.${field}`, message: 'good is not offered: this is your own panel' },
    ]);
  });

  it('is not offered from the file of a client', async () => {
    const [source] = await findImports({
      env: { home: '/home/ada', platform: 'linux' },
      readFile: (path) =>
        Promise.resolve(
          path === '/home/ada/.cursor/mcp.json'
            ? JSON.stringify({ mcpServers: { good: { url: own }, other: { command: 'npx' } } })
            : undefined,
        ),
      current: [],
      isOwnEndpoint: isOwn,
    });
    expect(source?.servers.map(({ name }) => name)).toEqual(['other']);
    expect(source?.problems.map(({ message }) => message)).toEqual([
      'good is not offered: this is your own panel',
    ]);
  });
});
