import type { SharingView } from '../../../../shared/domain.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { EditBasis, entriesCalls, NamedEntry } from '../../../../shared/ipc/topics/entries.ts';
import type { ConnectionTest, Taken } from '../../../../shared/manage.ts';
import type { HealthPatch, LimitPatch } from '../../../../shared/panel-settings.ts';
import { toErrorReport } from '../../../../shared/error-codes.ts';
import { serverEntrySchema, toServerConfig, type ServerConfig } from '../../../../shared/server-config.ts';
import { prepareExamples } from '../../config/example-servers.ts';
import { readClientFile } from '../../config/import/client-files.ts';
import { findImports } from '../../config/import/find-imports.ts';
import type { ImportEnvironment, ImportReading } from '../../config/import/import-strategy.ts';
import { checkOnMachine, type ImportMachine } from '../../config/import/machine-check.ts';
import { withoutOwnPanel } from '../../config/import/own-panel.ts';
import type { IsOwnEndpoint } from '../../config/own-endpoint.ts';
import { resolveFrom } from '../../config/resolve-path.ts';
import type { ServersFile } from '../../config/servers-file.ts';
import type { Fleet } from '../../supervisor/fleet.ts';
import type { ServerSupervisor } from '../../supervisor/server-supervisor.ts';
import type { SupervisedSessions } from '../../sessions/supervised-sessions.ts';

export interface EntriesTopicOptions {
  readonly file: ServersFile;
  readonly fleet: Fleet;
  readonly sessions: SupervisedSessions<ServerSupervisor>;
  /** The folder of servers.json, where relative paths in it begin. */
  readonly folder: string;
  /** The places where other clients keep their files. */
  readonly importEnvironment: ImportEnvironment;
  /** What this machine has for servers from elsewhere. Never rejects. */
  readonly machine: () => Promise<ImportMachine>;
  /** What leads back to the panel, which is nothing to import. */
  readonly isOwnEndpoint: IsOwnEndpoint;
  readonly test: (config: ServerConfig) => Promise<ConnectionTest>;
}

/** What a person does with the entries of servers.json. */
export class EntriesTopic implements CallAnswers<typeof entriesCalls> {
  readonly #file: ServersFile;
  readonly #options: EntriesTopicOptions;

  constructor(options: EntriesTopicOptions) {
    this.#file = options.file;
    this.#options = options;
  }

  /** Resolves when written. @throws PanelError CONFIG_BROKEN, CONFIG_INVALID; CONFIG_CONFLICT when the basis is no longer what stands on disk */
  async put(entry: NamedEntry, basis?: EditBasis): Promise<void> {
    await this.#file.put(entry, basis);
    const before = basis?.basedOn?.name ?? entry.name;
    if (before !== entry.name) await this.#whenGone(before);
  }

  /** Writes all that are valid with one write. @throws CONFIG_BROKEN, PERMISSION_DENIED: none is written then */
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
    if (valid.length > 0) await this.#file.putAll(valid);
    return { refused };
  }

  /** @throws as `putAll`, and what the folder of the examples refuses */
  async addExamples(): Promise<{ names: string[] }> {
    const taken = this.#file.current.servers.map(({ name }) => name);
    const entries = await prepareExamples(this.#options.folder, taken);
    await this.#file.putAll(entries);
    return { names: entries.map(({ name }) => name) };
  }

  /** Resolves when the server is gone. @throws PanelError SERVER_UNKNOWN, CONFIG_BROKEN */
  async remove(name: string): Promise<void> {
    this.#options.fleet.get(name);
    await this.#file.remove(name);
    await this.#whenGone(name);
  }

  /** Starts the server of an entry aside, whether it stands in the file or not. @throws CONFIG_INVALID with the field's path */
  async testConnection({ name, ...entry }: NamedEntry): Promise<ConnectionTest> {
    this.#file.requireValid(name, entry);
    const { folder, test } = this.#options;
    const config = toServerConfig(name, serverEntrySchema.parse(entry), (path) => resolveFrom(folder, path));
    return test(config);
  }

  /** @throws SERVER_UNKNOWN, CONFIG_BROKEN */
  async get(name: string): Promise<{ entry: Record<string, unknown> }> {
    return { entry: await this.#file.entry(name) };
  }

  /** @throws as `ServersFile.put` */
  async setEnabled(name: string, isEnabled: boolean): Promise<void> {
    await this.#file.entry(name);
    // `undefined` removes the key: an enabled entry says nothing of it.
    await this.#file.set(name, ['disabled'], isEnabled ? undefined : true);
  }

  /** Sets the limits that the patch names; the running server is held to them at once. @throws as `ServersFile.put` */
  async setLimits(name: string, limits: LimitPatch): Promise<void> {
    await this.#setPanel(name, 'limits', limits);
  }

  /** Sets what the patch names; the running server is judged by it at once. @throws as `ServersFile.put` */
  async setHealth(name: string, health: HealthPatch): Promise<void> {
    await this.#setPanel(name, 'health', health);
  }

  /** @throws PanelError SERVER_UNKNOWN, CONFIG_BROKEN */
  async setSharing(name: string, mode: SharingView['setting']): Promise<void> {
    this.#options.fleet.get(name);
    await this.#file.set(name, ['panel', 'sessions', 'mode'], mode);
  }

  /** A person says that a stall verdict was wrong: from now on this server is reported, and not restarted, for one. */
  async disputeVerdict(name: string): Promise<void> {
    this.#options.fleet.get(name);
    await this.#file.set(name, ['panel', 'health', 'onStall'], 'notify');
  }

  async #whenGone(name: string): Promise<void> {
    const { fleet, sessions } = this.#options;
    await Promise.all([fleet.whenRemoved(name), sessions.endFurther(name)]);
  }

  async #setPanel(name: string, group: 'limits' | 'health', values: LimitPatch | HealthPatch): Promise<void> {
    await this.#file.entry(name);
    for (const [key, value] of Object.entries(values))
      await this.#file.set(name, ['panel', group, key], value);
  }

  /** Entries in a text that a person copied from elsewhere. */
  async parseSnippet(text: string): Promise<ImportReading> {
    // The readers of TOML and YAML are loaded when somebody pastes, because every start would pay for them.
    const { parseSnippet } = await import('../../config/import/parse-snippet.ts');
    const { entries, problems } = withoutOwnPanel(parseSnippet(text), this.#options.isOwnEndpoint);
    const machine = await this.#options.machine();
    return { entries: await Promise.all(entries.map((entry) => checkOnMachine(entry, machine))), problems };
  }

  /** What the files of other clients offer. Never rejects: a file that cannot be read is a problem of that file. */
  async findImports() {
    const sources = await findImports({
      env: this.#options.importEnvironment,
      readFile: readClientFile,
      current: this.#file.current.servers,
      isOwnEndpoint: this.#options.isOwnEndpoint,
      entryOf: (name) => this.#file.entry(name),
      machine: await this.#options.machine(),
    });
    const files = sources.map(({ strategy: { id, label }, ...source }) => ({
      ...source,
      strategy: id,
      label,
    }));
    return { files };
  }
}
