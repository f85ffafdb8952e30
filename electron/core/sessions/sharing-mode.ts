import type { SharingView } from '../../../shared/domain.ts';
import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';
import { serverKey } from '../config/server-key.ts';
import { packageRunOf } from '../supervisor/start/package-runner.ts';
import type { SessionMode } from './session-policy.ts';
import { sharingCatalogue } from './sharing-catalogue.ts';

/** How a server is shared between its users, by what that was decided, and why in words. */
export type SharingDecision = Omit<SharingView, 'setting'>;

/** What running a server has shown, for instance that it asks its clients for their folders. */
export interface LearntSharing {
  readonly mode: SessionMode;
  readonly words: string;
}

/** What a server asks its clients for, in words. Requests of the protocol that a server may send (2025-11-25, "Client features"). */
const wants: Readonly<Record<string, string>> = {
  'roots/list': 'for their folders',
  'sampling/createMessage': 'for answers of their model',
  'elicitation/create': 'to put questions to their person',
};

/**
 * How each server is shared, with what running the servers has shown. A server that ever asked its client for something
 * cannot be shared: nothing in such a request says which of its users it is for.
 */
export class Sharing {
  /** Lessons by the name of the server. Each holds only for the key it was learnt with, because another command or address is another server. */
  readonly #lessons = new Map<string, { readonly key: string; readonly sharing: LearntSharing }>();
  /** Configurations never change in place; a lesson forgets what was decided without it. */
  readonly #decisions = new WeakMap<ServerConfig, SharingDecision>();

  /** The server sent a request. Returns whether that is news. */
  asked(config: ServerConfig, method: string): boolean {
    if (this.#lessonOf(config) !== undefined || !Object.hasOwn(wants, method)) return false;
    const words = `It asks its clients ${wants[method] ?? ''}, and a shared one could not say whose.`;
    this.#lessons.set(config.name, { key: serverKey(config), sharing: { mode: 'exclusive', words } });
    this.#decisions.delete(config);
    return true;
  }

  of(config: ServerConfig): SharingDecision {
    const decision = this.#decisions.get(config) ?? resolveSharing(config, this.#lessonOf(config));
    this.#decisions.set(config, decision);
    return decision;
  }

  #lessonOf(config: ServerConfig): LearntSharing | undefined {
    const lesson = this.#lessons.get(config.name);
    return lesson !== undefined && lesson.key === serverKey(config) ? lesson.sharing : undefined;
  }
}

/** The person's setting, else the catalogue, else what was learnt, else shared: most servers hold nothing of their users. */
export function resolveSharing(config: ServerConfig, learnt: LearntSharing | undefined): SharingDecision {
  const { mode } = config.panel.sessions;
  if (mode !== 'auto') return { mode, reason: 'setting', words: 'The configuration says so.' };
  const listed = config.transport === 'stdio' ? listedSharing(config) : undefined;
  if (listed) return { ...listed, reason: 'catalogue' };
  if (learnt) return { mode: learnt.mode, reason: 'learnt', words: learnt.words };
  return { mode: 'shared', reason: 'default', words: 'There is no known reason not to share it.' };
}

function listedSharing(config: StdioServerConfig): { mode: SessionMode; words: string } | undefined {
  const names = namesOf(config);
  const entry = sharingCatalogue.find((candidate) => names.some((name) => candidate.names.test(name)));
  if (!entry) return undefined;
  const { unless } = entry;
  const { mode, words } = unless && config.args.some((arg) => unless.argument.test(arg)) ? unless : entry;
  return { mode, words };
}

/**
 * What the command line says that it runs, in lower case: the package of a runner, else the program and, below an
 * interpreter or a container engine, the script, module or image. Folders and other arguments are the person's own
 * words ("~/chrome-notes") and tell nothing.
 */
function namesOf(config: StdioServerConfig): readonly string[] {
  const run = packageRunOf(config);
  if (run && run.packages.length > 0) return run.packages.map((name) => name.toLowerCase());
  const program = nameOfFile(config.command);
  if (CONTAINER_ENGINE.test(program)) return config.args.filter((arg) => IMAGE.test(arg)).map(withoutTag);
  if (!INTERPRETER.test(program)) return [program];
  const module = config.args[config.args.indexOf('-m') + 1];
  if (module !== undefined && config.args.includes('-m')) return [module.toLowerCase().replaceAll('_', '-')];
  // `uv run`, `deno run`: what stands before it are options of theirs.
  const script = config.args.slice(config.args.indexOf('run') + 1).find((arg) => !arg.startsWith('-'));
  return script === undefined ? [] : [nameOfScript(script)];
}

const INTERPRETER = /^(node|nodejs|bun|deno|tsx|ts-node|python[0-9.]*|py|uv|ruby|java|sh|bash|zsh)$/;
const CONTAINER_ENGINE = /^(docker|podman|nerdctl)$/;
/** `mcp/playwright`, `mcr.microsoft.com/playwright/mcp:latest`; neither a path nor `host:container`. */
const IMAGE = /^(?![./~]|[a-z]:)[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)+(:[\w.-]+|@sha256:\w+)?$/i;

function withoutTag(image: string): string {
  return image.toLowerCase().replace(/(@sha256:\w+|:[\w.-]+)$/, '');
}

function nameOfFile(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.(exe|cmd|bat|ps1|sh|py|[cm]?[jt]s)$/, '');
}

/** Below `node_modules` the package; else the file. */
function nameOfScript(path: string): string {
  const inside = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1];
  return inside === undefined ? nameOfFile(path) : inside.toLowerCase().replace('\\', '/');
}
