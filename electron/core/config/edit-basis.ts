import { isDeepStrictEqual } from 'node:util';
import { PanelError } from '../../../shared/error-codes.ts';
import type { EditBasis } from '../../../shared/ipc/topics/entries.ts';
import { entryPath } from './entry-problem.ts';
import { readEntry } from './read-entry.ts';
import { ownValue } from '../../../shared/own-value.ts';

/** Refuses an edit if the entry has changed since it was read for the edit. @throws CONFIG_CONFLICT, with the changed fields */
export function requireUnchanged(text: string, name: string, { basedOn }: EditBasis): void {
  if (basedOn?.name !== name && readEntry(text, name) !== undefined)
    throw conflict(`${entryPath(name)} stands in servers.json already`);
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
