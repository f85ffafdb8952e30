import { basename, dirname } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import type { EditBasis, NamedEntry } from '../../../shared/ipc/topics/entries.ts';
import { serverEntrySchema, toServerConfig, type ServerConfig } from '../../../shared/server-config.ts';
import type { Clock } from '../clock.ts';
import { brokenError } from '../files/file-errors.ts';
import { openEditedFile, type EditedFile, type EditedFileOptions } from '../files/edited-file.ts';
import { diffConfigs, type ConfigDiff } from './config-diff.ts';
import { putEntry, removeEntry } from './edit-servers.ts';
import { requireValidEntry, entryPath } from './entry-problem.ts';
import { applyParsed, emptyConfig, type LoadedConfig } from './loaded-config.ts';
import type { IsOwnEndpoint } from './own-endpoint.ts';
import { parseJsonDocument, readEntry } from './json-nodes.ts';
import { type PanelDefaults, type ParsedServers, parseServers } from './parse-servers.ts';
import { findNodeAtLocation, parseTree, type JSONPath } from 'jsonc-parser';
import { setValue } from './text-layout.ts';
import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../../../shared/own-value.ts';
import type { FileContent } from '../files/file-content.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { resolveFrom } from './resolve-path.ts';

export interface ConfigChange {
  readonly previous: LoadedConfig;
  readonly current: LoadedConfig;
  readonly diff: ConfigDiff;
  /** `defaults`: the file is unchanged, but the values for its omitted settings have changed. */
  readonly cause: 'file' | 'defaults';
}

/** A new text for one value of an entry. `path` is relative to the entry. */
export interface EntryText {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly value: string;
}

interface ServersFileOptions {
  /** Absolute path of servers.json. Beside it: `<path>.bak`, the content before the panel's last write, and briefly `*.tmp`. */
  readonly path: string;
  readonly clock: Clock;
  /** Returns the settings for servers that do not set their own; called at each read. */
  readonly defaults?: () => PanelDefaults;
  /** Detects addresses of the panel itself, which are refused; called at each read and write. Default: none. */
  readonly isOwnEndpoint?: IsOwnEndpoint;
  /**
   * Called and awaited before the panel writes entries, to record that the user agrees to them: what the panel itself writes
   * needs no further consent. Must not reject.
   */
  readonly onOwn?: (configs: readonly ServerConfig[], by: OwnWriter) => Promise<void>;
  /** Called before a text inside an entry is rewritten, with its definitions before and after. Must not throw. */
  readonly onRewrite?: (before: ServerConfig | undefined, after: ServerConfig | undefined) => void;
  /** Called after each change of the current configuration or of its error, before `put` or `remove` resolves. Must not throw. */
  readonly onChange: (change: ConfigChange) => void;
  /** Called when the file was rewritten without a change of the current configuration. Must not throw. */
  readonly onRewritten?: () => void;
}

/** The feature that made the panel write entries. */
type OwnWriter = 'window' | 'import' | 'move';

