import { PanelError } from '../../../../shared/error-codes.ts';
import type { JsonObject } from '../../../../shared/json-object.ts';
import { readContent } from '../../files/file-content.ts';
import { MAX_FOREIGN_BYTES, unusableError } from '../../files/foreign-file.ts';
import type { ForeignProgram } from '../programs/program.ts';
import { openText } from '../programs/spans/open-text.ts';
import { isUnreadable, type ServersText } from '../programs/spans/servers-text.ts';
import type { MovedEntry } from './moved-file.ts';
import { leftBy, type UnmovedServer, type PlannedServer } from './plan-move.ts';
import { writeEntry } from './record.ts';

export const pathsOf = (planned: readonly PlannedServer[]): readonly string[] => [
  ...new Set(planned.map(({ target }) => target.path)),
];

export const ofPath = (planned: readonly PlannedServer[], path: string): readonly PlannedServer[] =>
  planned.filter(({ target }) => target.path === path);

/** Reads and parses a program's file. @throws CONFIG_BROKEN with line and column, or with the reason why it cannot be read */
export async function readTarget(program: ForeignProgram, path: string) {
  const content = await readContent(path, MAX_FOREIGN_BYTES);
  if (content.kind !== 'text')
    throw unusableError(path, { message: content.kind === 'gone' ? 'it is missing' : content.reason });
  const opened = openText(program.format, content.text);
  if (isUnreadable(opened)) throw unusableError(path, opened);
  return { content, opened };
}

/** An entry that the panel has written into a file's text, and the record with which it can be undone. */
interface WrittenServer {
  readonly record: MovedEntry;
  /** The characters that are replaced. */
  readonly before: string;
  readonly after: string;
  readonly server: PlannedServer;
}

/**
 * Writes the planned entries of one file into the file's text. A server whose entry has a form that cannot be replaced stays
 * unchanged and is returned in `left`.
 */
export function writePlanned(
  program: ForeignProgram,
  opened: ServersText,
  planned: readonly PlannedServer[],
  entryOf: (server: PlannedServer) => JsonObject,
): {
  readonly text: string;
  readonly entries: readonly WrittenServer[];
  readonly left: readonly UnmovedServer[];
} {
  const entries: WrittenServer[] = [];
  const left: UnmovedServer[] = [];
  let current = opened;
  for (const server of planned) {
    const { found, target } = server;
    const ours = withKeptKeys(entryOf(server), found.entry);
    const written = writeEntry(program.format, current, target.keyPath, ours, found.removed);
    const next = written && openText(program.format, written.text);
    if (written === undefined || next === undefined || isUnreadable(next)) {
      left.push(leftBy(found, formError(server)));
      continue;
    }
    const { name, scope } = found;
    const record = {
      ...{ program: program.id, name, server: server.panelName, scope, path: target.path },
      ...written.record,
    };
    const { from, to, text } = written.edit;
    entries.push({ record, before: current.text.slice(from, to), after: text, server });
    current = next;
  }
  return { text: current.text, entries, left };
}

const formError = ({ found: { name, removed }, target: { path } }: PlannedServer): PanelError => {
  const reason =
    removed === undefined ? 'has a form that the panel cannot replace' : 'cannot be added there again';
  return new PanelError('CONFIG_INVALID', `${name} ${reason}.`, { data: { path, server: name } });
};

/** Keys of an entry that do not concern the connection. Their values, which the user has set, are kept in the panel's entry. */
const KEPT_KEYS = [
  ...[
    'alwaysAllow',
    'autoApprove',
    'available_tools',
    'default_tools_approval_mode',
    'description',
    'disabled',
  ],
  ...[
    'disabledTools',
    'disabled_tools',
    'enabled',
    'enabled_tools',
    'excludeTools',
    'includeTools',
    'isActive',
  ],
  ...['startup_timeout_ms', 'startup_timeout_sec', 'timeout', 'tool_timeout_sec', 'tools', 'trust'],
];

/** Returns the panel's entry with the replaced entry's settings that do not concern the connection, and the larger `timeout`. */
function withKeptKeys(ours: JsonObject, before: JsonObject | undefined): JsonObject {
  const kept = Object.entries(before ?? {}).filter(([key]) => KEPT_KEYS.includes(key));
  const merged = new Map([...Object.entries(ours), ...kept]);
  const [own, theirs] = [ours['timeout'], before?.['timeout']];
  if (typeof own === 'number' && typeof theirs === 'number') merged.set('timeout', Math.max(own, theirs));
  return Object.fromEntries(merged);
}
