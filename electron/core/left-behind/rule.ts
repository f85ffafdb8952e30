import {
  type NamedProgram,
  programsNamed,
  type StartedServer,
} from '../config/moving/copies/running-copies.ts';
import {
  commandForms,
  FILLED_IN,
  isInterpreter,
  isRunOf,
  plainText,
  programWords,
  withoutEnding,
} from '../config/moving/copies/command-forms.ts';
import { ProcessForest } from '../platform/process-forest.ts';
import type { PipeHolders, TcpPorts, UnixSocket } from '../platform/proc/open-ends.ts';
import type { ProcessInside, ProcessRow } from '../platform/proc/process-inside.ts';
import { packageRunOfCommand } from '../../../shared/package-run.ts';
import { wrapperOfCommand } from '../platform/wrapper-programs.ts';

/** Everything that the rule checks, read at about the same moment. */
export interface Facts {
  readonly rows: readonly ProcessRow[];
  /** The processes of trees that may be left behind. A process is missing if any of its data could not be read. */
  readonly inside: ReadonlyMap<number, ProcessInside>;
  /** Sockets that the processes in `inside` have open, by inode. */
  readonly sockets: ReadonlyMap<string, UnixSocket>;
  readonly tcp: TcpPorts;
  /** Processes that have the pipes open; undefined if no process tree has pipes. */
  readonly pipes: PipeHolders | undefined;
}

/** What processes are checked against: the user's account, the panel's own process, and the known clients and servers. */
export interface LeftQuestion {
  readonly uid: number;
  readonly ownPid: number;
  /** Pid of the process that becomes the parent of processes whose parent ends, if it is not pid 1. */
  readonly reaper: number | undefined;
  readonly clients: readonly NamedProgram[];
  readonly servers: readonly StartedServer[];
}

export interface LeftTree {
  /** Root first, parents before children. */
  readonly tree: readonly ProcessRow[];
  /** Server entries in the configurations of clients that match the tree, so that one of these clients may have started it. */
  readonly owners: readonly StartedServer[];
  /** Name of the server's program or package. */
  readonly name: string | undefined;
  /** True if other programs may connect to one of its ports or named sockets. */
  readonly listens: boolean;
  /** Pids of daemons in the tree that other programs may use. They are spared, together with the processes below them. */
  readonly daemons: readonly number[];
}

/** Standard input or output of a server, over which it speaks the protocol. */
interface Stream {
  readonly target: string;
  readonly isInput: boolean;
}

const INIT = 1;
const SERVICE_MANAGER = 'systemd';
/** Programs of a login session that hide their descriptors and start no servers. The kernel cuts names at 15 characters. */
const HIDDEN_OF_LOGIN = new Set([
  '(sd-pam)',
  'gnome-keyring-d',
  'kwalletd5',
  'kwalletd6',
  'ssh-agent',
  'gpg-agent',
]);
const PANEL = 'mcp-control-panel';
const OWN_VARIABLES = 'MCP_CONTROL_PANEL_';

/** Returns the processes whose parent has ended, except services. Only input and output show whether the client is gone too. */
export function orphans(
  rows: readonly ProcessRow[],
  { uid, reaper }: Pick<LeftQuestion, 'uid' | 'reaper'>,
): readonly ProcessRow[] {
  const isManager = (row: ProcessRow) =>
    row.command === SERVICE_MANAGER && row.ppid === INIT && isOf(row, uid);
  const reapers = new Set([INIT, reaper, ...rows.filter(isManager).map(({ pid }) => pid)]);
  return rows.filter((row) => reapers.has(row.ppid) && isOf(row, uid) && row.sessionId !== row.pid);
}

/** True if the target of a file descriptor is a pipe or socket, whose other end may be closed. */
export const isStream = (target: string | undefined): target is string =>
  target !== undefined && (isPipe(target) || isSocket(target));
export const isPipe = (target: string): boolean => target.startsWith('pipe:[');
const isSocket = (target: string): boolean => target.startsWith('socket:[');
export const inodeOf = (target: string): string => target.slice(target.indexOf('[') + 1, -1);

/**
 * Returns the process trees of servers whose client is gone: no process has the other ends of their input and output open. If
 * that cannot be determined, the client counts as alive.
 */