/** Opens servers.json, creating an empty one if missing, and watches it until disposed. The caller disposes. Never rejects. */
export async function openServersFile(options: ServersFileOptions): Promise<ServersFile> {
  return new ServersFile(options, await openEditedFile(editedFileOptions(options)));
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

/** The file servers.json: holds the current configuration, and edits the file safely. A broken file is never overwritten. */
export class ServersFile {
  readonly #options: ServersFileOptions;
  readonly #file: EditedFile<LoadedConfig, ParsedServers>;

  constructor(options: ServersFileOptions, file: EditedFile<LoadedConfig, ParsedServers>) {
    this.#options = options;
    this.#file = file;
  }

  /** The configuration that is currently used. It is a new object after every change. */
  get current(): LoadedConfig {
    return this.#file.current;
  }

  /** Checks that an entry may be written. @throws CONFIG_INVALID with the field's path */
  requireValid(name: string, entry: unknown): void {
    requireValidEntry(name, entry, this.#options.isOwnEndpoint);
  }

  /**
   * Creates or replaces an entry. Resolves once the entry is on disk and in use. If the entry is renamed, `basis` has its old
   * name, and the same write removes the old entry. @throws CONFIG_CONFLICT if the entry on disk is no longer the one in
   * `basis`, on which the edit is based; CONFIG_INVALID with the path of the wrong field; CONFIG_BROKEN while the file cannot
   * be used or written; PERMISSION_DENIED
   */
  async put({ name, ...entry }: NamedEntry, basis?: EditBasis): Promise<void> {
    this.requireValid(name, entry);
    await this.#own([{ name, ...entry }], 'window');
    const before = basis?.basedOn?.name ?? name;
    await this.#file.edit((text) => {
      if (basis !== undefined) requireUnchanged(text, name, basis);
      const written = putEntry(text, name, entry);
      return before === name ? written : removeEntry(written, before);
    });
  }

  /**
   * Creates or replaces several entries with one write; resolves when they are on disk and in force. @throws as `put`, for the
   * first entry that is refused; then no entry is written
   */
  async putAll(entries: readonly NamedEntry[], by: OwnWriter = 'window'): Promise<void> {
    for (const { name, ...entry } of entries) this.requireValid(name, entry);
    await this.#own(entries, by);
    await this.#file.edit((before) =>
      entries.reduce((text, { name, ...entry }) => putEntry(text, name, entry), before),
    );
  }

  /** Removes an entry if it exists. @throws as `put` */
  async remove(name: string): Promise<void> {
    await this.#file.edit((text) => removeEntry(text, name));
  }

  /** Sets one value of an entry, such as `['panel', 'health', 'onStall']`, and keeps the rest. @throws as `put` */
  async set(name: string, path: readonly string[], value: unknown): Promise<void> {
    await this.#file.edit((text) => setSetting(text, name, path, value));
  }

  /**
   * Replaces texts inside entries with one write. `change` can read the entries as they are in the file, and returns the new
   * texts. The backup file then gets the new content as well, because the old content may contain what has to disappear, such
   * as a secret. @throws what `change` throws; the errors of `put`, in which case nothing is written
   */
  async setAll(
    change: (entryOf: (name: string) => Record<string, unknown> | undefined) => readonly EntryText[],
  ): Promise<void> {
    const { path, onRewrite } = this.#options;
    let written = '';
    await this.#file.edit((text) => {
      const texts = change((name) => readEntry(text, name));
      written = texts.reduce(
        (result, { name, path: at, value }) => setSetting(result, name, at, value),
        text,
      );
      const [before, after] = [text, written].map((each) => this.#configsIn(each));
      for (const name of new Set(texts.map((one) => one.name)))
        onRewrite?.(before?.get(name), after?.get(name));
      return written;
    });
    await writeAtomically(`${path}.bak`, written, { afterPowerCut: 'either' });
  }

  #configsIn(text: string): ReadonlyMap<string, ServerConfig> {
    const parsed = parseServersContent(this.#options.path, {
      kind: 'text',
      text,
      hasBom: false,
      signature: '',
    });
    const entries = parsed.kind === 'broken' ? [] : parsed.entries;
    return new Map(entries.flatMap((entry) => ('config' in entry ? [[entry.name, entry.config]] : [])));
  }

  /** Returns a top-level value of the file, such as the `inputs` of VS Code; undefined if the file has none or cannot be read. */
  async besideEntries(key: string): Promise<unknown> {
    const { content, parsed } = await this.#file.read();
    if (parsed.kind === 'broken' || content.kind !== 'text') return undefined;
    const document = parseJsonDocument(content.text);
    return document.root && ownValue(document.valueOf(document.root) as Record<string, unknown>, key);
  }

  /** Applies changed defaults to the current configuration. */
  refresh(): void {
    this.#file.check();
  }

  /** Reads an entry from disk, for editing. @throws CONFIG_BROKEN; SERVER_UNKNOWN when there is none */
  async entry(name: string): Promise<Record<string, unknown>> {
    const { content, parsed } = await this.#file.read();
    if (parsed.kind === 'broken') throw brokenError(this.#options.path, parsed.problem);
    const entry = content.kind === 'text' ? readEntry(content.text, name) : undefined;
    if (!entry)
      throw new PanelError(
        'SERVER_UNKNOWN',
        `There is no server "${name}" in ${basename(this.#options.path)}.`,
      );
    return entry;
  }

  async #own(entries: readonly NamedEntry[], by: OwnWriter): Promise<void> {
    const { onOwn, path } = this.#options;
    const resolvePath = (written: string) => resolveFrom(dirname(path), written);
    await onOwn?.(
      entries.map(({ name, ...entry }) => toServerConfig(name, serverEntrySchema.parse(entry), resolvePath)),
      by,
    );
  }

  /** Stops watching. Idempotent. A running write is finished; later ones are refused. */
  dispose(): void {
    this.#file.dispose();
  }
}

/**
 * Returns the text with one value of an entry set, such as `['panel', 'health', 'onStall']`; missing objects are created.
 * Without a value it is removed. Everything else stays, comments included. The entry `name` must exist.
 */
export function setSetting(
  text: string,
  name: string,
  path: readonly (string | number)[],
  value: unknown,
): string {
  const place: JSONPath = ['mcpServers', name, ...path];
  // jsonc-parser throws if there is nothing to remove.
  return value === undefined && !hasValue(text, place) ? text : setValue(text, place, value);
}

function hasValue(text: string, place: JSONPath): boolean {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root !== undefined && findNodeAtLocation(root, place) !== undefined;
}

/**
 * Refuses an edit if the entry on disk has changed since the user began to edit it, or if the new name is taken. @throws
 * CONFIG_CONFLICT, with the changed fields in its message
 */
function requireUnchanged(text: string, name: string, { basedOn }: EditBasis): void {
  if (basedOn?.name !== name && readEntry(text, name) !== undefined)
    throw conflict(`${entryPath(name)} is already in servers.json`);
  if (basedOn === null) return;
  const place = entryPath(basedOn.name);
  const now = readEntry(text, basedOn.name);
  if (now === undefined) throw conflict(`${place} was removed from servers.json while it was edited`);
  const changed = changedKeys(basedOn.entry, now);
  if (changed.length > 0)
    throw conflict(`${place} was changed in servers.json while it was edited: ${changed.join(', ')}`);
}

function changedKeys(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(ownValue(before, key), ownValue(after, key)));
}

const conflict = (message: string) =>
  new PanelError('CONFIG_CONFLICT', message, { remedy: 'Read the entry again, then edit it.' });

/** Parses the content of servers.json; content that is not text is `broken`. Relative paths start at its folder. Never throws. */
export function parseServersContent(
  path: string,
  content: FileContent,
  defaults?: PanelDefaults,
  isOwnEndpoint?: IsOwnEndpoint,
): ParsedServers {
  const name = basename(path);
  switch (content.kind) {
    case 'gone':
      return {
        kind: 'broken',
        problem: { message: `${name} is gone: expected a file at ${path}, found none` },
      };
    case 'unreadable':
      return { kind: 'broken', problem: { message: `${name} cannot be read: ${content.reason}` } };
    case 'text':
      return parseServers(
        content.text,
        (written) => resolveFrom(dirname(path), written),
        defaults,
        isOwnEndpoint,
      );
  }
}
