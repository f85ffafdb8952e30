import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { ownValue, valueAt } from '../../../../../shared/own-value.ts';
import type { FileProblem } from '../../../files/file-errors.ts';
import type { Edit } from '../../text-layout.ts';
import type { KeyPath } from '../program.ts';

/** A parsed file of a program. When an entry is replaced, only the characters of that entry change. */
export interface ServersText {
  /** Without byte order mark. */
  readonly text: string;
  /** Parsed plain value of the whole file. */
  readonly value: unknown;
  /** Returns the position of the entry at `path`; undefined if there is no entry that can be replaced. */
  find(path: KeyPath): Pick<Edit, 'from' | 'to'> | undefined;
  /**
   * Returns the edit that replaces the entry at `path`. The syntax of the old entry is kept, such as a table or an inline table
   * in TOML. Undefined if there is no entry that can be replaced.
   */
  replace(path: KeyPath, entry: JsonObject): Edit | undefined;
  /** Returns the edit that adds a new entry. The added text ends where the value at `anchor` ends, so it can be found again. */
  add?(path: KeyPath, entry: JsonObject): (Edit & { readonly anchor: KeyPath }) | undefined;
  /** Returns the text without the entry at `path`; undefined if there is none. */
  remove?(path: KeyPath): string | undefined;
}

export type OpenedText = ServersText | FileProblem;

export const isUnreadable = (opened: OpenedText): opened is FileProblem => 'message' in opened;

export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Returns the servers at a path of a plain value, by name: from a map, or from a list of entries with a `name`. */
export function serversAt(value: unknown, keyPath: KeyPath): ReadonlyMap<string, unknown> {
  const found = valueAt(value, keyPath);
  if (Array.isArray(found))
    return new Map(
      found.flatMap((item: unknown) =>
        isJsonObject(item) && typeof item['name'] === 'string' ? [[item['name'], item] as const] : [],
      ),
    );
  return new Map(isJsonObject(found) ? Object.entries(found) : []);
}

/** Reports whether `after` is `before` with `entry` at `path`, and nothing else changed. */
export function differsOnlyAt(before: unknown, after: unknown, path: KeyPath, entry: unknown): boolean {
  return isDeepStrictEqual(withEntry(before, path, entry), after);
}

function withEntry(value: unknown, [key, ...rest]: KeyPath, entry: unknown): unknown {
  if (key === undefined) return entry;
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      isJsonObject(item) && item['name'] === key ? withEntry(item, rest, entry) : item,
    );
  const map = isJsonObject(value) ? value : {};
  const changed = withEntry(ownValue(map, key), rest, entry);
  return Object.fromEntries([...Object.entries(map).filter(([name]) => name !== key), [key, changed]]);
}
