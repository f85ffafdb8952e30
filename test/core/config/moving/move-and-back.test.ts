import fc from 'fast-check';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignPrograms } from '../../../../electron/core/config/programs/programs.ts';
import type { ImportEnvironment } from '../../../../electron/core/config/programs/environment.ts';
import type { StartedServer } from '../../../../electron/core/config/moving/copies/running-copies.ts';
import { moved, testMover, TOKEN } from './test-mover.ts';

const github = [{ name: 'github', scope: 'user' }];

type Shape = (name: string, eol: string, note: string) => string;

const json =
  (...keys: string[]): Shape =>
  (name, eol, note) => {
    const open = keys.map((key, index) => `${'\t'.repeat(index + 1)}${JSON.stringify(key)}: {`).join(eol);
    const close = keys.map((_, index) => `${'\t'.repeat(keys.length - index)}}`).join(eol);
    return `{${eol}\t"unknown": [1, 2],${eol}${open}${eol}\t\t"other": {"command":"b","x":1},${eol}\t\t"${name}": {${eol}\t\t\t"command": "npx", // ${note}${eol}\t\t\t"args": ["-y", "server"],${eol}\t\t\t"env": { "A": "1" }${eol}\t\t}${eol}${close}${eol}}`;
  };

const shapes: Readonly<Record<string, Shape>> = {
  'vs-code': json('servers'),
  opencode: (name, eol, note) =>
    `{${eol}  "mcp": {${eol}    // ${note}${eol}    "${name}": { "type": "local", "command": ["npx", "-y", "server"], "environment": {"A": "1"}, },${eol}  },${eol}}`,
  zed: json('context_servers'),
  codex: (name, eol, note) =>
    `# ${note}${eol}model = "gpt-5"${eol}${eol}[mcp_servers.${name}]${eol}command = "npx" # ${note}${eol}args = ["-y", "server"]${eol}enabled_tools = ["echo"]${eol}${eol}[mcp_servers.${name}.env]${eol}A = "1"${eol}${eol}[projects."/p"]${eol}trust_level = "trusted"`,
  continue: (name, eol, note) =>
    `# ${note}${eol}name: mine${eol}mcpServers:${eol}  - name: other${eol}    command: b${eol}  - name: ${name}${eol}    command: npx # ${note}${eol}    args: [-y, server]${eol}    env:${eol}      A: "1"${eol}models: []`,
  goose: (name, eol, note) =>
    `extensions:${eol}  developer:${eol}    type: builtin${eol}  ${name}: # ${note}${eol}    type: stdio${eol}    cmd: npx${eol}    args: [-y, server]${eol}    envs:${eol}      A: "1"${eol}    timeout: 300${eol}GOOSE_MODEL: x`,
};

/** What each program reads of an entry of ours. */
const addressKeys: Readonly<Record<string, string>> = {
  windsurf: 'serverUrl',
  'gemini-cli': 'httpUrl',
  'qwen-code': 'httpUrl',
  mcporter: 'baseUrl',
  goose: 'uri',
};

const systems: readonly ImportEnvironment['platform'][] = ['linux', 'darwin', 'win32'];

describe.each(systems)('on %s', (platform) => {
  it.each(foreignPrograms.map((program) => [program.id, program] as const))(
    'a server of %s is moved and put back byte by byte',
    { timeout: 60_000 },
    async (id, program) => {
      const bridge = async () => ({ command: 'node', args: ['bridge.cjs', 'connect'], env: {} });
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            eol: fc.constantFrom('\n', '\r\n'),
            bom: fc.boolean(),
            last: fc.boolean(),
            note: fc.stringMatching(/^[ -~é]{0,12}$/),
          }),
          async ({ eol, bom, last, note }) => {
            // Paths of Windows lead nowhere on another system, so there its file lies where Linux has it.
            const environment = { platform: platform === 'win32' ? 'linux' : platform } as const;
            const { env, mover, put, servers } = testMover({ bridge, environment });
            const windows = program.files({ home: 'C:\\Users\\ada', platform: 'win32' })[0]?.path;
            expect(windows).toMatch(/^C:\\Users\\ada\\[^/]+$/);
            const here = program.files(env)[0]?.path ?? '';
            const shape = shapes[id] ?? json('mcpServers');
            const text = (bom ? '\uFEFF' : '') + shape('github', eol, note) + (last ? eol : '');
            put(here, text);
            const [client] = await mover.find();
            expect(client).toMatchObject({ id, path: here, readable: true });
            const server = client?.servers.find(({ name }) => name === 'github');
            expect(server).toMatchObject({ moved: false, path: here });
            await moved(mover, id, [{ name: 'github', scope: server?.scope ?? '' }]);
            const written = readFileSync(here, 'utf8');
            expect(written.startsWith('\uFEFF')).toBe(bom);
            expect(written).toContain(TOKEN);
            if (program.entry === undefined) expect(written).toContain('"connect"');
            else {
              expect(written).toContain(`/servers/github/mcp`);
              expect(written).toContain(addressKeys[id] ?? 'url');
            }
            expect(servers.get('github')).toMatchObject({ command: 'npx', args: ['-y', 'server'] });
            expect((await mover.find())[0]?.servers).toContainEqual({ ...server, moved: true });
            const back = await mover.restore({});
            expect(back).toMatchObject({ restored: [{ client: id, server: 'github' }], asked: [] });
            expect(readFileSync(here, 'utf8')).toBe(text);
            expect((await mover.find())[0]?.servers).toContainEqual(server);
          },
        ),
        { numRuns: 3 },
      );
    },
  );
});

