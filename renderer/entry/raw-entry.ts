import { isJsonObject } from '../../shared/json-object.ts';
import { ownValue } from '../../shared/own-value.ts';
import { serverNamePattern } from '../../shared/server-names.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';

/** Entry of `mcpServers` exactly as in the file; its content is not validated. */
export type RawEntry = Readonly<Record<string, unknown>>;

/** Problem texts, keyed by the path of the field in the entry (`command`, `panel.limits.maxMemoryMiB`) or by `name`. */
export type Problems = Readonly<Record<string, string>>;

export { isJsonObject as isObject };

/** Value at a dotted path; undefined if there is none. */
export function entryValueAt(entry: RawEntry, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((parent, key) => (isJsonObject(parent) ? ownValue(parent, key) : undefined), entry);
}

/** Returns a copy in which the value at a dotted path is set or removed. An object that becomes empty is removed too. */
export function withValueAt(entry: RawEntry, path: string, value: unknown): RawEntry {
  const [key = '', ...rest] = path.split('.');
  if (rest.length === 0) return withKey(entry, key, value);
  const inner = ownValue(entry, key);
  const changed = withValueAt(isJsonObject(inner) ? inner : {}, rest.join('.'), value);
  return withKey(entry, key, Object.keys(changed).length === 0 ? undefined : changed);
}

/** Returns a copy with one key set or, if the value is undefined, removed. A key that exists keeps its position. */
export function withKey(entry: RawEntry, key: string, value: unknown): RawEntry {
  if (value !== undefined) return { ...entry, [key]: value };
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key));
}

/** True if two values are equal as JSON, regardless of the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Returns the problem of a server name; undefined if the name is valid. @param takenNames names of the other servers */
export function nameProblem(name: string, takenNames: readonly string[]): string | undefined {
  if (name === '') return 'A name is needed.';
  if (!serverNamePattern.test(name)) return 'Letters, digits, dots, underscores and hyphens; at most 64.';
  return takenNames.includes(name) ? `There is a server named ${name} already.` : undefined;
}

/** Entry in servers.json under a given name, or the error of reading it. Both are absent until the file has been read. */
export interface EntryOnDisk {
  readonly entry?: RawEntry;
  /** Error of reading: SERVER_UNKNOWN if there is no such entry, CONFIG_BROKEN if the file cannot be read. */
  readonly error?: ErrorReport;
}
