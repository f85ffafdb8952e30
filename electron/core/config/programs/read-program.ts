import { messageOf } from '../../../../shared/message-of.ts';
import type { ImportEnvironment } from './environment.ts';
import type { ForeignProgram, ProgramFile } from './program.ts';
import { openText } from './spans/open-text.ts';
import { isUnreadable, type OpenedText } from './spans/servers-text.ts';

/** Reads a file; undefined if it is missing. A rejection becomes a problem of that file. */
export type ReadFile = (path: string) => Promise<string | undefined>;

export interface OpenedFile {
  readonly file: ProgramFile;
  readonly opened: OpenedText;
}

/** Reads the program's own files, and then those that they refer to. Missing files are left out. Never rejects. */
export async function readProgram(
  program: ForeignProgram,
  env: ImportEnvironment,
  readFile: ReadFile,
): Promise<readonly OpenedFile[]> {
  const own = await openAll(program, program.files(env), readFile);
  const further = own.flatMap(({ file, opened }) =>
    isUnreadable(opened) ? [] : (program.follow?.(opened.value, file.path) ?? []),
  );
  return [...own, ...(await openAll(program, further, readFile))];
}

async function openAll(
  { format }: ForeignProgram,
  files: readonly ProgramFile[],
  readFile: ReadFile,
): Promise<readonly OpenedFile[]> {
  const found: OpenedFile[] = [];
  const paths = new Set<string>();
  for (const file of files) {
    if (paths.has(file.path)) continue;
    paths.add(file.path);
    const opened = await readFile(file.path).then(
      (text) => (text === undefined ? undefined : openText(format, text)),
      (error: unknown) => ({ message: `it cannot be read: ${messageOf(error)}` }),
    );
    if (opened !== undefined) found.push({ file, opened });
  }
  return found;
}
