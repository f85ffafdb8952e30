import type { StateKind } from '../../shared/server-states.ts';
import { nameProblem } from '../entry/server-name.ts';
import { isObject, isSameJson, valueAt, type RawEntry } from '../entry/raw-entry.ts';
import { listWords } from '../format/word-lists.ts';

interface NamedEntry {
  readonly name: string;
  readonly entry: RawEntry;
}

export interface Saving {
  /** Entry before the edit; undefined for a server that is added. */
  readonly before: NamedEntry | undefined;
  readonly after: NamedEntry;
  /** State of the server before the edit, because only a running one has to be restarted. */
  readonly state: StateKind | undefined;
}

export interface SaveEffect {
  readonly kind: 'nothing' | 'add' | 'rename' | 'start' | 'restart' | 'switch' | 'live';
  /** Words in one sentence, without a full stop. */
  readonly words: string;
}

/** Effect of saving, told before it is done. */
export function effectOf({ before, after, state }: Saving): SaveEffect {
  if (before === undefined) return { kind: 'add', words: addWords(after) };
  const isUp = state !== undefined && state !== 'stopped' && state !== 'failed';
  if (before.name !== after.name) {
    const words = isName(after.name) ? `Renames ${before.name} to ${after.name}` : `Renames ${before.name}`;
    return { kind: 'rename', words: isUp ? `${words}: it is stopped and started again` : words };
  }
  if (isSameJson(before.entry, after.entry)) return { kind: 'nothing', words: 'Nothing has changed' };
  const wasEnabled = isEnabled(before.entry);
  if (wasEnabled !== isEnabled(after.entry))
    return { kind: 'switch', words: switchWords(before, after, isUp) };
  const fields = changedConnection(before.entry, after.entry);
  if (fields.length === 0) return { kind: 'live', words: 'Applies without a restart' };
  const list = listWords(fields);
  // A server that was given up gets another chance as soon as it is reached otherwise.
  if (state === 'failed') return { kind: 'start', words: `This starts ${after.name} again: ${list} changed` };
  return isUp
    ? { kind: 'restart', words: `This restarts ${after.name}: ${list} changed` }
    : { kind: 'live', words: `Takes effect at the next start: ${list} changed` };
}

/** Whether a text is a valid name. Any other text is not repeated because it may be a pasted secret. */
const isName = (name: string): boolean => nameProblem(name, []) === undefined;

function addWords({ name, entry }: NamedEntry): string {
  const subject = isName(name) ? name : 'the server';
  if (!isEnabled(entry)) return `Adds ${subject}, disabled`;
  return valueAt(entry, 'panel.autoStart') === false
    ? `Adds ${subject}; it starts by hand only`
    : `Adds ${subject} and starts it`;
}

function switchWords(before: NamedEntry, after: NamedEntry, isUp: boolean): string {
  if (isEnabled(before.entry)) return isUp ? `Stops ${after.name} and disables it` : `Disables ${after.name}`;
  return valueAt(after.entry, 'panel.autoStart') === false
    ? `Enables ${after.name}`
    : `Enables ${after.name} and starts it`;
}

const isEnabled = (entry: RawEntry) => entry['disabled'] !== true;

/**
 * Changed parts of an entry that decide which server is reached and how, in plain words. The main process
 * decides on a restart by the same comparison.
 */
export function changedConnection(before: RawEntry, after: RawEntry): readonly string[] {
  const [one, other] = [connectionOf(before), connectionOf(after)];
  if (one['transport'] !== other['transport']) return ['transport'];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => !isSameJson(one[field], other[field]),
  );
}

function connectionOf({
  command,
  args,
  env,
  cwd,
  url,
  headers,
  tls,
  type,
}: RawEntry): Readonly<Record<string, unknown>> {
  if (url !== undefined)
    return {
      transport: type === 'sse' ? 'sse' : 'http',
      address: url,
      headers: isObject(headers) ? headers : {},
      'check of certificates': checkOf(tls),
    };
  return {
    transport: 'stdio',
    command,
    arguments: args ?? [],
    environment: env ?? {},
    'working folder': cwd ?? null,
  };
}

/** Certificate check without the keys that nothing reads, because those change nothing. */
const checkOf = (tls: unknown) => {
  const { verify = true, caFile = null } = isObject(tls) ? tls : {};
  return { verify, caFile };
};
