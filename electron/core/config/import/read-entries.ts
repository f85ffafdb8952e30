import { isJsonObject } from '../../../../shared/json-object.ts';
import { problemAt, type ConfigProblem } from '../config-problem.ts';
import type { ForeignProgram, KeyPath, ServersPlace } from '../programs/program.ts';
import type { OpenedFile } from '../programs/read-program.ts';
import { isUnreadable, serversAt, plainValueAt, type ServersText } from '../programs/spans/servers-text.ts';
import { EntryCollector, type ImportReading } from './entry-collector.ts';
import { inputHints } from './input-hints.ts';
import type { TranslationContext } from './translate-entry.ts';

/** Reads the servers of a program's file in the form of servers.json. Never throws. */
export function readEntries(program: ForeignProgram, { file, opened }: OpenedFile): ImportReading {
  if (isUnreadable(opened)) return { entries: [], problems: [{ path: '', ...opened }] };
  const collector = new EntryCollector();
  for (const place of program.places(file, opened.value)) addPlace(program, opened, place, collector);
  return collector.build();
}

/** How the entries of a place are to be understood. */
export function contextOf(
  { folder, disabledNames, inputs }: ServersPlace,
  value: unknown,
): TranslationContext {
  return {
    ...(folder !== undefined && { folder }),
    ...(disabledNames !== undefined && { disabledNames }),
    ...(inputs !== undefined && { hints: inputHints(plainValueAt(value, inputs)) }),
  };
}

/** Extensions of Goose that run inside it. */
export const isBuiltIn = (entry: unknown): boolean =>
  isJsonObject(entry) && /^(builtin|platform|frontend)$/.test(String(entry['type']));

function addPlace(
  { format }: ForeignProgram,
  opened: ServersText,
  place: ServersPlace,
  collector: EntryCollector,
): void {
  const { keyPath } = place;
  const map = plainValueAt(opened.value, keyPath);
  if (map === undefined || map === null) return;
  const refuse = (path: KeyPath, message: string) =>
    collector.refuse({ path: path.join('.'), ...positioned(opened, path, message) });
  if (!isJsonObject(map) && !(format === 'yaml' && Array.isArray(map)))
    return refuse(keyPath, `expected an object of servers, found ${kindOf(map)}`);
  const context = contextOf(place, opened.value);
  for (const [name, entry] of serversAt(opened.value, keyPath)) {
    const path = [...keyPath, name];
    if (isBuiltIn(entry)) continue;
    if (!isJsonObject(entry)) {
      refuse(path, `expected an object, found ${kindOf(entry)}`);
      continue;
    }
    collector.add(name, entry, context, (field, message) => {
      const whole = [...path, ...field.map(String)];
      return { path: whole.join('.'), ...positioned(opened, whole, message) };
    });
  }
}

/** Adds the position of the innermost part of the path that is there. */
function positioned(opened: ServersText, path: KeyPath, message: string): ConfigProblem {
  for (let length = path.length; length > 0; length -= 1) {
    const found = opened.find(path.slice(0, length));
    if (found !== undefined) return problemAt(opened.text, found.from, message);
  }
  return { message };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
