import type { NamedEntry } from '../../../shared/ipc-contract.ts';
import type { ConnectionTest, Imports, Snippet } from '../../../shared/manage.ts';
import type { HealthPatch, LimitPatch } from '../../../shared/panel-settings.ts';
import { serverEntrySchema, toServerConfig, type ServerConfig } from '../../../shared/server-config.ts';
import { requireValidEntry } from './entry-problem.ts';
import { findImports } from './import/find-imports.ts';
import type { ImportEnvironment } from './import/import-strategy.ts';
import { parseSnippet } from './import/parse-snippet.ts';
import { readRegularFile } from '../files/regular-file.ts';
import { errnoOf } from '../files/file-errors.ts';
import { resolveFrom } from './resolve-path.ts';
import type { ServersFile } from './servers-file.ts';

/** Files of other clients hold their histories, too. */
const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

/** What a test of a connection found: as it crosses to the page, but its list of tools cannot be changed. */
type TestedConnection = Readonly<Omit<ConnectionTest, 'tools'>> & { readonly tools?: readonly string[] };

export interface ServerManagementOptions {
  /** Where servers.json is: relative paths in it begin there. */
  readonly folder: string;
  /** Where other clients keep their files. */
  readonly importEnvironment: ImportEnvironment;
  readonly test: (config: ServerConfig) => Promise<TestedConnection>;
}

/** What a person does with the entries of servers.json, beside putting and removing them. */
export class ServerManagement {
  readonly #file: ServersFile;
  readonly #options: ServerManagementOptions;

  constructor(file: ServersFile, options: ServerManagementOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Starts the server of an entry aside, whether it stands in the file or not. @throws CONFIG_INVALID with the field's path */
  async testConnection({ name, ...entry }: NamedEntry): Promise<ConnectionTest> {
    requireValidEntry(name, entry);
    const { folder, test } = this.#options;
    const config = toServerConfig(name, serverEntrySchema.parse(entry), (path) => resolveFrom(folder, path));
    const { tools, ...result } = await test(config);
    return { ...result, ...(tools && { tools: [...tools] }) };
  }

  /** @throws SERVER_UNKNOWN, CONFIG_BROKEN */
  async entry(name: string): Promise<{ entry: Record<string, unknown> }> {
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

  async #setPanel(name: string, group: 'limits' | 'health', values: LimitPatch | HealthPatch): Promise<void> {
    await this.#file.entry(name);
    for (const [key, value] of Object.entries(values))
      await this.#file.set(name, ['panel', group, key], value);
  }

  parseSnippet(text: string): Snippet {
    const { entries, problems } = parseSnippet(text);
    return {
      entries: entries.map((entry) => ({ ...entry })),
      problems: problems.map((problem) => ({ ...problem })),
    };
  }

  async findImports(): Promise<Imports> {
    const sources = await findImports({
      env: this.#options.importEnvironment,
      readFile: readIfThere,
      current: this.#file.current.servers,
    });
    const files = sources.map(({ strategy, path, servers, problems }) => ({
      strategy: strategy.id,
      label: strategy.label,
      path,
      servers: servers.map((server) => ({ ...server })),
      problems: problems.map((problem) => ({ ...problem })),
    }));
    return { files };
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return String(await readRegularFile(path, MAX_IMPORT_BYTES));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