describe('paths', () => {
  it('follow the variables that programs follow', () => {
    const env = {
      home: '/home/ada',
      platform: 'linux',
      claudeConfigDir: '/c',
      codexHome: '/x',
      copilotHome: '/p',
      xdgConfigHome: '/g',
      foldersIn: (path: string) => (path === '/g/Code/User/profiles' ? ['abc'] : []),
    } as const;
    const paths = foreignPrograms.flatMap((program) => program.files(env).map(({ path }) => path));
    expect(paths).toEqual(
      expect.arrayContaining([
        '/c/.claude.json',
        '/x/config.toml',
        '/p/mcp-config.json',
        '/g/opencode/opencode.jsonc',
        '/g/goose/config.yaml',
        '/g/zed/settings.json',
        '/g/Code/User/profiles/abc/mcp.json',
        '/home/ada/.vscode-server/data/User/mcp.json',
      ]),
    );
    const windows = {
      home: 'C:\\Users\\ada',
      platform: 'win32',
      foldersIn: (path: string) => (path.endsWith('Packages') ? ['Claude_pzs8s', 'Other'] : []),
    } as const;
    expect(foreignPrograms.flatMap((program) => program.files(windows).map(({ path }) => path))).toEqual(
      expect.arrayContaining([
        'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
        'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
        'C:\\Users\\ada\\AppData\\Local\\Packages\\Claude_pzs8s\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
      ]),
    );
  });
});

