import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PanelError } from '../../../shared/error-codes.ts';
import { defaultSettings, type Settings, type SettingsPatch } from '../../../shared/settings.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import { encodeText, errnoOf, readContent, type FileContent } from '../config/file-content.ts';
import { pollFile } from '../config/file-poll.ts';
import { createPrivateFile, replaceFile } from '../config/replace-file.ts';
import { isInUse, writeError } from '../config/servers-file-errors.ts';
import { settlesWithin } from '../wait.ts';
import { editSettings, EMPTY_SETTINGS } from './edit-settings.ts';
import { keepAside } from './keep-aside.ts';
import type { Migrate } from './migrate-settings.ts';
import { parseSettings, type ParsedSettings } from './parse-settings.ts';

/** The settings in force. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Why something that stands in the file is not in force. */
  readonly error?: ConfigProblem;
}

export interface SettingsFileOptions {
  /** Absolute. Beside it stand `<path>.bak`, the content before the last write of ours, and `<path>.broken`, the last content that could not be used. */
  readonly path: string;
  readonly clock: Clock;
  /** After every change of what is in force or of the error, whoever wrote it; before `update` resolves. Must not throw. */
  readonly onChange: (current: LoadedSettings, previous: LoadedSettings) => void;
  readonly migrate?: Migrate;
}

interface Reading {
  readonly content: FileContent;
  /** Undefined where there is no file: the defaults are in force, and nothing is wrong. */
  readonly parsed: ParsedSettings | undefined;
}

/** An editor that does not replace its files in one step shows half of them for a moment. */
const SETTLE_MS = 150;
const SETTLE_LOOKS = 3;
/** How often somebody else may write between our reading and our renaming before we give up. */
const WRITE_ATTEMPTS = 5;

/** Opens settings.json and watches it until disposed. Nothing is created before the first change. The caller disposes. Never rejects. */
export async function openSettings(options: SettingsFileOptions): Promise<SettingsFile> {
  const reading = await read(options);
  if (reading.parsed?.kind === 'broken') await keepAside(options.path, reading.content);
  return new SettingsFile(options, load(options.path, { settings: defaultSettings }, reading));
}

