import { describe, expect, it } from 'vitest';
import { foreignPrograms } from '../../../electron/core/config/programs/programs.ts';
import { leftTrees, type Facts, type LeftQuestion } from '../../../electron/core/left-behind/rule.ts';
import type { PipeHolder } from '../../../electron/core/platform/proc/open-ends.ts';
import type { ProcessInside, ProcessRow } from '../../../electron/core/platform/proc/process-inside.ts';
import { reading } from '../telemetry/reading.ts';

const UID = 1000;
const INIT = 1;
const MANAGER = 50;
const REAPER = 60;
const PANEL = 70;
/** Session of the client that is gone. */
const SESSION = 900;

/** A process, with the targets of its first descriptors. */
interface Given extends Partial<ProcessRow> {
  readonly argv?: readonly string[];
  readonly fds?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly isInNetwork?: boolean;
  /** Whether anything within it can be read. */
  readonly isHidden?: boolean;
}

interface World {
  readonly processes: readonly (Given & { readonly pid: number })[];
  readonly sockets?: Readonly<
    Record<string, Partial<{ refCount: number; isListening: boolean; path: string }>>
  >;
  readonly holders?: readonly Partial<PipeHolder>[];
  readonly listening?: Readonly<Record<string, number>>;
  readonly established?: readonly number[];
  readonly question?: Partial<LeftQuestion>;
  /** Whether /proc lists no processes of other accounts. */
  readonly isInitHidden?: boolean;
}

const rowOf = (given: Given & { readonly pid: number }): ProcessRow => ({
  ...reading({ pid: given.pid, ppid: INIT, command: 'node' }),
  ...{ sessionId: SESSION, userIds: [UID, UID, UID, UID], isInNamespace: true },
  ...given,
});

const insideOf = ({
  argv = ['node', '/x/mcp-server.js'],
  fds = DEAD_SOCKETS,
  env = {},
  isInNetwork = true,
}: Given): ProcessInside => ({
  ...{ argv, isInNetwork },
  environment: new Map(Object.entries(env)),
  descriptors: new Map(fds.map((target, number) => [number, target])),
});

const DEAD_SOCKETS = ['socket:[11]', 'socket:[12]', '/dev/null'];
const PIPES = ['pipe:[21]', 'pipe:[22]', '/dev/null'];
const always = [
  { pid: INIT, ppid: 0, sessionId: 1, userIds: [0, 0, 0, 0], command: 'systemd', isHidden: true },
  { pid: MANAGER, sessionId: MANAGER, command: 'systemd', fds: ['/dev/null', 'socket:[1]'] },
  { pid: REAPER, sessionId: REAPER, command: 'session', fds: ['/dev/null', 'socket:[1]'] },
];

function factsOf({
  processes,
  sockets = {},
  holders = [],
  listening = {},
  established = [],
  isInitHidden = false,
}: World): Facts {
  const all = [...(isInitHidden ? always.slice(1) : always), ...processes];
  const shown = all.filter((one: Given) => one.isHidden !== true);
  return {
    rows: [...new Map(all.map((one) => [one.pid, rowOf(one)])).values()],
    inside: new Map(shown.map((one) => [one.pid, insideOf(one)])),
    sockets: new Map(
      Object.entries({ 11: {}, 12: {}, ...sockets }).map(([inode, one]) => [
        inode,
        { refCount: 2, isListening: false, isConnected: true, ...one },
      ]),
    ),
    tcp: { listening: new Map(Object.entries(listening)), established: new Set(established) },
    pipes: {
      holders: holders.map((one) => ({ pid: 0, pipe: '', reads: false, writes: false, ...one })),
      unreadable: new Set(all.filter((one: Given) => one.isHidden === true).map(({ pid }) => pid)),
    },
  };
}

/** Pids of the trees that are found, roots first. */
const foundIn = (world: World) =>
  leftTrees(factsOf(world), {
    ...{ uid: UID, ownPid: PANEL, reaper: REAPER, clients: foreignPrograms, servers: [] },
    ...world.question,
  }).map(({ tree }) => tree.map(({ pid }) => pid));

const server = (given: Given = {}) => ({ pid: 100, ...given });