describe('Claude Code', () => {
  const folder = '/home/ada/shop';
  const claude: { projects: Record<string, { mcpServers: object }>; mcpServers: object } = {
    projects: { [folder]: { mcpServers: {} } },
    mcpServers: { github: { type: 'stdio', command: 'npx', args: ['a'], env: {} } },
  };

  it('keeps the file of a project and writes an entry of the person that wins over it', async () => {
    const { home, mover, put, issued, moved: movedFile } = testMover();
    const project = join(home, 'shop');
    const text = JSON.stringify(
      { ...claude, projects: { [project]: { mcpServers: {} }, '/no': 7 } },
      null,
      2,
    );
    const file = put('.claude.json', text);
    const shared = '{ "mcpServers": { "stock": { "command": "./bin/stock" }, "b": { "command": "c" } } }';
    const projectFile = put(join(project, '.mcp.json'), shared);
    const scope = `project:${project}`;
    await moved(mover, 'claude-code', [{ name: 'stock', scope }]);
    await moved(mover, 'claude-code', [{ name: 'b', scope }]);
    expect(readFileSync(projectFile, 'utf8')).toBe(shared);
    expect(issued).toEqual(['Claude Code']);
    const written = JSON.parse(readFileSync(file, 'utf8')) as typeof claude;
    expect(Object.keys(written.projects[project]?.mcpServers ?? {})).toEqual(['stock', 'b']);
    const [client] = await mover.find();
    expect(client?.servers.map(({ name, moved: isMoved }) => [name, isMoved])).toEqual([
      ['github', false],
      ['stock', true],
      ['b', true],
    ]);
    expect(await movedFile.read()).toHaveLength(2);
    // The first of two is put back alone, beside the second.
    expect((await mover.restore({ servers: [{ name: 'stock' }] })).asked).toEqual([]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      projects: { [project]: { mcpServers: { b: {} } } },
    });
    expect((await mover.restore({ client: 'claude-code' })).restored).toHaveLength(1);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
  });

  it('tells which scope wins, and names that it would drop', async () => {
    const { env, mover, put } = testMover();
    const local = { github: { command: 'other' }, workspace: { command: 'w' }, 'git.hub': { command: 'd' } };
    put('.claude.json', JSON.stringify({ ...claude, projects: { [folder]: { mcpServers: local } } }));
    const [client] = await mover.find();
    expect(client?.servers[0]).toMatchObject({
      scope: 'user',
      shadowed: true,
      shadowedBy: `local:${folder}`,
    });
    const scope = `local:${folder}`;
    for (const [name, reason] of [
      ['workspace', /its name is reserved there, and Claude Code leaves such servers out/],
      ['git.hub', /its name has a dot, and Claude Code calls such servers differently/],
    ] as const)
      await expect(mover.move('claude-code', [{ name, scope }])).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(reason) as string,
      });
    // An entry of the person's own is used in place of the project's.
    const { home } = env;
    const shop = join(home, 'shop');
    put(join(shop, '.mcp.json'), '{"mcpServers":{"github":{"command":"shared"}}}');
    const own = { mcpServers: { github: { command: 'mine' } } };
    put('.claude.json', JSON.stringify({ projects: { [shop]: own } }));
    await expect(
      mover.move('claude-code', [{ name: 'github', scope: `project:${shop}` }]),
    ).rejects.toMatchObject({ message: expect.stringContaining('move that one') as string });
    put('.claude.json', JSON.stringify({ ...claude, projects: { [folder]: { mcpServers: local } } }));
    // Two different servers of one name.
    const both = [
      { name: 'github', scope: 'user' },
      { name: 'github', scope },
    ];
    await expect(mover.move('claude-code', both)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' });
    const { left } = await mover.move('claude-code', both, undefined, true);
    expect(left).toMatchObject([
      { scope, error: { code: 'CONFIG_CONFLICT' }, twin: { freeName: 'github-2' } },
    ]);
  });
});

