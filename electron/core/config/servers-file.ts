import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PanelError } from '../../../shared/error-codes.ts';
import type { EditBasis, NamedEntry } from '../../../shared/ipc-contract.ts';
import type { Clock, Disposable } from '../clock.ts';
import { diffConfigs, type ConfigDiff } from './config-diff.ts';
import { requireUnchanged } from './edit-basis.ts';
import { putEntry, removeEntry } from './edit-servers.ts';
import { requireValidEntry } from './entry-problem.ts';
import { encodeText, errnoOf, type FileContent } from './file-content.ts';
import { pollFile } from './file-poll.ts';
import { applyParsed, emptyConfig, type LoadedConfig } from './loaded-config.ts';
import { parseServers, type PanelDefaults } from './parse-servers.ts';
import { readEntry } from './read-entry.ts';
import { isSameContent, readServers, type ServersReading } from './read-servers.ts';
import { createPrivateFile, replaceFile } from './replace-file.ts';
import { setSetting } from './set-setting.ts';
import { brokenError, isInUse, writeError } from './servers-file-errors.ts';

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
  /** After every change of what is in force or of the error, whoever wrote it; before `put` or `remove` resolves. Must not throw. */
  readonly onChange: (change: ConfigChange) => void;
  /** The file says the same in other words, or something that nothing reads: what is in force stays. Must not throw. */
  readonly onRewritten?: () => void;
}

/** An editor that does not replace its files in one step shows half of them for a moment. */
const SETTLE_MS = 150;
const SETTLE_LOOKS = 3;
/** How often somebody else may write between our reading and our renaming before we give up. */
const WRITE_ATTEMPTS = 5;

/** Opens servers.json and watches it until disposed; a missing one is created, empty. The caller disposes. Never rejects. */
export async function openServersFile(options: ServersFileOptions): Promise<ServersFile> {
  let reading = await readServers(options.path, options.defaults?.());
  if (reading.content.kind === 'gone') {
    // Where it cannot be created, the error of the reading says that it is not there.
    await createPrivateFile(options.path, '{\n  "mcpServers": {}\n}\n').catch(() => undefined);
    reading = await readServers(options.path, options.defaults?.());
  }
  return new ServersFile(options, reading);
}

/** servers.json: what of it is in force, and careful changes to it. Reads and writes happen one after the other. */
export class ServersFile {
  readonly #options: ServersFileOptions;
  readonly #poll: Disposable;
  #current: LoadedConfig;
  #content: FileContent;
  /** Settles, never rejects, when the last queued task is done. */
  #tail: Promise<void> = Promise.resolve();
  #isCheckQueued = false;
  #isDisposed = false;
  #endDelay: (() => void) | undefined;

  constructor(options: ServersFileOptions, { content, parsed }: ServersReading) {
    this.#options = options;
    this.#current = applyParsed(emptyConfig, parsed);
    this.#content = content;
    this.#poll = pollFile({ path: options.path, clock: options.clock, onTouched: () => this.#queueCheck() });
  }

  /** What is in force now: a new object after every change. */
  get current(): LoadedConfig {
    return this.#current;
  }

