import { PanelError } from '../../../../shared/error-codes.ts';
import type { Restore, RestoreResult } from '../../../../shared/ipc/topics/programs.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { readContent, type FileContent } from '../../files/file-content.ts';
import { conflictError, MAX_FOREIGN_BYTES, replaceForeign } from '../../files/foreign-file.ts';
import type { ForeignProgram } from '../programs/program.ts';
import { foreignPrograms } from '../programs/programs.ts';
import { openText } from '../programs/spans/open-text.ts';
import { isUnreadable, type ServersText } from '../programs/spans/servers-text.ts';
import { hashOf, isSameMoved, type MovedEntry, type MovedFile } from './moved-file.ts';
import { isBackAlready, putOver, withoutEntry, type PutOver } from './record.ts';

type Named = RestoreResult['restored'][number];
type Asked = RestoreResult['asked'][number];

/** Maximum number of attempts to write a file, because another program may change the file during each attempt. */
const ATTEMPTS = 5;

/**
 * Restores the entries that moves replaced in other programs' files. An entry that was changed since is not restored but
 * returned in `asked`, unless the user forces it. @throws CONFIG_CONFLICT if an entry that is restored by force has changed
 * since the user saw it; the errors of `MovedFile`, if moved.json cannot be read or written
 */
export async function restoreMoved(
  moved: MovedFile,
  clock: Clock & WallClock,
  filter: Restore = {},
): Promise<RestoreResult> {
  const records = await moved.read();
  const wanted = records.filter((record) => isWanted(record, filter));
  const restored: MovedEntry[] = [];
  const asked: Asked[] = [];
  for (const path of new Set(wanted.map((record) => record.path))) {
    // The latest entry is restored first, because it may have been written over an earlier one.
    const ofFile = wanted.filter((record) => record.path === path).toReversed();
    const outcome = await restoreFile(path, ofFile, filter, clock);
    restored.push(...outcome.restored);
    asked.push(...outcome.asked);
  }
  if (restored.length > 0) await moved.write((await moved.read()).filter((record) => !has(restored, record)));
  return { restored: restored.map(nameOf), asked };
}

const has = (records: readonly MovedEntry[], record: MovedEntry): boolean =>
  records.some((one) => isSameMoved(one, record));

const nameOf = ({ program, name, scope, path }: MovedEntry): Named => ({
  client: program,
  server: name,
  scope,
  path,
});

const serverOf = ({ name, scope }: MovedEntry, { servers }: Restore) =>
  servers?.find((server) => server.name === name && (server.scope ?? scope) === scope);

const isWanted = (record: MovedEntry, filter: Restore): boolean =>
  (filter.client ?? record.program) === record.program &&
  (filter.servers === undefined || serverOf(record, filter) !== undefined);

interface Outcome {
  readonly restored: readonly MovedEntry[];
  readonly asked: readonly Asked[];
}

async function restoreFile(
  path: string,
  records: readonly MovedEntry[],
  filter: Restore,
  clock: Clock & WallClock,
): Promise<Outcome> {
  const program = foreignPrograms.find(({ id }) => id === records[0]?.program);
  const refuse = (reason: string): Outcome => ({
    restored: [],
    asked: records.map((record) => ({ ...nameOf(record), reason })),
  });
  if (program === undefined) return refuse('this panel does not know the program');
  for (let attempt = 1; ; attempt += 1) {
    const before = await readContent(path, MAX_FOREIGN_BYTES);
    if (before.kind === 'gone') return refuse('the file no longer exists');
    if (before.kind === 'unreadable') return refuse(before.reason);
    const { text, ...outcome } = restoreText(program, before, records, filter);
    if (text === before.text) return outcome;
    try {
      await replaceForeign({ path, before, text, hasLock: program.hasLock === true, clock });
      return outcome;
    } catch (error) {
      const isConflict = error instanceof PanelError && error.code === 'CONFIG_CONFLICT';
      if (!isConflict || attempt === ATTEMPTS) return refuse(messageOf(error));
    }
  }
}

/** @throws CONFIG_CONFLICT if an entry that is restored by force has changed since the user saw it */
function restoreText(
  { format }: ForeignProgram,
  before: Extract<FileContent, { kind: 'text' }>,
  records: readonly MovedEntry[],
  filter: Restore,
): Outcome & { readonly text: string } {
  let { text } = before;
  const restored: MovedEntry[] = [];
  const asked: Asked[] = [];
  for (const record of records) {
    const opened = openText(format, text);
    if (isUnreadable(opened)) {
      asked.push({ ...nameOf(record), reason: `the file cannot be read: ${opened.message}` });
      continue;
    }
    const clean = textWithout(opened, record);
    const isUsable = clean !== undefined && !isUnreadable(openText(format, clean));
    const over = isUsable ? undefined : putOver(format, opened, record);
    const change = over && { now: over.now, then: over.then, precondition: preconditionFor(record, over) };
    const force = serverOf(record, filter)?.force;
    if (change !== undefined && force !== undefined && force !== change.precondition)
      throw conflictError(record.path, 'it has changed since it was shown');
    const next = isUsable ? clean : force === undefined ? undefined : over?.text;
    if (next !== undefined) {
      text = next;
      restored.push(record);
    } else
      asked.push({
        ...nameOf(record),
        reason: 'it was changed since it was moved',
        ...(change && { change }),
      });
  }
  return { text, restored, asked };
}

/** Returns a hash with which the user confirms a forced restoration. It changes if the entry changes after it was shown. */
const preconditionFor = ({ path, keyPath }: MovedEntry, { now, then }: PutOver): string =>
  hashOf(JSON.stringify([path, keyPath, now, then]));

function textWithout(opened: ServersText, record: MovedEntry): string | undefined {
  return isBackAlready(opened, record) ? opened.text : withoutEntry(opened, record);
}
