import { engineOf } from '../../../../shared/container-run.ts';
import type { SharingView } from '../../../../shared/domain.ts';
import type { ServerConfig, StdioServerConfig } from '../../../../shared/server-config.ts';
import { serverKey } from '../../config/server-key.ts';
import { packageRunOf } from '../../../../shared/package-run.ts';
import type { AnswerOrder } from './call-turns.ts';
import type { SessionMode } from '../session-policy.ts';
import { sharingCatalogue } from './catalogue.ts';
import { ObservedSharing } from './observed.ts';

/** How a server is shared between its users, by what that was decided, and why in words. */
export type SharingDecision = Omit<SharingView, 'setting' | 'waits' | 'secondClient'>;

/** What running a server has shown, for instance that it asks its clients. */
export type ObservedMode = Pick<SharingDecision, 'mode' | 'words' | 'asksClients'>;

/** What a server asks its clients for, in words. Requests of the protocol that clients answer here (2025-11-25, "Client features"). */
const wants: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'for answers of their model'],
  ['elicitation/create', 'to put questions to their person'],
]);

export interface SharingOptions {
  readonly lessons: ObservedSharing;
  /** The version that the server said it has; undefined before its first start. */
  readonly versionOf: (config: ServerConfig) => string | undefined;
  readonly epochMs: () => number;
}

/** How each server is shared, with what running the servers has shown. */
export class Sharing {
  readonly #options: SharingOptions;
  /** Configurations never change in place; a lesson, or another version of the server, makes a decision void. */
  readonly #decisions = new WeakMap<
    ServerConfig,
    { version: string | undefined; decision: SharingDecision }
  >();

  /** By server key. */
  readonly #askedAt = new Map<string, number>();

  constructor(
    options: SharingOptions = {
      lessons: new ObservedSharing(),
      versionOf: () => undefined,
      epochMs: () => 0,
    },
  ) {
    this.#options = options;
  }

  /** The server sent a request. Returns whether that is news. */
  asked(config: ServerConfig, method: string): boolean {
    const { lessons, versionOf, epochMs } = this.#options;
    const isNews = wants.has(method) && lessons.learn(serverKey(config), versionOf(config), method);
    if (!isNews) return false;
    this.#decisions.delete(config);
    const key = serverKey(config);
    if (!this.#askedAt.has(key)) this.#askedAt.set(key, epochMs());
    return true;
  }

  /** When it first asked in this run of the panel, in epoch milliseconds; 0 where that was known before. */
  askedSince(config: ServerConfig): number {
    return this.#askedAt.get(serverKey(config)) ?? 0;
  }

  /** Calls showed how the server answers. Returns whether that is news. */
  answered(config: ServerConfig, order: AnswerOrder): boolean {
    const { lessons, versionOf } = this.#options;
    const isNews = lessons.learnAnswers(serverKey(config), versionOf(config), order);
    if (isNews) this.#decisions.delete(config);
    return isNews;
  }

  of(config: ServerConfig): SharingDecision {
    const { lessons, versionOf } = this.#options;
    const version = versionOf(config);
    const known = this.#decisions.get(config);
    if (known && known.version === version) return known.decision;
    const key = serverKey(config);
    const answersInTurn = config.transport === 'stdio' && lessons.answersOf(key, version) === 'in-turn';
    const resolved = resolveSharing(config, observedMode(lessons.of(key, version)));
    const decision = { ...resolved, ...(answersInTurn && { answersInTurn }) };
    this.#decisions.set(config, { version, decision });
    return decision;
  }
}

/**
 * What follows from the methods that a server asked its clients with. A shared server cannot say whose client it asks, so
 * each client gets a process. Folders are never told to anybody, so asking for them alone changes nothing.
 */
export function observedMode(methods: readonly string[]): ObservedMode | undefined {
  const asked = methods.flatMap((method) => wants.get(method) ?? []);
  if (asked.length === 0) return undefined;
  const words = `It asks its clients ${asked.join(' and ')}, so each client gets a process from its next session on.`;
  return { mode: 'exclusive', asksClients: true, words };
}

/** The person's setting, else the catalogue, else what was learnt, else shared: most servers hold nothing of their users. */
export function resolveSharing(config: ServerConfig, learnt: ObservedMode | undefined): SharingDecision {
  const { mode } = config.panel.sessions;
  if (mode !== 'auto') return { mode, reason: 'setting', words: 'The configuration says so.' };
  const listed = config.transport === 'stdio' ? listedSharing(config) : undefined;
  if (listed) return { ...listed, reason: 'catalogue' };
  if (learnt) return { ...learnt, reason: 'learnt' };
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
  if (engineOf(program) !== undefined) return config.args.filter((arg) => IMAGE.test(arg)).map(withoutTag);
  if (!INTERPRETER.test(program)) return [program];
  const module = config.args[config.args.indexOf('-m') + 1];
  if (module !== undefined && config.args.includes('-m')) return [module.toLowerCase().replaceAll('_', '-')];
  // `uv run`, `deno run`: what stands before it are options of theirs.
  const script = config.args.slice(config.args.indexOf('run') + 1).find((arg) => !arg.startsWith('-'));
  return script === undefined ? [] : [nameOfScript(script)];
}

const INTERPRETER = /^(node|nodejs|bun|deno|tsx|ts-node|python[0-9.]*|py|uv|ruby|java|sh|bash|zsh)$/;
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
  const inside = /^node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(
    path.slice(path.lastIndexOf('node_modules')),
  )?.[1];
  return inside === undefined ? nameOfFile(path) : inside.toLowerCase().replace('\\', '/');
}