  /**
   * Creates or replaces an entry whole; resolves when it is on disk and in force. With a basis, the entry that it names goes
   * with the same write where it had another name.
   * @throws CONFIG_CONFLICT when the basis is no longer what stands on disk; CONFIG_INVALID with the field's path; CONFIG_BROKEN while the file cannot be used or written; PERMISSION_DENIED
   */
  async put({ name, ...entry }: NamedEntry, basis?: EditBasis): Promise<void> {
    requireValidEntry(name, entry);
    const before = basis?.basedOn?.name ?? name;
    await this.#serialise(() =>
      this.#edit((text) => {
        if (basis !== undefined) requireUnchanged(text, name, basis);
        const written = putEntry(text, name, entry);
        return before === name ? written : removeEntry(written, before);
      }),
    );
  }

  /** Removes an entry; nothing happens when there is none. @throws as `put` */
  async remove(name: string): Promise<void> {
    await this.#serialise(() => this.#edit((text) => removeEntry(text, name)));
  }

  /** Sets one value of an entry, such as `['panel', 'health', 'onStall']`, and leaves the rest of it as it is. @throws as `put` */
  async set(name: string, path: readonly string[], value: unknown): Promise<void> {
    await this.#serialise(() => this.#edit((text) => setSetting(text, name, path, value)));
  }

  /** The defaults have changed: what is in force is worked out anew. */
  refresh(): void {
    this.#queueCheck();
  }

  /** An entry as it stands on disk, for editing it. @throws CONFIG_BROKEN; SERVER_UNKNOWN when there is none */
  async entry(name: string): Promise<Record<string, unknown>> {
    const { content, parsed } = await this.#serialise(() => this.#readSettled());
    if (content.kind !== 'text' || parsed.kind === 'broken') throw brokenError(this.#options.path, parsed);
    const entry = readEntry(content.text, name);
    if (!entry)
      throw new PanelError(
        'SERVER_UNKNOWN',
        `There is no server "${name}" in ${basename(this.#options.path)}.`,
      );
    return entry;
  }

  /** Stops watching. Idempotent. A write under way is still finished; later ones are refused. */
  dispose(): void {
    this.#isDisposed = true;
    this.#poll.dispose();
    this.#endDelay?.();
  }

  #serialise<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    this.#tail = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  #queueCheck(): void {
    if (this.#isCheckQueued) return;
    this.#isCheckQueued = true;
    void this.#serialise(async () => {
      this.#isCheckQueued = false;
      this.#adopt(await this.#readSettled());
    });
  }

  /** What the file holds now; bad news is believed only when it lasts. */
  async #readSettled(): Promise<ServersReading> {
    let reading = await readServers(this.#options.path, this.#options.defaults?.());
    for (let look = 0; look < SETTLE_LOOKS && this.#isNews(reading); look += 1) {
      await this.#delay(SETTLE_MS);
      const next = await readServers(this.#options.path, this.#options.defaults?.());
      if (isSameContent(next.content, reading.content)) return next;
      reading = next;
    }
    return reading;
  }

  /** Whether a reading is broken in another way than the one that is known already. */
  #isNews({ parsed }: ServersReading): boolean {
    return (
      !this.#isDisposed && parsed.kind === 'broken' && !isDeepStrictEqual(parsed.problem, this.#current.error)
    );
  }

  #adopt({ content, parsed }: ServersReading): void {
    if (this.#isDisposed) return;
    const isRewritten = !isSameContent(content, this.#content);
    this.#content = content;
    const previous = this.#current;
    const current = applyParsed(previous, parsed);
    if (isDeepStrictEqual(current, previous)) {
      if (isRewritten) this.#options.onRewritten?.();
      return;
    }
    this.#current = current;
    const diff = diffConfigs(previous.servers, current.servers);
    this.#options.onChange({ previous, current, diff, cause: isRewritten ? 'file' : 'defaults' });
  }

  /** Reads before it writes: what somebody else wrote a moment ago is never lost, and never overwritten while broken. */
  async #edit(change: (text: string) => string): Promise<void> {
    let failure: PanelError | undefined;
    for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
      if (this.#isDisposed)
        throw new PanelError('CONFIG_BROKEN', 'servers.json is closed: the panel is quitting');
      const reading = await this.#readSettled();
      this.#adopt(reading);
      try {
        if (await this.#write(reading, change)) return this.#adopt(await this.#readSettled());
      } catch (error) {
        if (!isInUse(error)) throw error;
        failure = error;
        await this.#delay(SETTLE_MS);
      }
    }
    const name = basename(this.#options.path);
    throw (
      failure ?? new PanelError('CONFIG_BROKEN', `${name} was not written: another program keeps writing it`)
    );
  }

  /** @returns false when the file has changed since `reading`. */
  async #write({ content, parsed }: ServersReading, change: (text: string) => string): Promise<boolean> {
    const { path } = this.#options;
    if (content.kind !== 'text' || parsed.kind === 'broken') throw brokenError(path, parsed);
    const text = change(content.text);
    if (text === content.text) return true;
    if (parseServers(text, (cwd) => cwd).kind === 'broken')
      throw new Error('an edit would have broken servers.json');
    const previous = { content: encodeText(content.text, content.hasBom), signature: content.signature };
    const replacement = {
      path,
      content: encodeText(text, content.hasBom),
      previous,
      backupPath: `${path}.bak`,
    };
    try {
      return (await replaceFile(replacement)) === 'written';
    } catch (error) {
      // Gone between reading and writing: the next look says so.
      if (errnoOf(error) === 'ENOENT') return false;
      throw writeError(path, error);
    }
  }

  #delay(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#options.clock.setTimeout(resolve, delayMs);
      this.#endDelay = () => {
        timer.dispose();
        resolve();
      };
    });
  }
}
