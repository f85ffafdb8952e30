import { programName, wrapperOfCommand } from './wrapper-programs.ts';

/**
 * Where a server runs that is not among the processes below its command: in a container of an engine, whose service starts it;
 * on another machine; or at a URL, which a bridge passes messages to.
 */
export interface OutOfReach {
  readonly where: 'container' | 'other machine' | 'remote server';
  /** Program that reaches it, in lower case: `docker`, `ssh`, `mcp-remote`. */
  readonly program: string;
}

const COMPOSERS: ReadonlySet<string> = new Set(['docker-compose', 'podman-compose']);
/** `wsl` starts its programs in a virtual machine of Windows. */
const SHELLS_ELSEWHERE: ReadonlySet<string> = new Set(['ssh', 'autossh', 'plink', 'wsl']);
/** Clients of a cluster, and their commands that talk with a process there. */
const CLUSTER_CLIENTS: ReadonlySet<string> = new Set(['kubectl', 'oc']);
const CLUSTER_COMMANDS: ReadonlySet<string> = new Set(['exec', 'run', 'attach', 'debug']);
const BRIDGES: ReadonlySet<string> = new Set(['mcp-remote', 'mcp-proxy', 'supergateway']);

/** What the command line of a server reaches out of our process table; undefined where the server is a process of ours. */
export function outOfReach(command: string, args: readonly string[]): OutOfReach | undefined {
  for (const words of commandsIn([command, ...args])) {
    const found = engineOrShell(words) ?? bridge(words);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The same of a process, by its short name, which tells no arguments: a client of a cluster is taken to talk with a process
 * there, because the pipes that it holds are those of the server.
 */
export function isClientOfOutOfReach(name: string): boolean {
  const program = programName(name.split(' ')[0] ?? '');
  return CLUSTER_CLIENTS.has(program) || engineOrShell([program]) !== undefined;
}

function engineOrShell([command = '', ...args]: readonly string[]): OutOfReach | undefined {
  const program = programName(command);
  if (isEngine(program)) return { where: 'container', program };
  const isInCluster = CLUSTER_CLIENTS.has(program) && args.some((word) => CLUSTER_COMMANDS.has(word));
  return isInCluster || SHELLS_ELSEWHERE.has(program) ? { where: 'other machine', program } : undefined;
}

const isEngine = (program: string): boolean =>
  wrapperOfCommand(program)?.kind === 'container engine' || COMPOSERS.has(program);

/** A bridge may be run by its name, its package, its module or its file. It bridges only where it is told a URL. */
function bridge(words: readonly string[]): OutOfReach | undefined {
  if (!words.some((word) => /(?:^|=)(?:https?|wss?):\/\//i.test(word))) return undefined;
  const program = words.map(bridgeIn).find((name) => name !== undefined);
  return program === undefined ? undefined : { where: 'remote server', program };
}

function bridgeIn(word: string): string | undefined {
  if (word.includes('://')) return undefined;
  const parts = word.toLowerCase().replaceAll('_', '-').split(/[\\/]/);
  return parts.map((part) => programName(part.split('@')[0] ?? '')).find((name) => BRIDGES.has(name));
}

/** The commands that a command line runs in the end, behind shells and other programs that only run another one. */
function commandsIn(words: readonly string[]): readonly (readonly string[])[] {
  const [command = '', ...args] = words;
  const kind = wrapperOfCommand(command)?.kind;
  if (kind === undefined || kind === 'container engine') return [words];
  const text = kind === 'shell' ? scriptOf(args) : undefined;
  if (text !== undefined) return commandsOfScript(text).flatMap(commandsIn);
  const at = args.findIndex((word) => !isOfWrapper(word));
  // A package runner's own words may name the bridge.
  return at < 0 ? [words] : [words, ...commandsIn(args.slice(at))];
}

/** Options, variables, durations, and the commands of runners. */
const isOfWrapper = (word: string): boolean =>
  /^(?:-|\/[ck]$|\w+=|\d+[smhd]?$)/i.test(word) || /^(?:exec|x|run|tool|dlx)$/.test(word);

function scriptOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[a-z]{0,4}c$|^-command$/i.test(word));
  return at < 0 ? undefined : args.slice(at + 1).join(' ');
}

function commandsOfScript(text: string): readonly (readonly string[])[] {
  return text.split(/[;&|\n]/).map((line) => {
    const words = line.split(/[\s"'()]/).filter((word) => word !== '');
    return words.slice(words.findIndex((word) => !/^\w+=/.test(word) && word !== 'exec'));
  });
}
