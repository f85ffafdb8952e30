import type { SharingView } from '../../../../shared/sessions-view.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { EditBasis, entriesCalls, NamedEntry } from '../../../../shared/ipc/topics/entries.ts';
import type { ConnectionTest, Taken } from '../../../../shared/manage.ts';
import type { HealthPatch, LimitPatch } from '../../../../shared/panel-settings.ts';
import { toErrorReport } from '../../../../shared/error-codes.ts';
import { serverEntrySchema, toServerConfig } from '../../../../shared/server-config.ts';
import { prepareExamples } from '../../config/example-servers.ts';
import { readClientFile } from '../../config/import/client-files.ts';
import type { ImportReading } from '../../config/import/entry-collector.ts';
import { checkOnMachine } from '../../config/import/machine-check.ts';
import { thisMachine } from '../../config/import/this-machine.ts';
import { withoutOwnPanel } from '../../config/import/own-panel.ts';
import { resolveFrom } from '../../config/resolve-path.ts';
import type { ServersFile } from '../../config/servers-file.ts';
import type { PanelBase } from '../panel-base.ts';
import type { ServersParts } from '../wire-servers.ts';

type EntriesTopicParts = Pick<ServersParts, 'fleet' | 'sessions' | 'supervisors'>;

/** Requests of the app window that edit the entries of servers.json. */
export class EntriesTopic implements CallAnswers<typeof entriesCalls> {
  readonly #file: ServersFile;
  readonly #base: PanelBase;
  readonly #parts: EntriesTopicParts;

  constructor(base: PanelBase, parts: EntriesTopicParts) {
    this.#file = base.files.servers;
    this.#base = base;
    this.#parts = parts;
  }

  /**
   * Writes an entry. Resolves when it is on disk and, after a rename, when the server with the old name has ended. @param basis
   * revision of the file that the user edited @throws PanelError CONFIG_BROKEN, CONFIG_INVALID; CONFIG_CONFLICT if the file has
   * another revision
   */
  async put(entry: NamedEntry, basis?: EditBasis): Promise<void> {
    await this.#file.put(entry, basis);
    const before = basis?.basedOn?.name ?? entry.name;
    if (before !== entry.name) await this.#whenGone(before);
  }

  /** Writes all valid entries, or none if it throws; returns the others with errors. @throws CONFIG_BROKEN, PERMISSION_DENIED */
  async putAll(entries: readonly NamedEntry[]): Promise<Taken> {
    const refused: Taken['refused'] = [];
    const valid = entries.filter(({ name, ...entry }) => {
      try {
        this.#file.requireValid(name, entry);
        return true;
      } catch (error) {
        refused.push({ name, error: toErrorReport(error, 'CONFIG_INVALID') });
        return false;
      }
    });
    if (valid.length > 0) await this.#file.putAll(valid, 'import');
    return { refused };
  }

