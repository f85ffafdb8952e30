import type { Ask, ImportedEntry } from '../../../../shared/manage.ts';
import { variableOf } from '../../platform/child-environment.ts';
import { namesPlace, programSearch, type FindProgram } from '../../platform/program-search.ts';

/** What imported servers find on this machine: programs, environment variables and folders. */
export interface ImportMachine {
  /** Environment of servers on this machine, with all variables of the user's login shell. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working folder of servers that specify none. */
  readonly home: string;
  /** Makes a path of an entry absolute. */
  readonly resolve: (path: string) => string;
  readonly isFolder: (path: string) => Promise<boolean>;
  /** Finds a program in the folders of PATH. Undefined if PATH is not known, in which case commands are not checked. */
  readonly findProgram: FindProgram | undefined;
  /** Platform of the machine. Default: the one that the panel runs on. */
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns a copy of the entry with the values that this machine has for its variables, and with the reason why the server
 * cannot run here, if there is one. Never rejects.
 */
export async function checkOnMachine<Entry extends ImportedEntry>(
  entry: Entry,
  machine: ImportMachine,
): Promise<Entry> {
  const asks = entry.asks?.map((ask) => withFoundValue(ask, machine));
  const obstacle = await obstacleOf(entry, machine);
  return { ...entry, ...(asks !== undefined && { asks }), ...(obstacle !== undefined && { obstacle }) };
}

function withFoundValue(ask: Ask, { environment, platform = process.platform }: ImportMachine): Ask {
  const found = ask.variable === undefined ? undefined : variableOf(environment, ask.variable, platform);
  return found === undefined || found === '' ? ask : { ...ask, found };
}

/**
 * Returns why the server cannot run on this machine, or undefined. A command or folder that contains a placeholder is not
 * checked, because the user has not filled it in yet.
 */
async function obstacleOf(
  { entry, asks = [] }: ImportedEntry,
  { environment, home, resolve, isFolder, findProgram, platform = process.platform }: ImportMachine,
): Promise<string | undefined> {
  const { command, cwd, env } = entry;
  if (command === undefined || findProgram === undefined) return undefined;
  const isOpen = (text: string) =>
    text.includes('${') || asks.some(({ placeholder }) => placeholder !== '' && text.includes(placeholder));
  const isFolderOpen = cwd !== undefined && isOpen(cwd);
  if (cwd !== undefined && !isFolderOpen && !(await isFolder(resolve(cwd))))
    return `its working folder ${cwd} is not on this machine`;
  if (isOpen(command) || (isFolderOpen && namesPlace(command, platform))) return undefined;
  const search = programSearch(command, { ...environment, ...env }, platform);
  const found = await findProgram({ ...search, cwd: cwd === undefined ? home : resolve(cwd) });
  if ('file' in found) return undefined;
  return found.code === 'ENOENT'
    ? `its command ${command} is not on this machine`
    : `its command ${command} may not be run by you`;
}
