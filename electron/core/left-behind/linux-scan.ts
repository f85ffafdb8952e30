import type { NamedProgram, StartedServer } from '../config/moving/copies/running-copies.ts';
import { ProcessForest } from '../platform/process-forest.ts';
import { findPipeHolders, readTcpPorts, readUnixSockets } from '../platform/proc/open-ends.ts';
import {
  type ProcessInside,
  readInside,
  type ProcessRow,
  readRows,
} from '../platform/proc/process-inside.ts';
import { createProcFiles, type ProcFiles, Slices } from '../platform/proc/proc-files.ts';
import { NODE_MAIN_THREAD, readStat } from '../platform/proc/read-process.ts';
import type { RunCommand } from '../platform/run-command.ts';
import type { Signaller } from '../platform/signals.ts';
import type { FoundTree, ScanForLeft } from './left-behind.ts';
import { inodeOf, isPipe, isStream, type LeftTree, leftTrees, orphans, programOf } from './rule.ts';

/** The known clients, and the servers that they start. */
export interface KnownServers {
  readonly clients: readonly NamedProgram[];
  /** Returns the servers that clients start. Called only if a scan has found process trees to compare with them. */
  readonly servers: () => Promise<readonly StartedServer[]>;
}

interface LinuxScanOptions extends KnownServers {
  readonly ownPid: number;
  readonly run: RunCommand;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
}

/** Creates the scan for servers left behind, by the rule in `rule.ts`. It reads some thousand files of /proc, with pauses. */
export function createLinuxScan(options: LinuxScanOptions): ScanForLeft {
  const files = createProcFiles();
  let reaper: Promise<number | undefined> | undefined;
  return async () => {
    reaper ??= findReaper(files, options);
    return scan(files, options, await reaper);
  };
}

async function scan(
  files: ProcFiles,
  { clients, ownPid, servers }: LinuxScanOptions,
  reaper: number | undefined,
): Promise<readonly FoundTree[]> {
  const whose = { uid: process.getuid?.() ?? 0, reaper };
  const slices = new Slices();
  const rows = await readRows(files, slices);
  const { inside, streams } = await readTrees(files, rows, orphans(rows, whose), slices);
  if (streams.size === 0) return [];
  const pipes = new Set([...streams].filter(isPipe));
  const facts = {
    ...{ rows, inside },
    sockets: readUnixSockets(files, inodesIn(inside)),
    tcp: await readTcpPorts(),
    pipes: pipes.size === 0 ? undefined : await findPipeHolders(files, rows, pipes, slices),
  };
  const question = { ...whose, clients, ownPid, servers: await servers() };
  return leftTrees(facts, question).map((left) => foundTree(left, inside));
}

/** Reads the process trees whose root has a pipe or socket as both input and output, as a server has. */
async function readTrees(
  files: ProcFiles,
  rows: readonly ProcessRow[],
  roots: readonly ProcessRow[],
  slices: Slices,
) {
  const forest = new ProcessForest(rows);
  const inside = new Map<number, ProcessInside>();
  const streams = new Set<string>();
  for (const root of roots) {
    const ends = [0, 1].map((number) => files.link(`${root.pid}/fd/${number}`)).filter(isStream);
    if (slices.isFullAfter(2)) await slices.pause();
    if (ends.length < 2) continue;
    for (const end of ends) streams.add(end);
    for (const { pid } of forest.tree(root.pid)) {
      const found = await readInside(files, pid, slices);
      if (found !== undefined) inside.set(pid, found);
    }
  }
  return { inside, streams };
}

function inodesIn(inside: ReadonlyMap<number, ProcessInside>): ReadonlySet<string> {
  return new Set([...inside.values()].flatMap(({ descriptors }) => [...descriptors.values()].map(inodeOf)));
}

function foundTree(
  { tree, owners, name, listens, daemons }: LeftTree,
  inside: ReadonlyMap<number, ProcessInside>,
): FoundTree {
  const client = clientOf(owners, inside.get(tree[0]?.pid ?? 0)?.environment ?? new Map());
  const server = owners.find(({ program }) => program === client)?.name;
  return {
    ...{ listens, daemons, isCertain: true },
    tree: tree.map((row) => {
      const own = row.command === NODE_MAIN_THREAD ? inside.get(row.pid) : undefined;
      return own === undefined ? row : { ...row, command: programOf(own, row) };
    }),
    ...(client !== undefined && { client }),
    ...(server !== undefined && { server }),
    ...(name !== undefined && { name }),
  };
}

/**
 * Returns the pid of the process that becomes the parent of processes whose parent ends: pid 1, or a process that has asked the
 * kernel for this, as session managers do. Undefined if it could not be determined.
 */
async function findReaper(
  files: ProcFiles,
  { ownPid, run, signaller }: LinuxScanOptions,
): Promise<number | undefined> {
  try {
    // The output of `sleep` is redirected, because otherwise the shell's output would stay open until `sleep` ends.
    const answer = await run('sh', ['-c', 'sleep 2 </dev/null >/dev/null 2>&1 & echo $!']);
    const pid = Number.parseInt(answer, 10);
    const parent = readStat(files, pid)?.ppid;
    // The process was started only for this check, and would outlive a panel that quits now.
    if (parent !== undefined) await signaller.signalProcess(pid, 'SIGKILL');
    return parent === ownPid ? undefined : parent;
  } catch {
    return undefined;
  }
}

/** For each client, the environment variables that it sets for its servers and for everything that runs in its shells. */
const VARIABLES: readonly (readonly [client: string, names: readonly string[]])[] = [
  ['claude-code', ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID']],
  ['gemini-cli', ['GEMINI_CLI']],
  ['opencode', ['OPENCODE', 'OPENCODE_PID']],
  ['copilot-cli', ['COPILOT_AGENT_SESSION_ID']],
  ['qwen-code', ['QWEN_CODE_CLI', 'QWEN_CODE_SESSION_ID']],
  ['cline', ['CLINE_CONNECTOR_CLI_LAUNCH']],
];

/**
 * Returns the client that started a server; undefined if it is ambiguous. The configuration entries that match the server count
 * more than the variables, because a client that runs in another client's shell passes on the variables of both.
 */
function clientOf(
  owners: readonly StartedServer[],
  environment: ReadonlyMap<string, string>,
): string | undefined {
  const byEntry = [...new Set(owners.map(({ program }) => program))];
  const byVariable = VARIABLES.filter(([, names]) => names.some((name) => environment.has(name))).map(
    ([client]) => client,
  );
  return only(byEntry.filter((client) => byVariable.includes(client))) ?? only(byEntry) ?? only(byVariable);
}

const only = (clients: readonly string[]): string | undefined =>
  clients.length === 1 ? clients[0] : undefined;
