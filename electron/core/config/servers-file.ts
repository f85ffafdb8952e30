import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import type { EditBasis, NamedEntry } from '../../../shared/ipc/topics/entries.ts';
import type { Clock } from '../clock.ts';
import { brokenError } from '../files/edit-errors.ts';
import { openEditedFile, type EditedFile, type EditedFileOptions } from '../files/edited-file.ts';
import { diffConfigs, type ConfigDiff } from './config-diff.ts';
import { requireUnchanged } from './edit-basis.ts';
import { putEntry, removeEntry } from './edit-servers.ts';
import { requireValidEntry } from './entry-problem.ts';
import { applyParsed, emptyConfig, type LoadedConfig } from './loaded-config.ts';
import { parseServersContent } from './parse-content.ts';
import type { IsOwnEndpoint } from './own-endpoint.ts';
import type { PanelDefaults, ParsedServers } from './parse-servers.ts';
import { readEntry } from './read-entry.ts';
import { setSetting } from './set-setting.ts';

export interface ConfigChange {
  readonly previous: LoadedConfig;
  readonly current: LoadedConfig;
  readonly diff: ConfigDiff;
  /** `defaults`: the file is as it was, what stands for what it leaves out has changed. */
  readonly cause: 'file' | 'defaults';
}

export interface ServersFileOptions {
  /** Absolute. Beside it stand `<path>.bak`, the content before the last write of ours, and, for moments, `*.tmp`. */
  readonly path: string;
  readonly clock: Clock;
  /** What servers get that set nothing of the kind themselves; asked at each look. */
  readonly defaults?: () => PanelDefaults;
  /** What leads back to the panel, which an entry must not; asked at each look and each write. Default: nothing does. */
  readonly isOwnEndpoint?: IsOwnEndpoint;
  /** Called after every change of what is in force or of the error, whoever wrote it, and before `put` or `remove` resolves. Must not throw. */
  readonly onChange: (change: ConfigChange) => void;
  /** The file says the same in other words, or something that nothing reads: what is in force stays. Must not throw. */
  readonly onRewritten?: () => void;
}

/** Opens servers.json and watches it until disposed; a missing one is created, empty. The caller disposes. Never rejects. */
export async function openServersFile(options: ServersFileOptions): Promise<ServersFile> {
  const { path, isOwnEndpoint = () => false } = options;
  return new ServersFile(path, await openEditedFile(editedFileOptions(options)), isOwnEndpoint);
}

function editedFileOptions({
  path,
  clock,
  defaults,
  isOwnEndpoint,
  onChange,
  onRewritten,
}: ServersFileOptions): EditedFileOptions<LoadedConfig, ParsedServers> {
  return {
    path,
    clock,
    parse: (content) => parseServersContent(path, content, defaults?.(), isOwnEndpoint),
    apply: applyParsed,
    initial: emptyConfig,
    firstText: '{\n  "mcpServers": {}\n}\n',
    onChange: ({ previous, current, isRewritten }) => {
      const diff = diffConfigs(previous.servers, current.servers);
      onChange({ previous, current, diff, cause: isRewritten ? 'file' : 'defaults' });
    },
    onRewritten,
  };
}

/** servers.json: what of it is in force, and careful changes to it. A broken one is never written. */
export class ServersFile {
  readonly #path: string;
  readonly #file: EditedFile<LoadedConfig, ParsedServers>;
  readonly #isOwnEndpoint: IsOwnEndpoint;

  constructor(path: string, file: EditedFile<LoadedConfig, ParsedServers>, isOwnEndpoint: IsOwnEndpoint) {
    this.#path = path;
    this.#file = file;
    this.#isOwnEndpoint = isOwnEndpoint;
  }

  /** What is in force now: a new object after every change. */
  get current(): LoadedConfig {
    return this.#file.current;
  }

  /** Whether an entry could be written. @throws CONFIG_INVALID with the field's path */
  requireValid(name: string, entry: unknown): void {
    requireValidEntry(name, entry, this.#isOwnEndpoint);
  }

  /**
   * Creates or replaces an entry whole; resolves when it is on disk and in force. With a basis, the entry that it names goes
   * with the same write where it had another name.
   * @throws CONFIG_CONFLICT when the basis is no longer what stands on disk; CONFIG_INVALID with the field's path; CONFIG_BROKEN while the file cannot be used or written; PERMISSION_DENIED
   */
  async put({ name, ...entry }: NamedEntry, basis?: EditBasis): Promise<void> {
    this.requireValid(name, entry);
    const before = basis?.basedOn?.name ?? name;
    await this.#file.edit((text) => {
      if (basis !== undefined) requireUnchanged(text, name, basis);
      const written = putEntry(text, name, entry);
      return before === name ? written : removeEntry(written, before);
    });
  }

  /**
   * Creates or replaces several entries with one write; resolves when they are on disk and in force.
   * @throws as `put` of the first that is refused; then none is written
   */
  async putAll(entries: readonly NamedEntry[]): Promise<void> {
    for (const { name, ...entry } of entries) this.requireValid(name, entry);
    await this.#file.edit((before) =>
      entries.reduce((text, { name, ...entry }) => putEntry(text, name, entry), before),
    );
  }

  /** Removes an entry; nothing happens when there is none. @throws as `put` */
  async remove(name: string): Promise<void> {
    await this.#file.edit((text) => removeEntry(text, name));
  }

  /** Sets one value of an entry, such as `['panel', 'health', 'onStall']`, and leaves the rest of it as it is. @throws as `put` */
  async set(name: string, path: readonly string[], value: unknown): Promise<void> {
    await this.#file.edit((text) => setSetting(text, name, path, value));
  }

  /** The defaults have changed: what is in force is worked out anew. */
  refresh(): void {
    this.#file.check();
  }

  /** An entry as it stands on disk, for editing it. @throws CONFIG_BROKEN; SERVER_UNKNOWN when there is none */
  async entry(name: string): Promise<Record<string, unknown>> {
    const { content, parsed } = await this.#file.read();
    if (parsed.kind === 'broken') throw brokenError(this.#path, parsed.problem);
    const entry = content.kind === 'text' ? readEntry(content.text, name) : undefined;
    if (!entry)
      throw new PanelError('SERVER_UNKNOWN', `There is no server "${name}" in ${basename(this.#path)}.`);
    return entry;
  }

  /** Stops watching. Idempotent. A write under way is still finished; later ones are refused. */
  dispose(): void {
    this.#file.dispose();
  }
}
