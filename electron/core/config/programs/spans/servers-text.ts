import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { ownValue, valueAt } from '../../../../../shared/own-value.ts';
import type { FileProblem } from '../../../files/file-errors.ts';
import type { Edit } from '../../text-layout.ts';
import type { KeyPath } from '../program.ts';

/** A parsed file of a program, whose entries are replaced by their own characters alone. */
export interface ServersText {
  /** Without byte order mark. */
  readonly text: string;
  /** Plain value of the whole file. */
  readonly value: unknown;
  /** Characters from the start to the end of the entry at `path`; undefined where there is none that can be replaced. */
  find(path: KeyPath): Pick<Edit, 'from' | 'to'> | undefined;
  /** Replacement of the entry at `path`, in the form in which it stands there. Undefined as for `find`. */
  replace(path: KeyPath, entry: JsonObject): Edit | undefined;
  /** Addition of an entry that is not there. Its text ends where the value at `anchor` does. */
  add?(path: KeyPath, entry: JsonObject): (Edit & { readonly anchor: KeyPath }) | undefined;
  /** The text without the entry at `path`; undefined where there is none. */
  remove?(path: KeyPath): string | undefined;
}

export type OpenedText = ServersText | FileProblem;

export const isUnreadable = (opened: OpenedText): opened is FileProblem => 'message' in opened;

export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Servers at a path of a plain value, by name: a map, or a list of entries with a `name`. */
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
