import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copiesIn,
  type RunningProcess,
  type StartedServer,
} from '../../../../../electron/core/config/moving/copies/running-copies.ts';
import { foreignPrograms } from '../../../../../electron/core/config/programs/programs.ts';
import { MIB, row } from './process-rows.ts';

const server = (program: string, name: string, ...words: string[]): StartedServer => ({
  program,
  name,
  words,
});

const copies = (
  processes: readonly RunningProcess[],
  servers: readonly StartedServer[],
  ownPids: readonly number[] = [],
) => Object.fromEntries(copiesIn(processes, { programs: foreignPrograms, servers, ownPids }));

const withoutCommandLine = ({ commandLine, ...rest }: RunningProcess): RunningProcess => {
  expect(commandLine).toBeDefined();
  return rest;
};

const claude = row(10, 1, 'claude');
const FILES = '@modelcontextprotocol/server-filesystem';
const CACHED = '/home/ann/.npm/_npx/a3241bba59c344f5/node_modules';

describe('a copy of a server of a program', () => {
  it('is the tree of npx, its shell and its node', () => {
    const found = copies(
      [
        claude,
        row(11, 10, `npm exec ${FILES} /home/ann/notes`, { command: 'npm exec @model', mib: 60 }),
        row(12, 11, "sh -c 'mcp-server-filesystem' '/home/ann/notes'", { mib: 1 }),
        row(13, 12, `node ${CACHED}/.bin/mcp-server-filesystem /home/ann/notes`, { mib: 50 }),
      ],
      [server('claude-code', 'files', 'npx', '-y', FILES, '/home/ann/notes')],
    );
    expect(found).toEqual({
      'claude-code': [{ server: 'files', pids: [11, 12, 13], memoryBytes: 111 * MIB }],
    });
  });

  it.each([
    ['npx', `npx -y ${FILES} /a`, `node ${CACHED}/.bin/mcp-server-filesystem /a`, 'node'],
    ['npx by a path', `/usr/local/bin/npx -y ${FILES} /a`, `node /usr/local/bin/npx -y ${FILES} /a`, 'node'],
    ['npx with a version', `npx -y ${FILES}@1.2.3 /a`, `npm exec ${FILES}@1.2.3 /a`, 'npm exec @model'],
    ['npx, whose package is named apart', `npx -p ${FILES} files /a`, 'npm exec files /a', 'npm exec files'],
    [
      'npx of another place',
      `npx -y ${FILES} /a`,
      `node /opt/x/node_modules/${FILES}/dist/index.js /a`,
      'node',
    ],
    [
      'npx on Windows',
      `npx -y ${FILES} C:\\a`,
      `"C:\\Program Files\\nodejs\\node.exe" "C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npx-cli.js" -y ${FILES} C:\\a`,
      'node.exe',
    ],
    ['cmd /c', `cmd /c npx -y ${FILES}`, `C:\\WINDOWS\\system32\\cmd.exe /c npx -y ${FILES}`, 'cmd.exe'],
    ['what cmd /c started', `cmd /c npx -y ${FILES}`, `npm exec ${FILES}`, 'npm exec @model'],
    [
      'uvx',
      'uvx mcp-server-git --repository /x',
      '/home/ann/.local/bin/uv tool uvx mcp-server-git --repository /x',
      'uv',
    ],
    [
      'what uvx started',
      'uvx mcp-server-git@latest --repository /x',
      '/home/ann/.cache/uv/archive-v0/k/bin/python /home/ann/.cache/uv/archive-v0/k/bin/mcp-server-git --repository /x',
      'mcp-server-git',
    ],
    [
      'what uvx started from another package',
      'uvx --from git+https://github.com/oraios/serena serena start',
      '/home/ann/.cache/uv/archive-v0/k/bin/python /home/ann/.cache/uv/archive-v0/k/bin/serena start',
      'python3.12',
    ],
    [
      'docker run',
      'docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server',
      'docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server',
      'docker',
    ],
    ['docker run with a value', 'docker run -e T=${env:T} mcp/x', 'docker run -e T=a mcp/x', 'docker'],
    ['node by its name', 'node /srv/a.js --x', '/opt/node/bin/node /srv/a.js --x', 'MainThread|node'],
    ['node by a path', '/opt/node/bin/node /srv/a.js', '/opt/node/bin/node /srv/a.js', 'node'],
    [
      'a python script',
      '/srv/venv/bin/notes-mcp',
      '/srv/venv/bin/python /srv/venv/bin/notes-mcp',
      'notes-mcp',
    ],
    ['a Mac’s python', 'python3 -m notes_mcp', 'python3 -m notes_mcp', 'Python'],
    ['env', 'env A=b node /srv/a.js', 'node /srv/a.js', 'node'],
    [
      'a program of Windows',
      'github-mcp-server stdio',
      'C:\\bin\\github-mcp-server.exe  stdio',
      'github-mcp-server.exe',
    ],
  ])('is known as %s', (_, entry, line, commands) => {
    const servers = [server('claude-code', 'it', ...entry.split(' '))];
    const command = commands.split('|').at(-1)!;
    expect(copies([claude, row(11, 10, line, { command })], servers)['claude-code']).toMatchObject([
      { server: 'it', pids: [11] },
    ]);
  });

  it('is known where a shell runs the command line, and where it became the server', () => {
    const servers = [server('claude-code', 'it', 'sh', '-c', 'node "/srv/a.js" --x')];
    const lines = ['sh -c node "/srv/a.js" --x', 'node /srv/a.js --x'];
    expect(lines.map((line) => copies([claude, row(11, 10, line)], servers)['claude-code']?.length)).toEqual([
      1, 1,
    ]);
  });

  it.each([
    ['other arguments', `npm exec ${FILES} /b`, 'npm exec @model'],
    ['further arguments', `npm exec ${FILES} /a /b`, 'npm exec @model'],
    ['another package of a longer name', `npm exec ${FILES}-extra /a`, 'npm exec @model'],
    ['a reader of its name', `grep npx -y ${FILES} /a`, 'grep'],
    ['an editor of its file', `vim ${CACHED}/.bin/mcp-server-filesystem /a`, 'vim'],
    ['the cache of another package', `node /h/.npm/_npx/0123456789abcdef/node_modules/.bin/x /a`, 'node'],
  ])('is no process with %s', (_, line, command) => {
    expect(
      copies(
        [claude, row(11, 10, line, { command })],
        [server('claude-code', 'it', 'npx', '-y', FILES, '/a')],
      ),
    ).toEqual({});
  });

  it('takes no text of an entry for a pattern, and no entry for any process', () => {
    const odd = [
      ['.*'],
      [''],
      ['npx', '-y', '(a+)+$'],
      ['node', '.*'],
      ['/'],
      ['sh', '-c', ''],
      ['env', '-i'],
      ['npx', '@'],
    ];
    const servers = odd.map((words, index) => server('claude-code', `s${index}`, ...words));
    const lines = [
      'node /srv/a.js',
      'sh -c ls',
      'npm exec aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
      '/usr/bin/x',
    ];
    expect(copies([claude, ...lines.map((line, index) => row(20 + index, 10, line))], servers)).toEqual({});
  });

  it('needs its command line where only names are told, unless the name tells enough', () => {
    const named = withoutCommandLine(row(11, 10, 'x', { command: 'github-mcp-server.exe' }));
    const node = withoutCommandLine(row(12, 10, 'x', { command: 'node.exe' }));
    const servers = [
      server('claude-code', 'github', 'github-mcp-server', 'stdio'),
      server('claude-code', 'a', 'node', '/srv/a.js'),
    ];
    expect(copies([claude, named, node], servers)['claude-code']).toMatchObject([
      { server: 'github', pids: [11] },
    ]);
  });
});

