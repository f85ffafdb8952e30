import type { JsonObject } from '../../../../shared/json-object.ts';
import { applyEdit, type Edit } from '../text-layout.ts';
import type { ForeignProgram, KeyPath } from '../programs/program.ts';
import { openText } from '../programs/spans/open-text.ts';
import { differsOnlyAt, isUnreadable, serversAt, type ServersText } from '../programs/spans/servers-text.ts';
import { hashOf, type MovedEntry } from './moved-file.ts';

/** A file's text after an entry of the panel was written, the edit that did this, and a record with which to undo it. */
interface Written {
  readonly text: string;
  readonly edit: Edit;
  readonly record: Pick<
    MovedEntry,
    'anchor' | 'before' | 'edge' | 'entryHash' | 'hash' | 'keyPath' | 'length'
  >;
}

/**
 * Writes an entry at `keyPath`, replacing the existing entry or adding a new one.
 * @param removed record of an earlier entry of the panel that another program has removed; undoing then restores the text that
 * was there before that entry
 * @returns undefined if the existing entry has a form that cannot be replaced
 */
export function writeEntry(
  format: ForeignProgram['format'],
  before: ServersText,
  keyPath: KeyPath,
  entry: JsonObject,
  removed?: MovedEntry,
): Written | undefined {
  const replaced = before.replace(keyPath, entry);
  const added = replaced === undefined ? before.add?.(keyPath, entry) : undefined;
  const edit = replaced ?? added;
  if (edit === undefined) return undefined;
  const text = applyEdit(before.text, edit);
  const after = openText(format, text);
  // The result is checked before anything is written to disk, because the edit does not handle every form, such as YAML
  // anchors.
  if (isUnreadable(after) || !differsOnlyAt(before.value, after.value, keyPath, entry)) return undefined;
  const entryHash = entryHashAt(after, keyPath) ?? '';
  const place = after.find(keyPath);
  if (added !== undefined && removed?.edge === 'start' && place !== undefined) {
    const { anchor, before: kept, edge } = removed;
    const length = place.to - place.from;
    return {
      text,
      edit,
      record: { keyPath: [...keyPath], anchor, edge, before: kept, length, hash: entryHash, entryHash },
    };
  }
  return {
    text,
    edit,
    record: {
      keyPath: [...keyPath],
      anchor: [...(added?.anchor ?? keyPath)],
      edge: added === undefined ? 'start' : 'end',
      before: before.text.slice(edit.from, edit.to),
      length: edit.text.length,
      hash: hashOf(edit.text),
      entryHash,
    },
  };
}

function entryHashAt(opened: ServersText, keyPath: KeyPath): string | undefined {
  const found = opened.find(keyPath);
  return found && hashOf(opened.text.slice(found.from, found.to));
}

/** True if the panel's entry is still exactly as it was written. */
export function standsAsWritten(opened: ServersText, record: MovedEntry): boolean {
  return regionOf(opened, record) !== undefined || entryHashAt(opened, record.keyPath) === record.entryHash;
}

function regionOf(
  opened: ServersText,
  { anchor, edge, length, hash }: MovedEntry,
): Pick<Edit, 'from' | 'to'> | undefined {
  const found = opened.find(anchor);
  if (found === undefined) return undefined;
  const from = edge === 'start' ? found.from : found.to - length;
  return hashOf(opened.text.slice(from, from + length)) === hash ? { from, to: from + length } : undefined;
}

/** True if the replaced text has already been restored: by hand, or by a panel that died before it could delete the record. */
export function isBackAlready(opened: ServersText, { anchor, before, edge, keyPath }: MovedEntry): boolean {
  const found = opened.find(edge === 'start' ? anchor : keyPath);
  if (edge === 'end' || found === undefined) return edge === 'end' && found === undefined;
  return opened.text.startsWith(before, found.from);
}

/** Returns the text with the panel's entry replaced by what was there before. Undefined if the entry was changed since. */
export function withoutEntry(opened: ServersText, record: MovedEntry): string | undefined {
  const region = regionOf(opened, record);
  if (region !== undefined) return applyEdit(opened.text, { ...region, text: record.before });
  // Other entries may have been added after this one, so only the entry itself is removed.
  const isAdded = record.edge === 'end' && entryHashAt(opened, record.keyPath) === record.entryHash;
  return isAdded ? opened.remove?.(record.keyPath) : undefined;
}

/**
 * A restoration of an entry that was changed since the panel wrote it: the entry's current text (`now`), the entry's text
 * afterwards (`then`), and the whole file's text afterwards.
 */
export interface PutOver {
  readonly now: string;
  readonly then: string;
  readonly text: string;
}

/**
 * Returns how to restore an entry that another program has changed or removed since the panel wrote it. Undefined if the
 * replaced text no longer fits into the file.
 */
export function putOver(
  format: ForeignProgram['format'],
  opened: ServersText,
  { before, edge, keyPath }: MovedEntry,
): PutOver | undefined {
  const found = opened.find(keyPath);
  const now = found === undefined ? '' : opened.text.slice(found.from, found.to);
  if (edge === 'end') {
    const text = opened.remove?.(keyPath);
    return text === undefined ? undefined : { now, then: '', text };
  }
  const added = found === undefined ? opened.add?.(keyPath, {}) : undefined;
  const base = added === undefined ? opened : openText(format, applyEdit(opened.text, added));
  const place = isUnreadable(base) ? undefined : base.find(keyPath);
  if (isUnreadable(base) || place === undefined) return undefined;
  const text = applyEdit(base.text, { ...place, text: before });
  const after = openText(format, text);
  if (isUnreadable(after)) return undefined;
  const entry = serversAt(after.value, keyPath.slice(0, -1)).get(keyPath.at(-1) ?? '');
  return differsOnlyAt(opened.value, after.value, keyPath, entry) ? { now, then: before, text } : undefined;
}
