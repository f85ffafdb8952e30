import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { Clock, WallClock } from '../../clock.ts';
import { readContent, type FileContent } from '../../files/file-content.ts';
import { MAX_FOREIGN_BYTES, replaceForeign } from '../../files/foreign-file.ts';
import type { ForeignProgram } from '../programs/program.ts';
import { foreignPrograms } from '../programs/programs.ts';
import { openText } from '../programs/spans/open-text.ts';
import { isUnreadable, type ServersText } from '../programs/spans/servers-text.ts';
import { isSameMoved, type MovedEntry, type MovedFile } from './moved-file.ts';
import { isBackAlready, withoutEntry } from './record.ts';

export interface RestoreFilter {
  /** Id of a program; all of them if undefined. */
  readonly client?: string | undefined;
  readonly servers?: readonly { readonly name: string; readonly scope?: string | undefined }[] | undefined;
}

interface Named {
  readonly client: string;
  readonly server: string;
  readonly scope: string;
  readonly path: string;
}

export interface Restored {
  readonly restored: readonly Named[];
  /** Entries that are left as they are, because they were changed since, or cannot be written. */
  readonly asked: readonly (Named & { readonly reason: string })[];
}

/** Attempts, each of which another program may disturb. */
const ATTEMPTS = 5;

/** Puts back what stood in place of entries of ours. Never rejects for a file of another program. @throws as `MovedFile` */
export async function restoreMoved(
  moved: MovedFile,
  clock: Clock & WallClock,
  filter: RestoreFilter = {},
): Promise<Restored> {
  const records = await moved.read();
  const wanted = records.filter((record) => isWanted(record, filter));
  const restored: MovedEntry[] = [];
  const asked: Restored['asked'][number][] = [];
  for (const path of new Set(wanted.map((record) => record.path))) {
    // What was written last stands on what was written before.
    const ofFile = wanted.filter((record) => record.path === path).toReversed();
    const outcome = await restoreFile(path, ofFile, clock);
    restored.push(...outcome.restored);
    asked.push(...outcome.asked.map(([record, reason]) => ({ ...nameOf(record), reason })));
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

function isWanted({ program, name, scope }: MovedEntry, { client, servers }: RestoreFilter): boolean {
  if (client !== undefined && client !== program) return false;
  return servers?.some((server) => server.name === name && (server.scope ?? scope) === scope) ?? true;
}

interface Outcome {
  readonly restored: readonly MovedEntry[];
  readonly asked: readonly (readonly [record: MovedEntry, reason: string])[];
}

async function restoreFile(
  path: string,
  records: readonly MovedEntry[],
  clock: Clock & WallClock,
): Promise<Outcome> {
  const program = foreignPrograms.find(({ id }) => id === records[0]?.program);
  const refuse = (reason: string): Outcome => ({
    restored: [],
    asked: records.map((record) => [record, reason] as const),
  });
  if (program === undefined) return refuse('this panel does not know the program');
  for (let attempt = 1; ; attempt += 1) {
    const before = await readContent(path, MAX_FOREIGN_BYTES);
    if (before.kind === 'gone') return refuse('the file is not there any more');
    if (before.kind === 'unreadable') return refuse(before.reason);
    const { text, ...outcome } = restoreText(program, before, records);
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

function restoreText(
  { format }: ForeignProgram,
  before: Extract<FileContent, { kind: 'text' }>,
  records: readonly MovedEntry[],
): Outcome & { readonly text: string } {
  let { text } = before;
  const restored: MovedEntry[] = [];
  const asked: (readonly [MovedEntry, string])[] = [];
  for (const record of records) {
    const opened = openText(format, text);
    const next = isUnreadable(opened) ? undefined : textWithout(opened, record);
    const isUsable = next !== undefined && !isUnreadable(openText(format, next));
    if (isUsable) {
      text = next;
      restored.push(record);
    } else
      asked.push([
        record,
        isUnreadable(opened)
          ? `the file cannot be read: ${opened.message}`
          : 'it was changed since it was moved',
      ]);
  }
  return { text, restored, asked };
}

function textWithout(opened: ServersText, record: MovedEntry): string | undefined {
  return isBackAlready(opened, record) ? opened.text : withoutEntry(opened, record);
}