  /** Adds the example servers. @throws as `putAll`, and any error from creating the folder of the examples */
  async addExamples(): Promise<{ names: string[] }> {
    const taken = this.#file.current.servers.map(({ name }) => name);
    const entries = await prepareExamples(this.#base.options.home, taken);
    await this.#file.putAll(entries);
    return { names: entries.map(({ name }) => name) };
  }

  /** Removes a server; resolves when its last process has ended. @throws PanelError SERVER_UNKNOWN, CONFIG_BROKEN */
  async remove(name: string): Promise<void> {
    this.#parts.fleet.get(name);
    await this.#file.remove(name);
    await this.#whenGone(name);
  }

  /** Tests an entry, saved or not, by starting a separate instance of it. @throws CONFIG_INVALID with the field's path */
  async testConnection({ name, ...entry }: NamedEntry): Promise<ConnectionTest> {
    this.#file.requireValid(name, entry);
    const { home } = this.#base.options;
    const config = toServerConfig(name, serverEntrySchema.parse(entry), (path) => resolveFrom(home, path));
    return this.#parts.supervisors.test(config);
  }

  /** Returns the entry as written in the file. @throws SERVER_UNKNOWN, CONFIG_BROKEN */
  async get(name: string): Promise<{ entry: Record<string, unknown> }> {
    return { entry: await this.#file.entry(name) };
  }

  /** Enables or disables a server. @throws as `ServersFile.put` */
  async setEnabled(name: string, isEnabled: boolean): Promise<void> {
    await this.#file.entry(name);
    // `undefined` removes the key, because an enabled entry omits it.
    await this.#file.set(name, ['disabled'], isEnabled ? undefined : true);
  }

  /** Changes only the limits that are in `limits`. They apply to a running server immediately. @throws as `ServersFile.put` */
  async setLimits(name: string, limits: LimitPatch): Promise<void> {
    await this.#setPanel(name, 'limits', limits);
  }

  /** Changes only the health settings in `health`, immediately for a running server too. @throws as `ServersFile.put` */
  async setHealth(name: string, health: HealthPatch): Promise<void> {
    await this.#setPanel(name, 'health', health);
  }

  /** Sets how clients share the server's instances. @throws PanelError SERVER_UNKNOWN, CONFIG_BROKEN */
  async setSharing(name: string, mode: SharingView['setting']): Promise<void> {
    this.#parts.fleet.get(name);
    await this.#file.set(name, ['panel', 'sessions', 'mode'], mode);
  }

  /** Sets the idle time after which each of the servers is put to sleep. @throws PanelError SERVER_UNKNOWN, CONFIG_BROKEN */
  async setSleepAfter(names: readonly string[], sleepAfterMs: number): Promise<void> {
    for (const name of names) {
      await this.#file.entry(name);
      await this.#file.set(name, ['panel', 'sleepAfterMs'], sleepAfterMs);
    }
  }

  /**
   * Called when the user reports that the panel wrongly considered a server stalled. From then on, a stall of this server is
   * only reported and no longer causes a restart.
   */
  async disputeVerdict(name: string): Promise<void> {
    this.#parts.fleet.get(name);
    await this.#file.set(name, ['panel', 'health', 'onStall'], 'notify');
  }

  async #whenGone(name: string): Promise<void> {
    const { fleet, sessions } = this.#parts;
    await Promise.all([fleet.whenRemoved(name), sessions.endFurther(name)]);
  }

  async #setPanel(name: string, group: 'limits' | 'health', values: LimitPatch | HealthPatch): Promise<void> {
    await this.#file.entry(name);
    for (const [key, value] of Object.entries(values))
      await this.#file.set(name, ['panel', group, key], value);
  }

  /** Parses the entries in a text that the user pasted. */
  async parseSnippet(text: string): Promise<ImportReading> {
    // The parsers of TOML and YAML are loaded on demand, because otherwise they would slow down every app start.
    const { parseSnippet } = await import('../../config/import/parse-snippet.ts');
    const { entries, problems } = withoutOwnPanel(parseSnippet(text), this.#base.files.ownEndpoint.isOwn);
    const machine = await thisMachine(this.#base.options);
    return { entries: await Promise.all(entries.map((entry) => checkOnMachine(entry, machine))), problems };
  }

  /** Finds servers in configuration files of other MCP clients. Never rejects: an unreadable file is reported as a problem. */
  async findImports() {
    // Waits until the window has opened. The page sends this request while it draws its first view, and reading the files and
    // running the login shell would slow that down.
    const { files: own, options } = this.#base;
    await options.startsAfter;
    // Loaded on demand, because loading the parsers of TOML and YAML would slow down every app start.
    const { findImports } = await import('../../config/import/find-imports.ts');
    const files = await findImports({
      env: options.importEnvironment,
      readFile: readClientFile,
      current: this.#file.current.servers,
      isOwnEndpoint: own.ownEndpoint.isOwn,
      entryOf: (name) => this.#file.entry(name),
      machine: await thisMachine(options),
    });
    return { files };
  }
}