/** settings.json: what of it is in force, and changes to it, one after the other. */
export class SettingsFile {
  readonly #options: SettingsFileOptions;
  readonly #poll: Disposable;
  /** Never settles: waiting for it is waiting for the time. */
  readonly #never = new Promise<void>(() => undefined);
  #current: LoadedSettings;
  #tail: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(options: SettingsFileOptions, current: LoadedSettings) {
    this.#options = options;
    this.#current = current;
    const onTouched = () => void this.#serialise(async () => this.#adopt(await this.#readSettled()));
    this.#poll = pollFile({ path: options.path, clock: options.clock, onTouched });
  }

  /** What is in force now: a new object after every change. */
  get current(): LoadedSettings {
    return this.#current;
  }

  /**
   * Sets what the patch names; resolves when it is on disk and in force. A broken file is kept as `<path>.broken` and written anew.
   * @throws CONFIG_INVALID with the field's path; CONFIG_BROKEN or PERMISSION_DENIED when the file cannot be written.
   */
  update(patch: SettingsPatch): Promise<void> {
    return this.#serialise(() => this.#update(patch));
  }

  /** Stops watching. Idempotent. A write under way is still finished. */
  dispose(): void {
    this.#isDisposed = true;
    this.#poll.dispose();
  }

  #serialise(task: () => Promise<void>): Promise<void> {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** What the file holds now; bad news is believed only when it lasts. */
  async #readSettled(): Promise<Reading> {
    let reading = await read(this.#options);
    for (let look = 0; look < SETTLE_LOOKS && this.#isNews(reading); look += 1) {
      await settlesWithin(this.#options.clock, this.#never, SETTLE_MS);
      const next = await read(this.#options);
      if (isDeepStrictEqual(next.content, reading.content)) return next;
      reading = next;
    }
    return reading;
  }

  #isNews(reading: Reading): boolean {
    if (this.#isDisposed || reading.parsed?.kind !== 'broken') return false;
    return !isDeepStrictEqual(load(this.#options.path, this.#current, reading).error, this.#current.error);
  }

  #adopt(reading: Reading): void {
    if (this.#isDisposed) return;
    const previous = this.#current;
    const current = load(this.#options.path, previous, reading);
    if (isDeepStrictEqual(current, previous)) return;
    this.#current = current;
    this.#options.onChange(current, previous);
  }

  async #update(patch: SettingsPatch): Promise<void> {
    let failure: PanelError | undefined;
    for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
      if (this.#isDisposed)
        throw new PanelError('CONFIG_BROKEN', 'settings.json is closed: the panel is quitting');
      const reading = await this.#readSettled();
      try {
        if (await this.#write(reading, patch)) return this.#adopt(await this.#readSettled());
      } catch (error) {
        if (!isInUse(error)) throw error;
        failure = error;
      }
      await settlesWithin(this.#options.clock, this.#never, SETTLE_MS);
    }
    const name = basename(this.#options.path);
    throw (
      failure ?? new PanelError('CONFIG_BROKEN', `${name} was not written: another program keeps writing it`)
    );
  }

  /** @returns false when the file has changed since `reading`. */
  async #write({ content, parsed }: Reading, patch: SettingsPatch): Promise<boolean> {
    const { path } = this.#options;
    const text = editSettings(this.#baseOf(content, parsed), patch);
    refuseInvalid(text, parsed);
    if (content.kind === 'text' && text === content.text) return true;
    try {
      if (parsed?.kind === 'broken') await keepAside(path, content);
      if (content.kind === 'gone') return await createPrivateFile(path, text).then(() => true);
      if (content.kind === 'unreadable') throw new Error(content.reason);
      const previous = { content: encodeText(content.text, content.hasBom), signature: content.signature };
      const replacement = { path, previous, content: encodeText(text, content.hasBom) };
      return (await replaceFile({ ...replacement, backupPath: `${path}.bak` })) === 'written';
    } catch (error) {
      // Made, or gone, between reading and writing: the next look says so.
      if (['EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) return false;
      throw writeError(path, error);
    }
  }

  /** The text that is edited: what is there, in today's form; what is in force, where that is broken. */
  #baseOf(content: FileContent, parsed: ParsedSettings | undefined): string {
    if (content.kind === 'gone') return EMPTY_SETTINGS;
    if (content.kind === 'text' && parsed?.kind === 'parsed') return parsed.migratedText ?? content.text;
    return `${JSON.stringify(this.#current.settings, null, 2)}\n`;
  }
}

async function read({ path, migrate }: SettingsFileOptions): Promise<Reading> {
  const content = await readContent(path);
  if (content.kind === 'gone') return { content, parsed: undefined };
  if (content.kind === 'text') return { content, parsed: parseSettings(content.text, migrate) };
  return { content, parsed: { kind: 'broken', problem: { message: content.reason } } };
}

/** Where the whole file is broken, everything that was in force stays: at the start, the defaults. */
function load(path: string, last: LoadedSettings, { parsed }: Reading): LoadedSettings {
  if (parsed === undefined) return { settings: defaultSettings };
  const name = basename(path);
  if (parsed.kind === 'parsed') {
    const { settings, problem } = parsed;
    return problem === undefined
      ? { settings }
      : { settings, error: { ...problem, message: `${name}: ${problem.message}` } };
  }
  const message = `${name} cannot be used: ${parsed.problem.message}`;
  return { settings: last.settings, error: { ...parsed.problem, message } };
}

/** What was wrong before may stay; a change must not add to it. */
function refuseInvalid(text: string, before: ParsedSettings | undefined): void {
  const after = parseSettings(text);
  const known = before?.kind === 'parsed' ? before.problem?.message : undefined;
  if (after.problem === undefined || after.problem.message === known) return;
  throw new PanelError('CONFIG_INVALID', `settings.json was not written: ${after.problem.message}`, {
    data: { path: after.kind === 'parsed' ? (after.wrongPath ?? '') : '' },
  });
}
