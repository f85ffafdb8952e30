import { programsOfKind, commandsIn } from './wrapper-programs.ts';
import { programName } from '../../../shared/program-name.ts';

/**
 * Says that the server itself is not a descendant of its command, and where it runs instead: in a container, on another
 * machine, or behind a bridge to a URL.
 */
interface OutOfReach {
  readonly where: 'container' | 'other machine' | 'remote server';
  /** Program that connects the panel to the server, in lower case: `docker`, `ssh`, `mcp-remote`. */
  readonly program: string;
}

const ENGINES: ReadonlySet<string> = new Set([
  ...programsOfKind('container engine'),
  'docker-compose',
  'podman-compose',
]);
/** Remote shells. `wsl` is one of them, because it starts programs in a virtual machine of Windows. */
const SHELLS_ELSEWHERE: ReadonlySet<string> = new Set(['ssh', 'autossh', 'plink', 'wsl']);
/**
 * Clients of a Kubernetes cluster. `CLUSTER_COMMANDS` contains those of their subcommands that connect to a process in the
 * cluster.
 */
const CLUSTER_CLIENTS: ReadonlySet<string> = new Set(['kubectl', 'oc']);
const CLUSTER_COMMANDS: ReadonlySet<string> = new Set(['exec', 'run', 'attach', 'debug']);
const BRIDGES: ReadonlySet<string> = new Set(['mcp-remote', 'mcp-proxy', 'supergateway']);

/** Returns where the server of a command line runs, if it is not in this machine's process table; undefined if it is. */
export function outOfReach(command: string, args: readonly string[]): OutOfReach | undefined {
  for (const words of commandsIn([command, ...args])) {
    const found = engineOrShell(words) ?? bridge(words);
    if (found !== undefined) return found;
  }
  return undefined;
}

const CLIENTS: ReadonlySet<string> = new Set(
  [...ENGINES, ...SHELLS_ELSEWHERE, ...CLUSTER_CLIENTS].flatMap((name) => [name, `${name}.exe`]),
);

/**
 * True if the process is a client program that connects to a server elsewhere (docker, ssh, kubectl …). Only its short name is
 * checked, because this is called in every sample.
 */
export const isClientOfOutOfReach = (name: string): boolean => CLIENTS.has(name);

function engineOrShell([command = '', ...args]: readonly string[]): OutOfReach | undefined {
  const program = programName(command);
  if (ENGINES.has(program)) return { where: 'container', program };
  const isInCluster = CLUSTER_CLIENTS.has(program) && args.some((word) => CLUSTER_COMMANDS.has(word));
  return isInCluster || SHELLS_ELSEWHERE.has(program) ? { where: 'other machine', program } : undefined;
}

/**
 * Detects a bridge: a program that connects to a server at a URL. It is recognized by the name of its program, package, module
 * or file, and only if its arguments contain a URL.
 */
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