export function leftTrees(facts: Facts, question: LeftQuestion): readonly LeftTree[] {
  const forest = new ProcessForest(facts.rows);
  const serversOf = entryMatcher(question.servers);
  const judge = new TreeJudge(facts, question, forest);
  let left = orphans(facts.rows, question).flatMap((root) => {
    const streams = judge.streamsOf(root);
    const tree = forest.tree(root.pid);
    if (streams === undefined || !judge.isPlain(tree) || judge.isServing(tree)) return [];
    const chain = judge.chain(tree, streams);
    const owners = chain.flatMap(serversOf);
    const name = chain.map(({ argv }) => serverNameIn(argv)).find((one) => one !== undefined);
    if (owners.length === 0 && name === undefined) return [];
    const daemons = judge.daemons(tree);
    return [{ tree, streams, owners, name, listens: judge.listens(tree), daemons }];
  });
  // A process of one tree may hold the pipes of another tree. So when a tree turns out to be alive, the trees whose pipes it
  // holds count as alive too, and the check is repeated.
  for (;;) {
    const pids = new Set(left.flatMap(({ tree }) => tree.map(({ pid }) => pid)));
    const still = left.filter(({ streams }) => streams.every((stream) => !judge.isHeld(stream, pids)));
    if (still.length === left.length) return still;
    left = still;
  }
}

class TreeJudge {
  readonly #facts: Facts;
  readonly #question: LeftQuestion;
  readonly #forest: ProcessForest<ProcessRow>;

  constructor(facts: Facts, question: LeftQuestion, forest: ProcessForest<ProcessRow>) {
    this.#facts = facts;
    this.#question = question;
    this.#forest = forest;
  }

  /**
   * Returns input and output of a root if, judged by the root alone, the other end of both may be closed; otherwise undefined.
   */
  streamsOf(root: ProcessRow): readonly Stream[] | undefined {
    const streams = [0, 1].flatMap((number) => {
      const target = this.#facts.inside.get(root.pid)?.descriptors.get(number);
      return isStream(target) ? [{ target, isInput: number === 0 }] : [];
    });
    const isDead = ({ target }: Stream) =>
      isPipe(target) ? this.#showsPipes(root) : this.#isDeadSocket(target);
    return streams.length === 2 && streams.every(isDead) ? streams : undefined;
  }

  /** True if all processes of the tree belong to this account, could be read, and are neither part of a panel nor a client. */
  isPlain(tree: readonly ProcessRow[]): boolean {
    const { clients, ownPid, uid } = this.#question;
    return tree.every((row) => {
      const inside = this.#facts.inside.get(row.pid);
      if (inside === undefined || !inside.isInNetwork || row.pid === ownPid || !isOf(row, uid)) return false;
      if ([...inside.environment.keys()].some((name) => name.startsWith(OWN_VARIABLES))) return false;
      const text = plainText(inside.argv.join(' '));
      const names = [row.command, programOf(inside, row)];
      if (names.includes(PANEL)) return false;
      return names.every((command) => programsNamed({ command, text }, clients).length === 0);
    });
  }

  /** True if a program is connected to a port or socket of the tree. */
  isServing(tree: readonly ProcessRow[]): boolean {
    const { sockets, tcp } = this.#facts;
    const inodes = this.#inodes(tree);
    const ports = inodes.flatMap((inode) => tcp.listening.get(inode) ?? []);
    if (ports.some((port) => tcp.established.has(port))) return true;
    const own = inodes.flatMap((inode) => sockets.get(inode) ?? []);
    return own.some(({ isConnected, path }) => isConnected && path !== undefined);
  }

  listens(tree: readonly ProcessRow[]): boolean {
    const { sockets, tcp } = this.#facts;
    return this.#inodes(tree).some((inode) => tcp.listening.has(inode) || sockets.get(inode)?.isListening);
  }