describe('a move', () => {
  const cursor = (entries: object) => JSON.stringify({ mcpServers: entries }, null, 2);

  it('shows what it changes and changes nothing, and refuses what changed since', async () => {
    const { mover, put, servers, issued } = testMover();
    const text = cursor({ github: { command: 'npx', autoApprove: ['echo'] } });
    const file = put('.cursor/mcp.json', text);
    const { difference, precondition } = await mover.move('cursor', github);
    expect(difference).toMatchObject([{ server: 'github', path: file, notes: [] }]);
    expect(difference[0]?.before).toContain('npx');
    expect(difference[0]?.after).toContain('autoApprove');
    expect(difference[0]?.after).not.toContain(TOKEN);
    expect(readFileSync(file, 'utf8')).toBe(text);
    put('.cursor/mcp.json', `${text}\n`);
    await expect(mover.move('cursor', github, precondition)).rejects.toMatchObject({
      code: 'CONFIG_CONFLICT',
    });
    expect([servers.size, issued.length, readFileSync(file, 'utf8')]).toEqual([0, 0, `${text}\n`]);
  });

  it('leaves the copies that run now, which are asked for once, by the command lines before and after the move', async () => {
    const asked: (readonly StartedServer[])[] = [];
    const copy = { server: 'github', pids: [7], memoryBytes: 1 };
    const { mover, put } = testMover({
      copiesOf: async (servers) => {
        asked.push(servers);
        return new Map([['cursor', [copy]]]);
      },
    });
    put(
      '.cursor/mcp.json',
      cursor({ github: { command: 'npx', args: ['a', 1] }, web: { url: 'https://a.example' } }),
    );
    put('.config/opencode/opencode.json', '{"mcp":{"files":{"type":"local","command":["uvx","b"]}}}');
    const copies = async () => (await mover.find()).map((program) => [program.id, program.copies]);
    expect(await copies()).toEqual([
      ['cursor', [copy]],
      ['opencode', []],
    ]);
    await moved(mover, 'cursor', github);
    await copies();
    const both = [
      { program: 'cursor', name: 'github', words: ['npx', 'a', '1'] },
      { program: 'opencode', name: 'files', words: ['uvx', 'b'] },
    ];
    expect(asked).toEqual([both, both]);
  });

  it('takes the token of an entry of ours in the file', async () => {
    const { mover, put, issued } = testMover();
    put('.cursor/mcp.json', cursor({ github: { command: 'a' }, gitlab: { command: 'b' } }));
    await moved(mover, 'cursor', github);
    await moved(mover, 'cursor', [{ name: 'gitlab', scope: 'user' }]);
    expect(issued).toEqual(['Cursor']);
    await expect(mover.move('cursor', github)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('asks where servers.json has another server of the name, and uses an equal one', async () => {
    const { mover, put, servers } = testMover();
    put('.cursor/mcp.json', cursor({ github: { command: 'a' } }));
    put('.kiro/settings/mcp.json', cursor({ github: { command: 'b' } }));
    put('.lmstudio/mcp.json', cursor({ github: { command: 'a', autoApprove: [] }, mine: { command: 'a' } }));
    await moved(mover, 'cursor', github);
    await expect(mover.move('kiro', github)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' });
    await expect(mover.move('kiro', [{ ...github[0]!, as: 'github' }])).rejects.toMatchObject({
      code: 'CONFIG_CONFLICT',
    });
    await moved(mover, 'lm-studio', [...github, { name: 'mine', scope: 'user' }]);
    expect([...servers.keys()]).toEqual(['github']);
    const [, , client] = await mover.find();
    expect(client?.servers.map(({ moved: isMoved }) => isMoved)).toEqual([true, true]);
  });

  it('takes another server of a name under another one, or leads to that of the panel', async () => {
    const { mover, put, servers } = testMover();
    put('.cursor/mcp.json', cursor({ github: { command: 'a' } }));
    const text = cursor({ github: { command: 'b' }, files: { command: 'c' } });
    const kiro = put('.kiro/settings/mcp.json', text);
    const other = put('.lmstudio/mcp.json', cursor({ github: { command: 'd' } }));
    await moved(mover, 'cursor', github);
    const all = [...github, { name: 'files', scope: 'user' }];
    const { difference, left } = await mover.move('kiro', all, undefined, true);
    expect(difference).toMatchObject([{ server: 'files' }]);
    expect(left).toMatchObject([{ name: 'github', twin: { freeName: 'github-2' } }]);
    expect(JSON.parse(left?.[0]?.twin?.here ?? '')).toMatchObject({ command: 'a' });
    expect(JSON.parse(left?.[0]?.twin?.there ?? '')).toMatchObject({ command: 'b' });
    await moved(mover, 'kiro', [{ ...github[0]!, as: 'github-2' }]);
    expect(JSON.parse(readFileSync(kiro, 'utf8'))).toMatchObject({
      mcpServers: { github: { url: 'http://127.0.0.1:7420/servers/github-2/mcp' } },
    });
    await moved(mover, 'lm-studio', [{ ...github[0]!, use: 'panel' }]);
    expect(readFileSync(other, 'utf8')).toContain('/servers/github/mcp');
    expect([...servers].map(([name, server]) => [name, 'command' in server && server.command])).toEqual([
      ['github', 'a'],
      ['github-2', 'b'],
    ]);
    await mover.restore({ client: 'kiro' });
    expect(readFileSync(kiro, 'utf8')).toBe(text);
    servers.delete('github');
    await mover.restore({ client: 'lm-studio' });
    await expect(mover.move('lm-studio', [{ ...github[0]!, use: 'panel' }])).rejects.toMatchObject({
      message: expect.stringContaining('no longer has a server github') as string,
    });
  });

  it('needs the values that an entry leaves open', async () => {
    const { mover, put, servers } = testMover();
    put('.cursor/mcp.json', cursor({ github: { command: 'a', env: { TOKEN: '<YOUR_TOKEN>' } } }));
    await expect(mover.move('cursor', github)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    const id = 'env:TOKEN:<YOUR_TOKEN>';
    const ask = { id, where: 'env', key: 'TOKEN', secret: true };
    expect((await mover.move('cursor', github, undefined, true)).left).toMatchObject([
      { name: 'github', error: { code: 'CONFIG_INVALID' }, asks: [ask] },
    ]);
    const blank = [{ ...github[0]!, answers: { [id]: ' ' } }];
    await expect(mover.move('cursor', blank)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await moved(mover, 'cursor', [{ ...github[0]!, answers: { [id]: 'secret' } }]);
    expect(servers.get('github')).toMatchObject({ env: { TOKEN: 'secret' } });
  });

  it('asks for the inputs of VS Code, also where another server has the name', async () => {
    const { mover, put, servers } = testMover();
    put('.cursor/mcp.json', cursor({ github: { command: 'a' } }));
    await moved(mover, 'cursor', github);
    const inputs = [{ id: 'token', type: 'promptString', description: 'Token of GitHub', password: true }];
    const entry = { command: 'a', env: { TOKEN: '${input:token}' } };
    const file = put('.config/Code/User/mcp.json', JSON.stringify({ inputs, servers: { github: entry } }));
    const { left } = await mover.move('vs-code', github, undefined, true);
    expect(left).toMatchObject([
      {
        asks: [{ id: '${input:token}', label: 'Token of GitHub', secret: true }],
        twin: { freeName: 'github-2' },
      },
    ]);
    await moved(mover, 'vs-code', [
      { ...github[0]!, as: 'github-2', answers: { '${input:token}': 'secret' } },
    ]);
    expect(servers.get('github-2')).toMatchObject({ env: { TOKEN: 'secret' } });
    expect(readFileSync(file, 'utf8')).toContain('/servers/github-2/mcp');
  });

  it('refuses Claude Desktop where nothing leads from it to the panel', async () => {
    const { mover, put } = testMover();
    put('.config/Claude/claude_desktop_config.json', cursor({ github: { command: 'a' } }));
    await expect(mover.move('claude-desktop', github)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('can only start programs') as string,
    });
  });

  it('counts what stands there again already as put back', async () => {
    const { mover, moved: movedFile, put } = testMover();
    const text = cursor({ github: { command: 'a' } });
    put('.cursor/mcp.json', text);
    await moved(mover, 'cursor', github);
    put('.cursor/mcp.json', text);
    expect(await mover.restore({})).toMatchObject({ restored: [{ server: 'github' }], asked: [] });
    expect(await movedFile.read()).toEqual([]);
  });

  it('of two names that Codex takes for one is refused', async () => {
    const { mover, put } = testMover();
    put(
      '.codex/config.toml',
      '[mcp_servers."git.hub"]\ncommand = "a"\n[mcp_servers.git-hub]\ncommand = "b"\n',
    );
    await expect(mover.move('codex', [{ name: 'git.hub', scope: 'user' }])).rejects.toMatchObject({
      message: expect.stringContaining('git-hub') as string,
    });
  });

  it('is lost where another program writes over it, is offered again, and is not put back over that', async () => {
    const { mover, put, servers } = testMover();
    const text = cursor({ github: { command: 'a' }, gitlab: { command: 'b' } });
    const file = put('.cursor/mcp.json', text);
    await moved(mover, 'cursor', [...github, { name: 'gitlab', scope: 'user' }]);
    const other = cursor({ github: { command: 'a', args: ['new'] } });
    put('.cursor/mcp.json', other);
    const [client] = await mover.find();
    expect(client?.servers).toMatchObject([
      { name: 'github', moved: false, lost: true },
      { name: 'gitlab', moved: false, lost: true },
    ]);
    const back = await mover.restore({ client: 'cursor', servers: github });
    expect(back).toMatchObject({ restored: [], asked: [{ client: 'cursor', server: 'github' }] });
    servers.delete('github');
    await moved(mover, 'cursor', github);
    expect((await mover.restore({ servers: github })).asked).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(other);
    rmSync(file);
    expect((await mover.restore({})).asked).toMatchObject([
      { server: 'gitlab', reason: 'the file no longer exists' },
    ]);
  });
});

describe('an entry that was changed since the move', () => {
  const json = (entry: string) =>
    `{\n  // mine\n  "mcpServers": {\n    "other": { "command": "b" },\n    "github": ${entry}\n  }\n}\n`;
  const toml = (entry: string) =>
    `# mine\n[mcp_servers.other]\ncommand = "b"\n\n[mcp_servers.github]\n${entry}\n\n[tui]\nx = 1\n`;
  const yaml = (entry: string) => `mcpServers:\n  - name: github\n    ${entry} # mine\nmodels: []\n`;

  it.each([
    ['cursor', '.cursor/mcp.json', json('{ "command": "a",  "x": 1 }'), json('{"command":"new"}')],
    ['codex', '.codex/config.toml', toml('command = "a"'), toml('command = "new"\nargs = []')],
    ['continue', '.continue/config.yaml', yaml('command: a'), yaml('command: new')],
  ])('in %s is put back over what stands there once that was shown', async (client, path, text, other) => {
    const { mover, moved: movedFile, put } = testMover();
    const file = put(path, text);
    await moved(mover, client, github);
    put(path, other);
    const [asked] = (await mover.restore({ client })).asked;
    expect(asked?.change?.now).toContain('new');
    expect(text).toContain(asked?.change?.then);
    expect(readFileSync(file, 'utf8')).toBe(other);
    const force = asked?.change?.precondition;
    put(path, other.replace('new', 'newer'));
    const again = mover.restore({ client, servers: [{ ...github[0]!, force }] });
    await expect(again).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' });
    expect(readFileSync(file, 'utf8')).toContain('newer');
    put(path, other);
    const back = await mover.restore({ client, servers: [{ ...github[0]!, force }] });
    expect(back).toMatchObject({ restored: [{ server: 'github' }], asked: [] });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await movedFile.read()).toEqual([]);
  });

  it('is left without a choice where what was kept does not fit there any more', async () => {
    const { mover, put } = testMover();
    put('.codex/config.toml', toml('command = "a"'));
    await moved(mover, 'codex', github);
    const other = 'mcp_servers = { github = { command = "new" } }\n';
    const file = put('.codex/config.toml', other);
    const { asked } = await mover.restore({});
    expect(asked).toMatchObject([{ server: 'github', reason: 'it was changed since it was moved' }]);
    expect(asked[0]).not.toHaveProperty('change');
    expect(readFileSync(file, 'utf8')).toBe(other);
  });

  it.each([
    ['cursor', '.cursor/mcp.json', json('{ "command": "a",  "x": 1 }'), '{ "mcpServers": {} }'],
    ['codex', '.codex/config.toml', toml('command = "a"'), '# mine\r\nmodel = "x"\r\n'],
  ])(
    'in %s is moved again where it was removed, and put back to what stood there first',
    async (...given) => {
      const [client, path, text, without] = given;
      const { mover, put, servers, issued } = testMover();
      const file = put(path, text);
      await moved(mover, client, [{ ...github[0]!, as: 'github-2' }]);
      put(path, without);
      expect((await mover.find())[0]?.servers).toMatchObject([{ name: 'github', lost: true, moved: false }]);
      const { difference } = await moved(mover, client, github);
      expect(difference).toMatchObject([{ server: 'github', path: file }]);
      expect(difference[0]?.before).not.toContain('"a"');
      expect(readFileSync(file, 'utf8')).toContain('/servers/github-2/mcp');
      expect([...servers.keys(), issued.length]).toEqual(['github-2', 2]);
      expect((await mover.find())[0]?.servers).toMatchObject([{ name: 'github', moved: true }]);
      expect((await mover.restore({})).asked).toEqual([]);
      expect(readFileSync(file, 'utf8')).toContain(text.match(/"a".*/)?.[0]);
      expect(readFileSync(file, 'utf8')).not.toContain('/servers/');
      put(path, without);
      servers.delete('github-2');
      await expect(mover.move(client, github)).rejects.toMatchObject({ code: 'SERVER_UNKNOWN' });
    },
  );

  it('cannot be moved again where the panel has lost its server, or its form takes no new one', async () => {
    const { mover, put, servers } = testMover();
    put('.continue/config.yaml', yaml('command: a'));
    await moved(mover, 'continue', github);
    put('.continue/config.yaml', 'mcpServers: []\n');
    await expect(mover.move('continue', github)).rejects.toMatchObject({
      message: 'github cannot be added there again.',
    });
    servers.clear();
    await expect(mover.move('continue', github)).rejects.toMatchObject({
      message: expect.stringContaining('the panel no longer has a server github') as string,
    });
  });

  it('is added again where it was removed', async () => {
    const { mover, put } = testMover();
    const file = put('.cursor/mcp.json', json('{ "command": "a",  "x": 1 }'));
    await moved(mover, 'cursor', github);
    put('.cursor/mcp.json', '{ "mcpServers": { "other": { "command": "b" } } }');
    const [asked] = (await mover.restore({})).asked;
    expect(asked?.change).toMatchObject({ now: '', then: '{ "command": "a",  "x": 1 }' });
    await mover.restore({ servers: [{ name: 'github', force: asked?.change?.precondition }] });
    expect(readFileSync(file, 'utf8')).toBe(
      '{ "mcpServers": { "other": { "command": "b" }, "github": { "command": "a",  "x": 1 } } }',
    );
  });
});