describe('whose copy it is', () => {
  const words = ['npx', '-y', '@upstash/context7-mcp'];
  const npm = (pid: number, ppid: number) =>
    row(pid, ppid, 'npm exec @upstash/context7-mcp', { command: 'npm exec @upsta' });
  const both = [server('claude-code', 'context7', ...words), server('cursor', 'docs', ...words)];

  it('is told by the nearest program above, for two equal copies under two programs', () => {
    const found = copies(
      [
        row(5, 1, '/usr/share/cursor/cursor --no-sandbox'),
        row(6, 5, '/usr/share/cursor/cursor --type=utility --utility-sub-type=node.mojom.NodeService'),
        npm(7, 6),
        row(8, 5, '/bin/zsh -l'),
        row(9, 8, 'claude'),
        npm(11, 9),
      ],
      both,
    );
    expect(found).toMatchObject({
      cursor: [{ server: 'docs', pids: [7] }],
      'claude-code': [{ server: 'context7', pids: [11] }],
    });
  });

  it.each([
    ['gemini-cli', 'node --no-warnings=DEP0040 /usr/local/bin/gemini -p go'],
    ['qwen-code', 'node /usr/lib/node_modules/@qwen-code/qwen-code/cli.js'],
    ['codex', '/usr/lib/node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex exec go'],
    ['claude-code', 'C:\\Users\\ann\\.local\\bin\\claude.exe -p go'],
    ['claude-desktop', 'C:\\Users\\ann\\AppData\\Local\\AnthropicClaude\\app-1.0\\claude.exe --type=utility'],
    ['claude-desktop', '/Applications/Claude.app/Contents/MacOS/Claude'],
    [
      'vs-code',
      '/Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper (Plugin) --type=utility',
    ],
    ['vs-code', 'node /home/ann/.vscode-server/bin/k/out/bootstrap-fork --type=extensionHost'],
  ])('%s is told by %s, and needs no such entry itself', (program, line) => {
    const found = copies([row(5, 1, line), npm(6, 5)], [server('goose', 'docs', ...words)]);
    expect(found).toEqual({ [program]: [{ pids: [6], memoryBytes: 10 * MIB }] });
  });

  it('is an extension’s that runs in the editor and alone has the entry', () => {
    const found = copies([row(5, 1, '/usr/share/code/code'), npm(6, 5)], [server('cline', 'docs', ...words)]);
    expect(found).toMatchObject({ cline: [{ server: 'docs' }] });
  });

  it('is the only program’s that has the entry, where none is above', () => {
    const processes = [row(1, 0, '/sbin/init'), npm(6, 1)];
    expect(copies(processes, both.slice(1))).toMatchObject({ cursor: [{ server: 'docs', pids: [6] }] });
    expect(copies(processes, both)).toEqual({});
  });

  it('is nobody’s where a person started it in a terminal, or its entry may mean anything', () => {
    const typed = [row(4, 1, '/usr/share/code/code'), row(5, 4, '/usr/bin/bash --login'), npm(6, 5)];
    expect(copies(typed, both.slice(1))).toEqual({});
    expect(copies([row(6, 1, 'node server.js')], [server('cursor', 'a', 'node', 'server.js')])).toEqual({});
  });

  it('is none of the panel’s own', () => {
    const processes = [
      row(4, 1, '/usr/share/code/code'),
      row(5, 4, '/opt/panel/electron'),
      npm(6, 5),
      npm(7, 4),
    ];
    expect(copies(processes, both, [5])).toEqual({ 'vs-code': [{ pids: [7], memoryBytes: 10 * MIB }] });
  });
});