  /** Returns pids of daemons: session leaders with /dev/null as input that listen on a port or socket (or a descendant does). */
  daemons(tree: readonly ProcessRow[]): readonly number[] {
    const isDaemon = (row: ProcessRow) =>
      row.sessionId === row.pid &&
      this.#facts.inside.get(row.pid)?.descriptors.get(0) === '/dev/null' &&
      this.listens(this.#forest.tree(row.pid));
    return tree.filter(isDaemon).map(({ pid }) => pid);
  }

  /** Returns the server and its wrappers, which all have the root's input, but not what the server has started. */
  chain(tree: readonly ProcessRow[], [input]: readonly Stream[]): readonly ProcessInside[] {
    const all = tree.flatMap(({ pid }) => this.#facts.inside.get(pid) ?? []);
    return all.filter(({ descriptors }) => descriptors.get(0) === input?.target);
  }

  /** True if a process that is not in `pids` has the other end of a pipe. */
  isHeld({ target, isInput }: Stream, pids: ReadonlySet<number>): boolean {
    const holders = this.#facts.pipes?.holders ?? [];
    return holders.some(
      ({ pid, pipe, reads, writes }) => pipe === target && (isInput ? writes : reads) && !pids.has(pid),
    );
  }

  /**
   * True if the pipes of a root show whether it was left behind: its present parent is not the one that started it, and no
   * process whose descriptors are unreadable could have the other ends.
   */
  #showsPipes(root: ProcessRow): boolean {
    const { rows, pipes } = this.#facts;
    const parent = this.#forest.get(root.ppid);
    if (pipes === undefined || parent === undefined || parent.sessionId === root.sessionId) return false;
    if (this.#forest.get(INIT) === undefined) return false;
    return rows.every((row) => !pipes.unreadable.has(row.pid) || !this.#mayHold(row, root));
  }

  #mayHold(row: ProcessRow, root: ProcessRow): boolean {
    if (row.sessionId === root.sessionId) return true;
    return row.pid !== INIT && row.userIds.includes(this.#question.uid) && !HIDDEN_OF_LOGIN.has(row.command);
  }

  #isDeadSocket(target: string): boolean {
    const socket = this.#facts.sockets.get(inodeOf(target));
    return socket?.refCount === DEAD_REFERENCES && !socket.isListening;
  }

  #inodes(tree: readonly ProcessRow[]): readonly string[] {
    const targets = tree.flatMap(({ pid }) => [...(this.#facts.inside.get(pid)?.descriptors.values() ?? [])]);
    return targets.filter(isSocket).map(inodeOf);
  }
}

/** Number of references to a socket whose other end is closed: its own and that of its open file. */
const DEAD_REFERENCES = 2;

/** True if a process belongs only to this account. */
const isOf = ({ userIds, isInNamespace }: ProcessRow, uid: number): boolean =>
  isInNamespace && userIds.length > 0 && userIds.every((one) => one === uid);

/** Returns the program name from the command line of a process. The name that the kernel reports may be that of a thread. */
export const programOf = ({ argv }: ProcessInside, { command }: ProcessRow): string =>
  argv[0] === undefined ? command : (plainText(argv[0]).split('/').at(-1) ?? command);

type Started = Pick<ProcessInside, 'argv' | 'environment'>;

const OFFICIAL = '@modelcontextprotocol/';

const MODULES = '/node_modules/';

/** Returns a function that finds the entries of servers that match a process by program, arguments and environment. */
function entryMatcher(servers: readonly StartedServer[]): (process: Started) => readonly StartedServer[] {
  const known = servers.map((server) => ({ server, forms: commandForms(server.words) }));
  return ({ argv, environment }) =>
    known
      .filter(({ forms }) => forms.some((form) => isRunOf(argv, form)))
      .map(({ server }) => server)
      .filter(({ env = {} }) => Object.entries(env).every(([name, value]) => has(environment, name, value)));
}

/** True if the variable has the value in the server's entry. A value with a placeholder the client fills in matches any value. */
const has = (environment: ReadonlyMap<string, string>, name: string, value: unknown): boolean =>
  FILLED_IN.test(String(value)) || environment.get(name) === String(value);

/** Returns the name of the MCP server that a process runs: an official one, or one with `mcp` as a word; ignores folder names. */
const serverNameIn = (argv: readonly string[]): string | undefined =>
  namesOf(argv).find((name) => name.startsWith(OFFICIAL) || wordsOf(name).includes('mcp'));

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]/);

function namesOf(argv: readonly string[]): readonly string[] {
  // npm replaces its arguments in the process list with a single text.
  const words = argv.length === 1 && argv[0]?.startsWith('npm exec ') ? argv[0].split(' ') : argv;
  const [program = '', ...args] = words;
  const packages = packageRunOfCommand(program, args)?.packages;
  if (packages !== undefined) return packages;
  if (wrapperOfCommand(program) !== undefined) return [];
  if (!isInterpreter(program)) return [withoutEnding(program)];
  const module = args.indexOf('-m');
  if (module >= 0 && args.slice(0, module).every((word) => word.startsWith('-')))
    return args.slice(module + 1, module + 2);
  const script = plainText(programWords(words)[1]?.[0] ?? '');
  return [withoutEnding(script), ...packageOf(script)];
}

/** Returns the package that a script within `node_modules` belongs to. */
function packageOf(script: string): readonly string[] {
  const at = script.lastIndexOf(MODULES);
  if (at < 0) return [];
  const [first = '', second = ''] = script.slice(at + MODULES.length).split('/');
  return [first.startsWith('@') ? `${first}/${second}` : first];
}
