import { findNodeAtLocation, type Node } from 'jsonc-parser';
import {
  defaultSettings,
  settingsSchema,
  type Settings,
  SETTINGS_VERSION,
} from '../../../shared/settings.ts';
import { problemAt, syntaxProblem } from '../config/config-problem.ts';
import type { FileProblem } from '../files/file-errors.ts';
import { parseJsonDocument } from '../config/json-nodes.ts';

type RawSettings = Readonly<Record<string, unknown>>;

export type ParsedSettings =
  /** The text is not valid, so none of it is used, and the panel must not edit it. */
  | { readonly kind: 'broken'; readonly problem: FileProblem }
  | {
      readonly kind: 'parsed';
      /** Settings to use. A group that contains an invalid value is replaced by its defaults. */
      readonly settings: Settings;
      readonly problem?: FileProblem;
      /** Path of the first invalid value, such as `defaults.restart.maxPerHour`. Absent if there is no problem. */
      readonly wrongPath?: string;
    };

/** Parses the text of settings.json (without byte order mark): JSON with comments. Never throws. */
export function parseSettings(text: string): ParsedSettings {
  try {
    return parseText(text);
  } catch (error) {
    // The parser recurses once per level of nesting, so a deeply nested text overflows the stack.
    if (error instanceof RangeError)
      return { kind: 'broken', problem: { message: 'it is nested too deeply' } };
    throw error;
  }
}

function parseText(text: string): ParsedSettings {
  const json = parseJsonDocument(text);
  const { root } = json;
  const [error] = json.errors;
  if (text.trim() === '') return { kind: 'broken', problem: { message: 'it is empty' } };
  if (error !== undefined) return { kind: 'broken', problem: syntaxProblem(text, error) };
  if (root?.type !== 'object')
    return { kind: 'broken', problem: problemAt(text, root?.offset ?? 0, 'expected an object') };
  const raw = json.valueOf(root) as RawSettings;
  const unusable = versionProblem(raw['version']);
  if (unusable !== undefined) {
    const place = findNodeAtLocation(root, ['version']) ?? root;
    return { kind: 'broken', problem: problemAt(text, place.offset, unusable) };
  }
  return { kind: 'parsed', ...validate(text, root, raw) };
}

/** Validates each group separately, so that an invalid value resets only its own group. */
function validate(
  text: string,
  root: Node,
  raw: RawSettings,
): { readonly settings: Settings; readonly problem?: FileProblem; readonly wrongPath?: string } {
  const result = settingsSchema.safeParse(raw);
  if (result.success) return { settings: result.data };
  const wrong = new Set(result.error.issues.map(({ path }) => String(path[0])));
  const usable = Object.fromEntries(Object.entries(raw).filter(([key]) => !wrong.has(key)));
  const problems = result.error.issues.map(({ path, message }) => ({
    keys: path.map((key) => (typeof key === 'number' ? key : String(key))),
    message: `${path.join('.')}: ${lowerFirst(message)}`,
  }));
  const [first] = problems;
  const words = problems.map(({ message }) => message).join('; ');
  const place = findNodeAtLocation(root, first?.keys ?? []) ?? root;
  const settings = settingsSchema.safeParse(usable);
  return {
    settings: settings.success ? settings.data : defaultSettings,
    problem: problemAt(text, place.offset, words),
    wrongPath: first?.keys.join('.') ?? '',
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Version that is assumed for a file that does not state one; the only version so far. */
const FIRST_VERSION = 1;

/** Returns the reason why a file of this version is neither used nor edited; undefined for a known version. Pure. */
function versionProblem(version: unknown = FIRST_VERSION): string | undefined {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < FIRST_VERSION)
    return `version: expected a whole number from 1, found ${nameOf(version)}`;
  if (version <= SETTINGS_VERSION) return undefined;
  return `version: it was written by a later version of the panel (${version}; this one knows ${SETTINGS_VERSION})`;
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
