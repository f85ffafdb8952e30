import { describe, expect, it } from 'vitest';
import { findImports, type ImportSource } from '../../../../electron/core/config/import/find-imports.ts';
import { readEntries } from '../../../../electron/core/config/import/read-entries.ts';
import { foreignPrograms } from '../../../../electron/core/config/programs/programs.ts';
import type { ImportEnvironment } from '../../../../electron/core/config/programs/environment.ts';
import { openText } from '../../../../electron/core/config/programs/spans/open-text.ts';
import { serverEntrySchema, serverNameSchema, type ServerConfig } from '../../../../shared/server-config.ts';
import { configOf } from '../../../support/config-of.ts';
import { fixtureHome, linuxHome, macHome, type FixtureHome } from './fixture-home.ts';

const find = (home: FixtureHome, current: readonly ServerConfig[] = []) =>
  findImports({ env: home.env, readFile: home.readFile, current });

const serversOf = (source: ImportSource | undefined) =>
  Object.fromEntries((source?.servers ?? []).map((server) => [server.name, server]));

describe('findImports', () => {
  it('finds what Claude Desktop has, and names the entry that cannot be one', async () => {
    const [source, ...others] = await find(fixtureHome('claude-desktop', macHome));
    expect(others).toEqual([]);
    expect(source).toMatchObject({ strategy: 'claude-desktop', label: 'Claude Desktop' });
    expect(source?.path).toBe('/Users/ada/Library/Application Support/Claude/claude_desktop_config.json');
    expect(source?.servers).toMatchObject([
      { name: 'filesystem', status: 'new', entry: { command: 'npx' } },
      {
        name: 'Brave-Search',
        originalName: 'Brave Search',
        entry: { env: { BRAVE_API_KEY: 'not-a-real-key' } },
      },
      { name: 'sqlite', entry: { command: 'uvx', disabled: true } },
    ]);
    expect(source?.problems).toEqual([
      {
        path: 'mcpServers.half-done.command',
        message: 'is missing (or "url" for a remote server)',
        line: 18,
        column: 18,
      },
    ]);
  });

  it('finds what Claude Code has: of the person, of each project, and in the files of the projects', async () => {
    const [own, shop, ...others] = await find(fixtureHome('claude-code', linuxHome));
    expect(others).toEqual([]);
    expect(own?.path).toBe('/home/ada/.claude.json');
    expect(own?.servers.map(({ name, originalName }) => [name, originalName])).toEqual([
      ['sentry', undefined],
      ['asana', undefined],
      ['playwright', undefined],
      ['postgres', undefined],
      ['local-tools', undefined],
      ['postgres-2', 'postgres'],
    ]);
    const servers = serversOf(own);
    expect(servers['sentry']?.entry).toEqual({ type: 'http', url: 'https://mcp.sentry.dev/mcp' });
    expect(servers['asana']?.entry).toMatchObject({ type: 'sse', headers: { Authorization: /./ } });
    expect(servers['postgres']?.entry.disabled).toBe(true);
    expect(servers['postgres-2']?.entry.disabled).toBeUndefined();
    expect(servers['local-tools']?.entry.cwd).toBe('/home/ada/projects/shop');
    expect(servers['postgres']?.entry.cwd).toBeUndefined();
    expect(shop?.path).toBe('/home/ada/projects/shop/.mcp.json');
    expect(shop?.servers).toMatchObject([
      {
        name: 'stock',
        entry: { command: './bin/stock-server', cwd: '/home/ada/projects/shop' },
        asks: [{ where: 'env', key: 'API_KEY', placeholder: '${STOCK_API_KEY}', variable: 'STOCK_API_KEY' }],
      },
      {
        name: 'prices',
        asks: [{ where: 'url', variable: 'PRICES_URL', suggestion: 'https://prices.example.com' }],
        problem: 'headersHelper is not run here: put the headers into headers',
      },
    ]);
    expect(shop?.problems.map(({ path, line }) => [path, line])).toEqual([['mcpServers.live.type', 13]]);
  });

  it('finds what VS Code has, in both of its files, and says what it asks for', async () => {
    const [own, settings] = await find(fixtureHome('vs-code', linuxHome));
    expect(own?.path).toBe('/home/ada/.config/Code/User/mcp.json');
    const servers = serversOf(own);
    // What is asked for has a field in the window, and needs no remark.
    expect(servers['github']).not.toHaveProperty('problem');
    expect(servers['github']?.asks).toEqual([
      {
        id: '${input:github_token}',
        label: 'GitHub personal access token',
        secret: true,
        where: 'env',
        key: 'GITHUB_PERSONAL_ACCESS_TOKEN',
        placeholder: '${input:github_token}',
        kind: 'value',
      },
    ]);
    expect(servers['docs']).toEqual({
      name: 'docs',
      status: 'new',
      entry: { type: 'http', url: 'https://docs.example.com/mcp', headers: { 'X-Version': '2' } },
    });
    expect(servers['project']?.problem).toMatch(/^envFile is not read here/);
    expect(servers['project']?.asks?.map(({ placeholder }) => placeholder)).toContain('${workspaceFolder}');
    expect(servers['project']?.entry).not.toHaveProperty('envFile');
    expect(servers['everything']).toMatchObject({
      entry: { env: { PORT: '3001' } },
      problem: 'env.HTTP_PROXY is null, which removes the variable there: it is kept here',
    });
    expect(settings?.path).toBe('/home/ada/.config/Code/User/settings.json');
    expect(Object.keys(serversOf(settings))).toEqual(['time']);
  });

  it('finds what Cursor has, remote servers too', async () => {
    const [source] = await find(fixtureHome('cursor', linuxHome));
    const servers = serversOf(source);
    expect(servers['linear']?.entry).toEqual({ url: 'https://mcp.linear.app/sse' });
    expect(servers['figma']?.entry).toEqual({ type: 'http', url: 'http://127.0.0.1:3845/mcp' });
    expect(servers['context7']?.problem).toMatch(/^envFile is not read here/);
    expect(servers['context7']?.asks).toMatchObject([
      { kind: 'environment', variable: 'CONTEXT7_API_KEY', label: 'CONTEXT7_API_KEY', secret: true },
    ]);
    expect(servers['files']?.asks).toMatchObject([{ where: 'args', key: '2', placeholder: '${userHome}' }]);
  });

  it('finds what Windsurf has, with its own word for the URL', async () => {
    const [source] = await find(fixtureHome('windsurf', linuxHome));
    const servers = serversOf(source);
    expect(servers['figma-remote']?.entry).toEqual({
      url: 'https://mcp.figma.example.com/mcp',
      headers: { API_KEY: 'not-a-real-key' },
    });
    expect(servers['git']).toMatchObject({
      problem: 'its choice of tools (disabledTools) is not imported',
      entry: { command: 'uvx' },
    });
    expect(servers['memory']?.entry.disabled).toBe(true);
    expect(servers['memory']?.problem).toBeUndefined();
  });

  it('says what is here already: the same, the same by another name, or something else of the name', async () => {
    const [source] = await find(fixtureHome('windsurf', linuxHome), [
      configOf(
        {
          command: 'uvx',
          args: ['mcp-server-git', '--repository', '/home/ada/code'],
          disabled: true,
          panel: { autoStart: false },
        },
        'git',
      ),
      configOf({ command: 'memory-server' }, 'memory'),
      configOf(
        {
          type: 'streamableHttp',
          url: 'https://mcp.figma.example.com/mcp',
          headers: { API_KEY: 'not-a-real-key' },
        },
        'design',
      ),
    ]);
    expect(source?.servers.map(({ name, status, existingName }) => [name, status, existingName])).toEqual([
      ['figma-remote', 'same', 'design'],
      ['git', 'same', undefined],
      ['memory', 'different', undefined],
    ]);
  });

  it('gives every different server a valid name of its own, over all files', async () => {
    const files: Record<string, string> = {
      '/home/ada/.cursor/mcp.json':
        '{"mcpServers":{"a":{"command":"x"},"ä":{"command":"y"},"b":{"command":"z"}}}',
      '/home/ada/.codeium/windsurf/mcp_config.json':
        '{"mcpServers":{"a":{"command":"other"},"b":{"command":"z"}}}',
    };
    const sources = await find({ env: linuxHome, readFile: async (path) => files[path] });
    expect(sources.map(({ servers }) => servers.map(({ name }) => name))).toEqual([
      ['a', 'a-2', 'b'],
      ['a-3', 'b'],
    ]);
    expect(sources[1]?.servers[0]).toMatchObject({ originalName: 'a', status: 'new' });
  });

  it('reads TOML and YAML, lists and maps, and connections below a key of their own', async () => {
    const files: Record<string, string> = {
      '/home/ada/.codex/config.toml':
        '[mcp_servers.docs]\nurl = "https://a.example/mcp"\nhttp_headers = { Authorization = "Bearer a" }\n[mcp_servers.x]\ncommand = 7\n',
      '/home/ada/.continue/config.yaml':
        'mcpServers:\n  - name: tickets\n    type: streamable-http\n    url: https://b.example/mcp\n    requestOptions:\n      headers: { Authorization: Bearer b }\n',
      '/home/ada/.config/goose/config.yaml':
        'extensions:\n  developer: { type: builtin }\n  time: { type: stdio, cmd: uvx, args: [mcp-server-time], envs: { A: b } }\n',
      '/home/ada/.cline/data/settings/cline_mcp_settings.json':
        '{"mcpServers":{"c":{"transport":{"type":"streamableHttp","url":"https://c.example/mcp","headers":{"A":"c"}}}}}',
      '/home/ada/.config/opencode/opencode.jsonc': '{"mcp":{"e":{"type":"local","command":["npx","e"],},}}',
    };
    const sources = await find({ env: linuxHome, readFile: async (path) => files[path] });
    expect(
      Object.fromEntries(sources.flatMap(({ servers }) => servers.map(({ name, entry }) => [name, entry]))),
    ).toEqual({
      docs: { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer a' } },
      tickets: { type: 'http', url: 'https://b.example/mcp', headers: { Authorization: 'Bearer b' } },
      time: { command: 'uvx', args: ['mcp-server-time'], env: { A: 'b' } },
      c: { type: 'http', url: 'https://c.example/mcp', headers: { A: 'c' } },
      e: { command: 'npx', args: ['e'] },
    });
    expect(sources.flatMap(({ problems }) => problems)).toMatchObject([
      { path: 'mcp_servers.x.command', line: 5 },
    ]);
  });

  it('names files that cannot be read or parsed, and goes on with the others', async () => {
    const sources = await find({
      env: linuxHome,
      readFile: async (path) => {
        if (path.includes('.cursor')) throw new Error('permission denied (EACCES)');
        if (path.includes('windsurf')) return '{ "mcpServers": {\n  "a": { "command": } } }';
        return path.endsWith('.claude.json') ? '{"mcpServers":[]}' : undefined;
      },
    });
    expect(sources.map(({ strategy, problems }) => [strategy, problems])).toEqual([
      [
        'claude-code',
        [
          {
            path: 'mcpServers',
            message: 'expected an object of servers, found an array',
            line: 1,
            column: 15,
          },
        ],
      ],
      ['cursor', [{ path: '', message: 'it cannot be read: permission denied (EACCES)' }]],
      [
        'windsurf',
        [{ path: '', message: 'mcpServers.a.command: expected a value, found "}"', line: 2, column: 21 }],
      ],
    ]);
  });

  it('finds nothing where nothing is', async () => {
    expect(await find({ env: linuxHome, readFile: async () => undefined })).toEqual([]);
  });
});

describe('the programs', () => {
  const pathsOn = (id: string, env: ImportEnvironment) =>
    foreignPrograms.find((program) => program.id === id)?.files(env)[0]?.path;
  const windows = { home: 'C:\\Users\\ada', platform: 'win32' } as const;

  it.each([
    ['claude-desktop', windows, 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-desktop', { ...windows, appData: 'D:\\R' }, 'D:\\R\\Claude\\claude_desktop_config.json'],
    ['claude-desktop', { ...linuxHome, xdgConfigHome: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['claude-code', windows, 'C:\\Users\\ada\\.claude.json'],
    ['vs-code', macHome, '/Users/ada/Library/Application Support/Code/User/mcp.json'],
    ['cursor', macHome, '/Users/ada/.cursor/mcp.json'],
    ['windsurf', windows, 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json'],
  ] as const)('knows where %s keeps its servers on %o', (id, env, path) => {
    expect(pathsOn(id, env)).toBe(path);
  });

  it('survives any file of any client, and gives valid names and entries only', () => {
    const texts = [
      '',
      '[]',
      'null',
      '7',
      '{}',
      '{"mcpServers":null,"servers":null}',
      '{"projects":{"/p":7}}',
      '\0',
      '{"mcpServers":{"":{"command":"x"},"__proto__":{"command":"y"},"..":{"url":"http://h"}}}',
      '['.repeat(100_000),
    ];
    for (const program of foreignPrograms) {
      for (const text of texts) {
        const opened = openText(program.format, text);
        const file = { path: '/p/.mcp.json', scope: 'user' };
        for (const { name, entry } of readEntries(program, { file, opened }).entries) {
          expect(serverNameSchema.safeParse(name).success).toBe(true);
          expect(serverEntrySchema.safeParse(entry).success).toBe(true);
        }
        if ('value' in opened) expect(program.follow?.(opened.value, file.path) ?? []).toBeInstanceOf(Array);
      }
    }
  });
});
