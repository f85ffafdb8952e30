import { problemText } from '../../files/file-errors.ts';
import { stat } from 'node:fs/promises';
import { PanelError, toErrorReport } from '../../../../shared/error-codes.ts';
import type { Bridge, MoveResult, Restore, RestoreResult } from '../../../../shared/ipc/topics/programs.ts';
import type { JsonObject } from '../../../../shared/json-object.ts';
import type { ServerConfig, ServerEntry } from '../../../../shared/server-config.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { conflictError, replaceForeign, requireWritable, unusableError } from '../../files/foreign-file.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { readClientFile } from '../import/client-files.ts';
import type { ImportMachine } from '../import/machine-check.ts';
import type { IsOwnEndpoint } from '../own-endpoint.ts';
import type { ForeignProgram } from '../programs/program.ts';
import type { ImportEnvironment } from '../programs/environment.ts';
import { type OpenedFile, readProgram } from '../programs/read-program.ts';
import { foreignPrograms } from '../programs/programs.ts';
import { isUnreadable, type ServersText } from '../programs/spans/servers-text.ts';
import { type FindCopies, type StartedServer, startedServers } from './copies/running-copies.ts';
import { foundServers, type ForeignServer } from './found-servers.ts';
import { isSameMoved, type MovedEntry, type MovedFile } from './moved-file.ts';
import {
  planMove,
  preconditionOf,
  type UnmovedServer,
  type PlannedServer,
  type WantedServer,
} from './plan-move.ts';
import { restoreMoved } from './restore-moved.ts';
import { ofPath, pathsOf, readTarget, writePlanned } from './write-planned.ts';

/** An access token of the panel for a program (an MCP client), and a function that revokes the token if the move fails. */
export interface IssuedAccess {
  readonly token: string;
  readonly undo?: () => Promise<void>;
}

export interface ClientMoverOptions {
  readonly env: ImportEnvironment;
  readonly clock: Clock & WallClock;
  readonly moved: MovedFile;
  readonly isOwnEndpoint: IsOwnEndpoint;
  readonly machine: () => Promise<ImportMachine | undefined>;
  /** Access to servers.json. */
  readonly servers: {
    current(): readonly ServerConfig[];
    putAll(entries: readonly (ServerEntry & { readonly name: string })[]): Promise<void>;
    remove(name: string): Promise<void>;
  };
  /** Address of a server of the panel. */
  readonly addressOf: (server: string) => string;
  /**
   * Gives a program access to these servers. If `text`, the content of its file, already contains a valid token, that token is
   * used; otherwise a new one is created.
   */
  readonly issue: (label: string, text: string, servers: readonly string[]) => Promise<IssuedAccess>;
  /** Finds the bridge, the command that connects a program to the panel over stdio; undefined if not installed (the default). */
  readonly bridge?: (() => Promise<Bridge | undefined>) | undefined;
  /** Finds the server processes that programs have started themselves and that are running now. Default: none. */
  readonly copiesOf?: FindCopies | undefined;
}

/** What a move would change, for the servers that can be moved, and the servers that cannot. */
interface Preview {
  readonly planned: readonly PlannedServer[];
  readonly difference: MoveResult['difference'];
  readonly left: readonly UnmovedServer[];
}

/** Shown in previews instead of the token. A token is created only when the move is carried out. */
const SHOWN_TOKEN = 'mcpcp_…';
const IN_PLACE = 'the file has further names (hard links), so it is written in place';

/**
 * Moves servers from other programs to the panel, and back: in the program's file, each server's entry is replaced by one that
 * leads to the panel. The tasks run one after the other.
 */
export class ClientMover {
  readonly #options: ClientMoverOptions;
  readonly #queue = new SerialQueue();
  /** The bridge command that the current move writes into entries; undefined if the program can connect over HTTP. */
  #bridge: Bridge | undefined;

  constructor(options: ClientMoverOptions) {
    this.#options = options;
  }

  /**
   * Returns the programs that have a configuration file on this machine, with their servers. @throws CONFIG_BROKEN if
   * moved.json, the record of all moves, cannot be read
   */
  find() {
    return this.#queue.run(() => this.#find());
  }

