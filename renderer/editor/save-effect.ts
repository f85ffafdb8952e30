import type { ErrorCode } from '../../shared/error-codes.ts';
import { settingsBehind, type JudgingSetting } from '../../shared/judged-settings.ts';
import type { StateKind } from '../../shared/server-states.ts';
import { entryValueAt, isObject, isSameJson, nameProblem, type RawEntry } from '../entry/raw-entry.ts';
import { listWords } from '../format/figures.ts';
import { ownValue } from '../../shared/own-value.ts';

interface NamedEntry {
  readonly name: string;
  readonly entry: RawEntry;
}

interface Saving {
  /** Entry before the edit; undefined for a new server. */
  readonly before: NamedEntry | undefined;
  readonly after: NamedEntry;
  /** State of the server before the edit, which determines whether saving stops, starts or restarts it. */
  readonly state: StateKind | undefined;
  /** Code of the server's last error. If the server failed because of a setting, a change of that setting starts it again. */
  readonly failure?: ErrorCode | undefined;
}

export interface SaveEffect {
  readonly kind: 'nothing' | 'add' | 'rename' | 'restart' | 'start' | 'switch' | 'live';
  /** Description in one sentence, without a full stop. */
  readonly words: string;
}

/** Returns what saving will do, for display before the user saves. */
export function effectOf({ before, after, state, failure }: Saving): SaveEffect {
  if (before === undefined) return { kind: 'add', words: addWords(after) };
  if (before.name !== after.name) return { kind: 'rename', words: renameWords(before, after, state) };
  if (isSameJson(before.entry, after.entry)) return { kind: 'nothing', words: 'Nothing has changed' };
  const wasEnabled = isEnabled(before.entry);
  if (wasEnabled !== isEnabled(after.entry))
    return { kind: 'switch', words: switchWords(before, after, state) };
  const fields = changedConnection(before.entry, after.entry);
  const another = fields.length > 0 ? undefined : anotherChance(before.entry, after.entry, state, failure);
  if (another !== undefined)
    return { kind: 'start', words: `This starts ${after.name} again: ${another} changed` };
  if (fields.length === 0) return { kind: 'live', words: 'Applies without a restart' };
  const list = listWords(fields);
  if (isDown(state)) return { kind: 'live', words: `Takes effect at the next start: ${list} changed` };
  return isWithoutRun(state)
    ? { kind: 'start', words: `This starts ${after.name}: ${list} changed` }
    : { kind: 'restart', words: `This restarts ${after.name}: ${list} changed` };
}

/** True if the server stays down until it is started or used. A failed server does not count as down. */
const isDown = (state: StateKind | undefined): boolean =>
  state === undefined || state === 'stopped' || state === 'stopping' || state === 'asleep';

/** True if the server has no run that could be stopped. */
const isWithoutRun = (state: StateKind | undefined): boolean =>
  isDown(state) || state === 'failed' || state === 'backoff';

/** Changed settings that cause a failed server to be started again, as text; undefined if there are none. */
function anotherChance(
  before: RawEntry,
  after: RawEntry,
  state: StateKind | undefined,
  failure: ErrorCode | undefined,
): string | undefined {
  if (state !== 'failed' || failure === undefined) return undefined;
  const changed = (settingsBehind[failure] ?? []).filter(
    (key) => !isSameJson(entryValueAt(before, `panel.${key}`), entryValueAt(after, `panel.${key}`)),
  );
  return changed.length === 0 ? undefined : listWords(changed.map((key) => settingNames[key]));
}

const settingNames: Readonly<Record<JudgingSetting, string>> = {
  limits: 'limits',
  health: 'supervision',
  calls: 'time limits of calls',
};

/** Text about what a rename does. The renamed server starts like a new one, regardless of the state of the old one. */
function renameWords(before: NamedEntry, after: NamedEntry, state: StateKind | undefined): string {
  const words = isName(after.name) ? `Renames ${before.name} to ${after.name}` : `Renames ${before.name}`;
  const isStarted = startsByItself(after.entry);
  if (isWithoutRun(state)) return isStarted ? `${words} and starts it` : words;
  return isStarted ? `${words}: it is stopped and started again` : `${words}: it is stopped`;
}

/** True if a text is a valid name. Messages do not repeat any other text, because it may be a pasted secret. */
const isName = (name: string): boolean => nameProblem(name, []) === undefined;

function addWords({ name, entry }: NamedEntry): string {
  const subject = isName(name) ? name : 'the server';
  if (!isEnabled(entry)) return `Adds ${subject}, disabled`;
  return startsByItself(entry) ? `Adds ${subject} and starts it` : `Adds ${subject}; it starts by hand only`;
}

function switchWords(before: NamedEntry, after: NamedEntry, state: StateKind | undefined): string {
  if (isEnabled(before.entry))
    return isWithoutRun(state) ? `Disables ${after.name}` : `Stops ${after.name} and disables it`;
  return startsByItself(after.entry) ? `Enables ${after.name} and starts it` : `Enables ${after.name}`;
}

const startsByItself = (entry: RawEntry) =>
  isEnabled(entry) && entryValueAt(entry, 'panel.autoStart') !== false;

const isEnabled = (entry: RawEntry) => entry['disabled'] !== true;

/** Returns the changed fields that determine which server is reached and how, as the main process does to decide on a restart. */
export function changedConnection(before: RawEntry, after: RawEntry): readonly string[] {
  const [one, other] = [connectionOf(before), connectionOf(after)];
  if (one['transport'] !== other['transport']) return ['transport'];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => !isSameJson(ownValue(one, field), ownValue(other, field)),
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
  panel,
}: RawEntry): Readonly<Record<string, unknown>> {
  const runOn = (isObject(panel) && panel['runOn']) || null;
  if (url !== undefined)
    return {
      transport: type === 'sse' ? 'sse' : 'http',
      address: url,
      headers: isObject(headers) ? headers : {},
      'check of certificates': checkOf(tls),
      'the cluster': runOn,
    };
  return {
    transport: 'stdio',
    command,
    arguments: args ?? [],
    environment: env ?? {},
    'working folder': cwd ?? null,
    'the engine': runOn,
    caps: (isObject(panel) && panel['caps']) || {},
  };
}

/** Returns the settings of the certificate check without unknown keys, because those have no effect. */
const checkOf = (tls: unknown) => {
  const { verify = true, caFile = null } = isObject(tls) ? tls : {};
  return { verify, caFile };
};