describe('the memory of copies', () => {
  it('counts each process once, in whatever tree the processes stand', () => {
    const lines = ['claude', 'sh -c node /srv/a.js', 'node /srv/a.js', 'node /srv/b.js', 'node other.js'];
    const tree = fc.array(
      fc.record({ parent: fc.nat(), line: fc.constantFrom(...lines), mib: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 30 },
    );
    const servers = [
      server('claude-code', 'a', 'node', '/srv/a.js'),
      server('claude-code', 'b', 'node', '/srv/b.js'),
      server('cursor', 'a', 'node', '/srv/a.js'),
    ];
    fc.assert(
      fc.property(tree, (nodes) => {
        const processes = nodes.map(({ parent, line, mib }, index) =>
          // The parent may be any process, itself and its own children included.
          row(index + 1, parent % (nodes.length + 1), line, { mib }),
        );
        const found = Object.values(copies(processes, servers)).flat();
        const pids = found.flatMap((one) => one.pids);
        expect(new Set(pids).size).toBe(pids.length);
        const memory = new Map(processes.map((one) => [one.pid, one.rssBytes!]));
        for (const one of found)
          expect(one.memoryBytes).toBe(one.pids.reduce((sum, pid) => sum + memory.get(pid)!, 0));
      }),
    );
  });
});