  async #find() {
    const found = [];
    const started: StartedServer[] = [];
    for await (const { program, files, servers, starts } of this.#lookAtAll()) {
      const [first] = files;
      if (first === undefined) continue;
      started.push(...starts);
      const problem = files.flatMap(({ opened }) => (isUnreadable(opened) ? [opened] : []))[0];
      found.push({
        id: program.id,
        name: program.label,
        path: (files.find(({ opened }) => !isUnreadable(opened)) ?? first).file.path,
        readable: problem === undefined,
        ...(problem && { problem: problemText(problem) }),
        reload: program.reload,
        servers: servers.map(({ name, scope, path, moved, lost, shadowedBy }) => ({
          ...{ name, scope, path, moved },
          ...(lost && { lost }),
          ...(shadowedBy !== undefined && { shadowed: true as const, shadowedBy }),
        })),
      });
    }
    // If the running processes cannot be read, none are shown. Moving does not depend on them.
    const copies = await this.#options.copiesOf?.(started).catch(() => undefined);
    return found.map((one) => ({ ...one, copies: copies?.get(one.id) ?? [] }));
  }

  /**
   * Returns the servers that programs start themselves instead of using the panel. @throws CONFIG_BROKEN if moved.json, the
   * record of all moves, cannot be read
   */
  started(): Promise<readonly StartedServer[]> {
    return this.#queue.run(async () => {
      const all: StartedServer[] = [];
      for await (const { starts } of this.#lookAtAll()) all.push(...starts);
      return all;
    });
  }

  async *#lookAtAll() {
    const { moved, servers: own } = this.#options;
    const records = await moved.read();
    for (const program of foreignPrograms) {
      const { files, servers } = await this.#look(program, records);
      yield { program, files, servers, starts: startedServers(program.id, servers, own.current()) };
    }
  }

  /**
   * Returns what a move would change, with a precondition. Carries out the move if `commit` is that precondition. If a server
   * cannot be moved, the whole move is refused; with `partly`, only that server is left out, and named in the result. @throws
   * the reason why a server cannot be moved, as in `planMove`; CONFIG_CONFLICT if a file has changed since the preview
   */
  move(client: string, wanted: readonly WantedServer[], commit?: string, partly = false) {
    return this.#queue.run(async () => {
      const program = foreignPrograms.find(({ id }) => id === client);
      if (program === undefined)
        throw new PanelError('CLIENT_UNKNOWN', `Servers cannot be moved from a program "${client}".`);
      this.#bridge = program.entry === undefined ? await this.#options.bridge?.() : undefined;
      const { planned, difference, left } = await this.#preview(program, wanted);
      const [refused] = left;
      if (refused !== undefined && !partly) throw refused.error;
      const precondition = preconditionOf(planned);
      const shown = {
        difference,
        precondition,
        ...(partly && {
          left: left.map((one) => ({ ...one, error: toErrorReport(one.error, one.error.code) })),
        }),
      };
      if (commit === undefined) return shown;
      const [first] = planned;
      if (commit !== precondition)
        throw conflictError(first?.target.path ?? program.label, 'it has changed since it was shown');
      for (const path of pathsOf(planned)) await requireWritable(path);
      await this.#commit(program, planned);
      return shown;
    });
  }

  /** Restores the entries that a move replaced. @throws as `restoreMoved` */
  restore(filter: Restore): Promise<RestoreResult> {
    return this.#queue.run(() => restoreMoved(this.#options.moved, this.#options.clock, filter));
  }

  async #look(
    program: ForeignProgram,
    records: readonly MovedEntry[],
  ): Promise<{ readonly files: readonly OpenedFile[]; readonly servers: readonly ForeignServer[] }> {
    const { env, isOwnEndpoint } = this.#options;
    const files = await readProgram(program, env, readClientFile);
    return { files, servers: foundServers(program, files, records, isOwnEndpoint) };
  }

  async #plan(program: ForeignProgram, wanted: readonly WantedServer[]) {
    const { machine, moved, servers } = this.#options;
    const { files, servers: found } = await this.#look(program, await moved.read());
    const broken = files.find(({ opened }) => isUnreadable(opened));
    if (broken !== undefined && isUnreadable(broken.opened) && found.length === 0)
      throw unusableError(broken.file.path, broken.opened);
    return planMove(wanted, {
      program,
      servers: found,
      current: servers.current(),
      machine: await machine(),
      canStartPrograms: this.#bridge !== undefined,
    });
  }

  async #preview(program: ForeignProgram, wanted: readonly WantedServer[]): Promise<Preview> {
    const { planned, left } = await this.#plan(program, wanted);
    const difference: MoveResult['difference'] = [];
    const unwritable: UnmovedServer[] = [];
    for (const path of pathsOf(planned)) {
      const { opened } = await readTarget(program, path);
      const hasOtherNames = (await stat(path)).nlink > 1;
      const written = this.#write(program, opened, ofPath(planned, path), SHOWN_TOKEN);
      unwritable.push(...written.left);
      for (const { before, after, server } of written.entries) {
        const { name, scope } = server.found;
        const notes = [...server.notes, ...(hasOtherNames ? [IN_PLACE] : [])];
        difference.push({ server: name, scope, path, before, after, notes });
      }
    }
    if (unwritable.length === 0) return { planned, difference, left };
    // The remaining servers are planned again, because a plan may rely on a panel entry that one of the left-out servers would
    // have added.
    const isLeft = ({ name, scope }: WantedServer) =>
      unwritable.some((one) => one.name === name && one.scope === scope);
    const others = await this.#preview(
      program,
      wanted.filter((one) => !isLeft(one)),
    );
    return { ...others, left: [...others.left, ...unwritable] };
  }

  /** Writes servers.json, then each file. Undoes everything if the first file cannot be written. */
  async #commit(program: ForeignProgram, planned: readonly PlannedServer[]): Promise<void> {
    const { servers, issue } = this.#options;
    const added = new Map(planned.flatMap(({ entry, panelName }) => (entry ? [[panelName, entry]] : [])));
    const targets = await Promise.all(pathsOf(planned).map((path) => readTarget(program, path)));
    const texts = targets.map(({ content }) => content.text).join('\n');
    const names = planned.map(({ panelName }) => panelName);
    const access = await issue(program.label, texts, names);
    let isWritten = false;
    try {
      await servers.putAll([...added].map(([name, entry]) => ({ ...entry, name })));
      for (const path of pathsOf(planned)) {
        await this.#writeFile(program, path, ofPath(planned, path), access.token);
        isWritten = true;
      }
    } catch (error) {
      if (!isWritten) {
        await access.undo?.().catch(() => undefined);
        for (const name of added.keys()) await servers.remove(name).catch(() => undefined);
      }
      throw error;
    }
  }

  async #writeFile(
    program: ForeignProgram,
    path: string,
    planned: readonly PlannedServer[],
    token: string,
  ): Promise<void> {
    const { clock, moved } = this.#options;
    const { content, opened } = await readTarget(program, path);
    // The file was read again since it was planned. It must be unchanged, because only planned changes may be made.
    if (planned.some(({ found }) => found.path === path && found.opened.text !== content.text))
      throw conflictError(path, 'it has changed since it was shown');
    const written = this.#write(program, opened, planned, token);
    for (const { error } of written.left) throw error;
    const before = await moved.read();
    const records = written.entries.map(({ record }) => record);
    // moved.json is written first, with the text that is replaced, so that the text is not lost if the panel dies between the
    // two writes.
    await moved.write([
      ...before.filter((one) => !records.some((record) => isSameMoved(one, record))),
      ...records,
    ]);
    try {
      const hasLock = program.hasLock === true;
      await replaceForeign({ path, before: content, text: written.text, hasLock, clock });
    } catch (error) {
      await moved.write(before).catch(() => undefined);
      throw error;
    }
  }

  #write(program: ForeignProgram, opened: ServersText, planned: readonly PlannedServer[], token: string) {
    return writePlanned(program, opened, planned, (server) => this.#entry(program, server, token));
  }

  #entry({ entry }: ForeignProgram, { found, panelName }: PlannedServer, token: string): JsonObject {
    const { addressOf } = this.#options;
    if (entry !== undefined)
      return entry({ name: found.name, url: addressOf(panelName), authorization: `Bearer ${token}` });
    const { command = '', args = [], env = {} } = this.#bridge ?? {};
    return { command, args: [...args, panelName], env: { ...env, MCP_CONTROL_PANEL_TOKEN: token } };
  }
}