describe('servers that were left behind', () => {
  const found: Readonly<Record<string, World>> = {
    'with dead sockets, below pid 1': { processes: [server()] },
    'below the manager of the session': { processes: [server({ ppid: MANAGER })] },
    'below the reaper that was learnt': { processes: [server({ ppid: REAPER })] },
    'with dead pipes': { processes: [server({ fds: PIPES })] },
    'with dead pipes, where pid 1 is of this account and hides its own': {
      processes: [server({ fds: PIPES }), { pid: INIT, ppid: 0, sessionId: 1, isHidden: true }],
    },
    'with its own end of a pipe open twice, within the tree': {
      processes: [server({ fds: PIPES }), { pid: 101, ppid: 100, fds: PIPES }],
      holders: [{ pid: 101, pipe: 'pipe:[21]', writes: true }],
    },
    'beside a hidden program of another account, and those of a login': {
      processes: [
        server({ fds: PIPES }),
        { pid: 200, userIds: [0, 0, 0, 0], sessionId: 200, isHidden: true },
        { pid: 201, command: '(sd-pam)', ppid: MANAGER, sessionId: MANAGER, isHidden: true },
      ],
    },
    'as an official package': {
      processes: [
        server({ argv: ['node', '/m/node_modules/@modelcontextprotocol/server-memory/dist/index.js'] }),
      ],
    },
    'as a package that npm runs': {
      processes: [server({ argv: ['npm exec @upstash/context7-mcp@1.0.0 --x'] })],
    },
    'as a module of Python': { processes: [server({ argv: ['/usr/bin/python3', '-m', 'mcp_server_git'] })] },
    'as a program': { processes: [server({ argv: ['/usr/bin/github-mcp-server', 'stdio'] })] },
    'behind a wrapper': {
      processes: [server({ argv: ['sh', '-c', 'x'] }), { pid: 101, ppid: 100 }],
    },
    'by the entry of a client': {
      processes: [server({ argv: ['/opt/bin/node', '/srv/notes.js', '--all'], env: { A: '1' } })],
      question: {
        servers: [
          { program: 'codex', name: 'notes', words: ['node', '/srv/notes.js', '--all'], env: { A: '1' } },
        ],
      },
    },
  };
  it.each(Object.entries(found))('are found %s', (_, world) => {
    expect(foundIn(world)).toHaveLength(1);
  });

  it('are found together, where each has an end of the other', () => {
    const both = [server({ fds: PIPES }), { pid: 300, fds: ['pipe:[31]', 'pipe:[32]'] }];
    const holders = [
      { pid: 300, pipe: 'pipe:[21]', writes: true },
      { pid: 100, pipe: 'pipe:[32]', reads: true },
    ];
    expect(foundIn({ processes: both, holders })).toEqual([[100], [300]]);
    // A client that lives keeps both.
    const living = { pid: 500, ppid: 400, argv: ['sleep', '1'] };
    const held = [...holders, { pid: 500, pipe: 'pipe:[31]', writes: true }];
    expect(foundIn({ processes: [...both, living], holders: held })).toEqual([]);
  });

  it('tell a port or a named socket, and a daemon that is spared', () => {
    const daemon = { pid: 102, ppid: 100, sessionId: 102, fds: ['/dev/null', '/dev/null', 'socket:[40]'] };
    const [left] = leftTrees(factsOf({ processes: [server(), daemon], listening: { 40: 8080 } }), {
      uid: UID,
      ownPid: PANEL,
      reaper: undefined,
      clients: [],
      servers: [],
    });
    expect(left).toMatchObject({ listens: true, daemons: [102], name: 'mcp-server.js' });
  });
});

