import { valueAt } from '../../../../shared/own-value.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { problemAt as positionOf } from '../config-problem.ts';
import type { ForeignProgram, ServersPlace } from '../programs/program.ts';
import type { OpenedFile } from '../programs/read-program.ts';
import { isUnreadable, serversAt, type ServersText } from '../programs/spans/servers-text.ts';
import { EntryCollector, kindOfValue, type ImportReading, type ProblemAtField } from './entry-collector.ts';
import { inputHints } from './entry-asks.ts';
import type { TranslationContext } from './translate-entry.ts';

/** Reads the servers of a program's file in the form of servers.json. Never throws. */
export function readEntries(program: ForeignProgram, { file, opened }: OpenedFile): ImportReading {
  if (isUnreadable(opened)) return { entries: [], problems: [{ path: '', ...opened }] };
  const collector = new EntryCollector();
  for (const place of program.places(file, opened.value)) addPlace(program, opened, place, collector);
  return collector.build();
}

/** Returns what is needed to interpret the entries of one map of servers in a file. */
export function contextOf(
  { folder, disabledNames, inputs }: ServersPlace,
  value: unknown,
): TranslationContext {
  return {
    ...(folder !== undefined && { folder }),
    ...(disabledNames !== undefined && { disabledNames }),
    ...(inputs !== undefined && { hints: inputHints(valueAt(value, inputs)) }),
  };
}

/** True for an extension of Goose that runs inside Goose, and not as a separate server. */
export const isBuiltIn = (entry: unknown): boolean =>
  isJsonObject(entry) && /^(builtin|platform|frontend)$/.test(String(entry['type']));

function addPlace(
  { format }: ForeignProgram,
  opened: ServersText,
  place: ServersPlace,
  collector: EntryCollector,
): void {
  const { keyPath } = place;
  const map = valueAt(opened.value, keyPath);
  if (map === undefined || map === null) return;
  const problemAt = problemsIn(opened);
  if (!isJsonObject(map) && !(format === 'yaml' && Array.isArray(map)))
    return collector.refuse(problemAt(keyPath, `expected an object of servers, found ${kindOfValue(map)}`));
  const context = contextOf(place, opened.value);
  for (const [name, entry] of serversAt(opened.value, keyPath))
    if (!isBuiltIn(entry))
      collector.add(name, entry, context, (field, message) =>
        problemAt([...keyPath, name, ...field], message),
      );
}

/** Returns a function that creates problems in a text, each positioned at the innermost part of its path that exists there. */
export const problemsIn =
  (opened: ServersText): ProblemAtField =>
  (path, message) => {
    const keyPath = path.map(String);
    const least = Math.min(1, keyPath.length);
    for (let length = keyPath.length; length >= least; length -= 1) {
      const found = opened.find(keyPath.slice(0, length));
      if (found) return { path: keyPath.join('.'), ...positionOf(opened.text, found.from, message) };
    }
    return { path: keyPath.join('.'), message };
  };
