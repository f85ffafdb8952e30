import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import {
  defaultSettings,
  type Settings,
  type SettingsPatch,
  SETTINGS_VERSION,
} from '../../../shared/settings.ts';
import type { Clock } from '../clock.ts';
import type { FileProblem } from '../files/file-errors.ts';
import { openEditedFile, type EditedFile } from '../files/edited-file.ts';
import type { FileContent } from '../files/file-content.ts';
import { parseSettings, type ParsedSettings } from './parse-settings.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import { setValue } from '../config/text-layout.ts';

/** The settings in use, with the problem of the file. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** Reason why a part of the file has no effect; absent if there is no problem. */
  readonly error?: FileProblem;
}

interface SettingsFileOptions {
  /**
   * Absolute path of the file. Two more files are next to it: `<path>.bak` contains the file's content before the last write,
   * `<path>.broken` its last unusable content.
   */
  readonly path: string;
  readonly clock: Clock;
  /**
   * Called after every change of the current settings or of the error, by any writer, and before `update` resolves. Must not
   * throw.
   */
  readonly onChange: (current: LoadedSettings, previous: LoadedSettings) => void;
}

/**
 * Opens settings.json and watches it until disposed. If the file is missing, the first change creates it. The caller disposes.
 * Never rejects.
 */
export async function openSettings({ path, clock, onChange }: SettingsFileOptions): Promise<SettingsFile> {
  const file = await openEditedFile<LoadedSettings, ParsedSettings>({
    path,
    clock,
    parse: parseContent,
    apply: (last, parsed) => load(basename(path), last, parsed),
    initial: { settings: defaultSettings },
    startOver: ({ kind }, { settings }) =>
      kind === 'gone' ? EMPTY_SETTINGS : `${JSON.stringify(settings, null, 2)}\n`,
    onChange: ({ current, previous }) => onChange(current, previous),
  });
  return new SettingsFile(file);
}

/** settings.json: reads the current settings, and applies changes to them one after the other. */
export class SettingsFile {
  readonly #file: EditedFile<LoadedSettings, ParsedSettings>;

  constructor(file: EditedFile<LoadedSettings, ParsedSettings>) {
    this.#file = file;
  }

  /** The settings in use; a new object after every change. */
  get current(): LoadedSettings {
    return this.#file.current;
  }

  /**
   * Sets the values of the patch. Resolves when they are on disk and have taken effect. A broken file is kept as
   * `<path>.broken` and replaced.
   * @throws CONFIG_INVALID with the field's path; CONFIG_BROKEN or PERMISSION_DENIED when the file cannot be written.
   */
  update(patch: SettingsPatch | Readonly<Record<string, unknown>>): Promise<void> {
    return this.#file.edit((text, before) => {
      const edited = editSettings(text, patch);
      refuseInvalid(edited, before);
      return edited;
    });
  }

  /** Stops watching. Idempotent. A write in progress is finished. */
  dispose(): void {
    this.#file.dispose();
  }
}

/** Parses the content; a missing file means defaults without a problem. */
function parseContent(content: FileContent): ParsedSettings {
  switch (content.kind) {
    case 'gone':
      return { kind: 'parsed', settings: defaultSettings };
    case 'unreadable':
      return { kind: 'broken', problem: { message: content.reason } };
    case 'text':
      return parseSettings(content.text);
  }
}

/**
 * Returns the settings to use after the file was parsed. If the whole file is broken, the last valid settings stay in use; when
 * the panel starts, these are the defaults.
 */
function load(name: string, last: LoadedSettings, parsed: ParsedSettings): LoadedSettings {
  if (parsed.kind === 'broken') {
    const message = `${name} cannot be used: ${parsed.problem.message}`;
    return { settings: last.settings, error: { ...parsed.problem, message } };
  }
  const { settings, problem } = parsed;
  if (problem === undefined) return { settings };
  return { settings, error: { ...problem, message: `${name}: ${problem.message}` } };
}

/** Refuses a change that adds an invalid value. Invalid values that the file already has may remain. */
function refuseInvalid(text: string, before: ParsedSettings): void {
  const after = parseSettings(text);
  const known = before.kind === 'parsed' ? before.problem?.message : undefined;
  if (after.problem === undefined || after.problem.message === known) return;
  throw new PanelError('CONFIG_INVALID', `settings.json was not written: ${after.problem.message}`, {
    data: { path: after.kind === 'parsed' ? (after.wrongPath ?? '') : '' },
  });
}

/** Content of a new file, to which the first change is then applied. */
const EMPTY_SETTINGS = `{\n  "version": ${SETTINGS_VERSION}\n}\n`;

/**
 * Returns the text with every value of `patch` set. Everything else is unchanged, including comments and unknown keys. `null`
 * removes a key.
 */
function editSettings(text: string, patch: object): string {
  return leavesOf(patch).reduce(
    (edited, { path, value }) => setValue(edited, path, value ?? undefined),
    text,
  );
}

interface Leaf {
  readonly path: string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: string[] = []): readonly Leaf[] {
  if (!isJsonObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : leavesOf(item, [...path, key]),
  );
}