describe('what is never taken for left behind', () => {
  const held = (pipe: string, end: Partial<PipeHolder>) => ({
    processes: [server({ fds: PIPES }), { pid: 400, ppid: 399, sessionId: 400, argv: ['client'] }],
    holders: [{ pid: 400, pipe, ...end }],
  });
  const never: Readonly<Record<string, World>> = {
    'a server whose client lives, over a socket': { processes: [server()], sockets: { 11: { refCount: 3 } } },
    'a server whose client has closed one end': { processes: [server()], sockets: { 12: { refCount: 3 } } },
    'a socket that is not listed': { processes: [server({ fds: ['socket:[98]', 'socket:[12]'] })] },
    'a socket that listens': { processes: [server()], sockets: { 11: { isListening: true } } },
    'a socket with a name': { processes: [server()], sockets: { 11: { path: '/run/x' } } },
    'a server whose input is held by a client': held('pipe:[21]', { writes: true }),
    'a server whose output is read': held('pipe:[22]', { reads: true }),
    'a dead pipe in, a living logger out': held('pipe:[22]', { reads: true, writes: true }),
    'a child of a process that lives': {
      processes: [server({ ppid: 400 }), { pid: 400, ppid: 399, argv: ['sh'] }],
    },
    'the first of a session, as services are': { processes: [server({ sessionId: 100 })] },
    'a process that pid 1 has started with pipes': { processes: [server({ fds: PIPES, sessionId: 1 })] },
    'a process that the reaper has started with pipes': {
      processes: [server({ fds: PIPES, ppid: REAPER, sessionId: REAPER })],
    },
    'pipes where other accounts cannot be seen': {
      processes: [server({ fds: PIPES, ppid: MANAGER })],
      isInitHidden: true,
    },
    'pipes while a process of this account hides its own': {
      processes: [server({ fds: PIPES }), { pid: 400, sessionId: 400, command: 'codex', isHidden: true }],
    },
    'pipes while a process of the session hides its own': {
      processes: [server({ fds: PIPES }), { pid: 400, userIds: [0, 0, 0, 0], isHidden: true }],
    },
    'input from nowhere': { processes: [server({ fds: ['/dev/null', 'socket:[12]'] })] },
    'output to a file': { processes: [server({ fds: ['pipe:[21]', '/home/me/log'] })] },
    'a terminal, as in tmux': { processes: [server({ fds: ['/dev/pts/3', '/dev/pts/3'] })] },
    'a server in use over a port': {
      processes: [server({ fds: [...DEAD_SOCKETS, 'socket:[41]'] })],
      ...{ listening: { 41: 3000 }, established: [3000] },
    },
    'a server in use over a named socket': {
      processes: [server({ fds: [...DEAD_SOCKETS, 'socket:[42]'] })],
      sockets: { 42: { path: '/run/server' } },
    },
    'a process of another account': { processes: [server({ userIds: [2000, 2000, 2000, 2000] })] },
    'a process with the rights of another account': { processes: [server({ userIds: [UID, 0, 0, 0] })] },
    'a tree with a process of another account': {
      processes: [server(), { pid: 101, ppid: 100, userIds: [0, 0, 0, 0] }],
    },
    'a process of a container': { processes: [server({ isInNamespace: false })] },
    'a process with a network of its own': { processes: [server({ isInNetwork: false })] },
    'a tree with a part that cannot be read': {
      processes: [server(), { pid: 101, ppid: 100, isHidden: true }],
    },
    'a server of a panel': { processes: [server({ env: { MCP_CONTROL_PANEL_RUN: 'x' } })] },
    'a server of a panel, below another': {
      processes: [server(), { pid: 101, ppid: 100, env: { MCP_CONTROL_PANEL_RUN: 'x' } }],
    },
    'another panel': { processes: [server({ argv: ['/opt/MCP/mcp-control-panel', '--hidden'] })] },
    'the panel itself': { processes: [server(), { pid: PANEL, ppid: 100 }] },
    'a client': { processes: [server({ command: 'codex', argv: ['codex', 'mcp'] })] },
    'a client as a script': {
      processes: [server({ argv: ['node', '/m/node_modules/@google/gemini-cli/mcp.js'] })],
    },
    'a client below its launcher': {
      processes: [server(), { pid: 101, ppid: 100, argv: ['node', '/usr/bin/qwen'] }],
    },
    'a language server in a folder of that name': {
      processes: [server({ argv: ['node', '/home/me/mcp-notes/server.js', 'mcp'] })],
    },
    'a program with a known argument': { processes: [server({ argv: ['sleep', 'mcp'] })] },
    'a dev server that only has the variables of a client': {
      processes: [server({ argv: ['node', '/x/vite.js'], env: { CLAUDECODE: '1' } })],
    },
    'a known child that speaks to somebody else': {
      processes: [
        server({ argv: ['node', '/x/app.js'] }),
        { pid: 101, ppid: 100, fds: ['pipe:[7]', 'pipe:[8]'] },
      ],
    },
    'an entry with another variable': {
      processes: [server({ argv: ['node', '/srv/notes.js'], env: { A: '2' } })],
      question: {
        servers: [{ program: 'codex', name: 'n', words: ['node', '/srv/notes.js'], env: { A: '1' } }],
      },
    },
    'an entry with other arguments': {
      processes: [server({ argv: ['node', '/srv/notes.js', '--b'] })],
      question: { servers: [{ program: 'codex', name: 'n', words: ['node', '/srv/notes.js'] }] },
    },
    'a program that only names an entry': {
      processes: [server({ argv: ['node', '/x/app.js', 'notes'] })],
      question: { servers: [{ program: 'codex', name: 'n', words: ['notes'] }] },
    },
  };
  it.each(Object.entries(never))('%s', (_, world) => {
    expect(foundIn(world)).toEqual([]);
  });
});
