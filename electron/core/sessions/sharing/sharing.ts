import { engineOf } from '../../../../shared/container-run.ts';
import type { SharingView } from '../../../../shared/sessions-view.ts';
import type { ServerConfig, StdioServerConfig } from '../../../../shared/server-config.ts';
import { serverKeys } from '../../config/server-key.ts';
import { packageRunOf } from '../../../../shared/package-run.ts';
import type { AnswerOrder } from './call-turns.ts';
import type { SessionMode } from '../session-policy.ts';
import { sharingCatalogue } from './catalogue.ts';
import { ObservedSharing } from './observed.ts';

/** Sharing mode of a server, what decided it (such as the user's setting or the catalogue), and the reason as text. */
export type SharingDecision = Omit<SharingView, 'setting' | 'waits' | 'secondClient'>;

/** Mode that follows from observed behaviour, such as server requests to clients. */
type ObservedMode = Pick<SharingDecision, 'mode' | 'words' | 'asksClients'>;

/**
 * What a server wants from clients, as the end of "It asks its clients …", by the method of its requests. Contains the server
 * requests of the protocol that clients can answer through the panel (2025-11-25, "Client features").
 */
const wants: ReadonlyMap<string, string> = new Map([
  ['sampling/createMessage', 'for answers of their model'],
  ['elicitation/create', 'for answers of their user'],
]);

interface SharingOptions {
  readonly lessons: ObservedSharing;
  /** Returns the version that the server reported; undefined before its first start. */
  readonly versionOf: (config: ServerConfig) => string | undefined;
  readonly epochMs: () => number;
}

/** Decides for each server whether clients share its process, from its settings, the catalogue and its observed behaviour. */
export class Sharing {
  readonly #options: SharingOptions;
  /**
   * Decisions by configuration object, which is never modified. A decision is deleted when there is a new observation, or when
   * the server's version may have changed.
   */
  readonly #decisions = new WeakMap<ServerConfig, SharingDecision>();

  readonly #keyOf = serverKeys();
  /** Time of the first server request of a new kind in this app run, in epoch milliseconds, by server key. */
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

  /** Records a request from the server to a client. Returns whether its method is new for this server. */
  asked(config: ServerConfig, method: string): boolean {
    const { lessons, versionOf, epochMs } = this.#options;
    const isNews = wants.has(method) && lessons.learn(this.#keyOf(config), versionOf(config), method);
    if (!isNews) return false;
    this.#decisions.delete(config);
    const key = this.#keyOf(config);
    if (!this.#askedAt.has(key)) this.#askedAt.set(key, epochMs());
    return true;
  }

  /**
   * Time of the first server request of a new kind in this app run, in epoch milliseconds. 0 if there was none, for example
   * because all kinds were already observed in an earlier app run.
   */
  askedSince(config: ServerConfig): number {
    return this.#askedAt.get(this.#keyOf(config)) ?? 0;
  }

  /** Records the observed answer order. Returns whether it is new. */
  answered(config: ServerConfig, order: AnswerOrder): boolean {
    const { lessons, versionOf } = this.#options;
    const isNews = lessons.learnAnswers(this.#keyOf(config), versionOf(config), order);
    if (isNews) this.#decisions.delete(config);
    return isNews;
  }

  /** Called when the version of the server may have changed, because one of its runs has come up or ended. */
  runChanged(config: ServerConfig): void {
    this.#decisions.delete(config);
  }

  of(config: ServerConfig): SharingDecision {
    const known = this.#decisions.get(config);
    if (known) return known;
    const { lessons, versionOf } = this.#options;
    const version = versionOf(config);
    const key = this.#keyOf(config);
    const answersInTurn = config.transport === 'stdio' && lessons.answersOf(key, version) === 'in-turn';
    const resolved = resolveSharing(config, observedMode(lessons.of(key, version)));
    const decision = { ...resolved, ...(answersInTurn && { answersInTurn }) };
    this.#decisions.set(config, decision);
    return decision;
  }
}

/**
 * Returns the sharing mode that follows from the methods of server requests. A request over a shared connection does not name
 * the client that it is meant for. Therefore, if the server sends any request that a client has to answer, each client gets a
 * replica. Requests for folders (`roots/list`) have no effect, because no client reveals its folders through the panel.
 */
export function observedMode(methods: readonly string[]): ObservedMode | undefined {
  const asked = methods.flatMap((method) => wants.get(method) ?? []);
  if (asked.length === 0) return undefined;
  const words = `It asks its clients ${asked.join(' and ')}, so each client gets a process from its next session on.`;
  return { mode: 'exclusive', asksClients: true, words };
}

/**
 * Decides the mode. The user's setting comes first, then the catalogue, then the observed behaviour. The default is `shared`,
 * because most servers keep no state of their users.
 */
export function resolveSharing(config: ServerConfig, learnt: ObservedMode | undefined): SharingDecision {
  const { mode } = config.panel.sessions;
  if (mode !== 'auto') return { mode, reason: 'setting', words: 'The configuration says so.' };
  const listed = config.transport === 'stdio' ? listedSharing(config) : undefined;
  if (listed) return { ...listed, reason: 'catalogue' };
  if (learnt) return { ...learnt, reason: 'learnt' };
  return { mode: 'shared', reason: 'default', words: 'Nothing is known that makes sharing unsafe.' };
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
 * Returns the names by which the catalogue may recognize a command line, in lower case. These are the packages that a package
 * runner runs; otherwise the program or, for an interpreter or a container engine, the script, module or image. Folders and
 * other arguments are ignored, because the user chose their names ("~/chrome-notes").
 */
function namesOf(config: StdioServerConfig): readonly string[] {
  const run = packageRunOf(config);
  if (run && run.packages.length > 0) return run.packages.map((name) => name.toLowerCase());
  const program = nameOfFile(config.command);
  if (engineOf(program) !== undefined) return config.args.filter((arg) => IMAGE.test(arg)).map(withoutTag);
  if (!INTERPRETER.test(program)) return [program];
  const module = config.args[config.args.indexOf('-m') + 1];
  if (module !== undefined && config.args.includes('-m')) return [module.toLowerCase().replaceAll('_', '-')];
  // In `uv run` and `deno run`, the arguments before `run` are options of the runner.
  const script = config.args.slice(config.args.indexOf('run') + 1).find((arg) => !arg.startsWith('-'));
  return script === undefined ? [] : [nameOfScript(script)];
}

const INTERPRETER = /^(node|nodejs|bun|deno|tsx|ts-node|python[0-9.]*|py|uv|ruby|java|sh|bash|zsh)$/;
/** Matches images such as `mcp/playwright` and `mcr.microsoft.com/playwright/mcp:latest`, but no path and no `host:container`. */
const IMAGE = /^(?![./~]|[a-z]:)[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)+(:[\w.-]+|@sha256:\w+)?$/i;

function withoutTag(image: string): string {
  return image.toLowerCase().replace(/(@sha256:\w+|:[\w.-]+)$/, '');
}

function nameOfFile(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return name.toLowerCase().replace(/\.(exe|cmd|bat|ps1|sh|py|[cm]?[jt]s)$/, '');
}

/** Returns the package if the script is below `node_modules`, otherwise the file name. */
function nameOfScript(path: string): string {
  const inside = /^node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(
    path.slice(path.lastIndexOf('node_modules')),
  )?.[1];
  return inside === undefined ? nameOfFile(path) : inside.toLowerCase().replace('\\', '/');
}
