import { delimiter, isAbsolute, posix, win32 } from 'node:path';
import { programFinder } from './find-program.ts';
import { namesPlace, programSearch, type ProgramSearch } from './program-search.ts';
import { commandNotFound } from './spawn-error.ts';
import type { SpawnRequest } from './spawner.ts';
import { readdir } from 'node:fs/promises';
import { foldersOf, suffixesOf } from './windows/find-windows-program.ts';

/**
 * Checks that a spawn would find the command. If the request contains the result of an earlier search, that result is used. In
 * uncertain cases, the check always passes: on POSIX without a PATH, and for a path relative to the working folder. Whether the
 * file may be executed is left to the spawn. @throws PanelError COMMAND_NOT_FOUND
 */
export async function requireCommand(
  { command, cwd, env, found }: Pick<SpawnRequest, 'command' | 'cwd' | 'env' | 'found'>,
  platform = process.platform,
): Promise<void> {
  const search = { ...programSearch(command, env, platform), cwd };
  if (command === '' || !isCertain(command, search.path, platform)) return;
  const program = found ?? (await programFinder(platform)(search));
  if (!('code' in program) || program.code !== 'ENOENT') return;
  const suggestion = await findSimilarCommand(search, platform);
  throw commandNotFound(command, search.path ?? '', { suggestion, platform });
}

/**
 * True if the search certainly finds the file that a spawn would run. On Windows this is always so, because the spawn gets the
 * full path that the search found.
 */
function isCertain(command: string, path: string | undefined, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  if (!path) return false;
  return namesPlace(command, platform) ? isAbsolute(command) : path.split(delimiter).every(isAbsolute);
}

/**
 * Programs that usually start servers, most frequent first. If several names are equally similar to a misspelled command, the
 * first of them is suggested.
 */
const USUAL = [
  'node',
  'npx',
  'npm',
  'python3',
  'python',
  'uvx',
  'uv',
  'docker',
  'deno',
  'bun',
  'bunx',
  'pnpm',
];

/** Maximum number of program names that are compared with the command; a system has a few thousand programs. */
const MAX_NAMES = 20_000;

/**
 * Suggests an existing command for a misspelled one, from the folders in which it was searched: "node" for "ndoe". Never
 * rejects.
 */
export async function findSimilarCommand(
  { command, path = '', pathExt, cwd = '.' }: ProgramSearch,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const paths = platform === 'win32' ? win32 : posix;
  const isPlace = namesPlace(command, platform);
  const searched = platform === 'win32' ? foldersOf(path) : path.split(':');
  const folders = isPlace
    ? [paths.resolve(cwd, paths.dirname(command))]
    : searched.filter((folder) => paths.isAbsolute(folder));
  const listings = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  const names = listings.flat().slice(0, MAX_NAMES);
  const written = isPlace ? paths.basename(command) : command;
  const name = nearestCommand(written, platform === 'win32' ? withoutSuffixes(names, pathExt) : names);
  if (name === undefined) return undefined;
  // If the command is a path, only its file name is replaced. The separator before it stays, whether slash or backslash.
  const found = isPlace ? command.slice(0, command.length - written.length) + name : name;
  const seen = await programFinder(platform)({ command: found, path, pathExt, cwd });
  return 'file' in seen ? found : undefined;
}

/** Returns the program names without and with their suffix: "node" and "node.exe". Leaves out files that are not programs. */
function withoutSuffixes(names: readonly string[], pathExt: string | undefined): readonly string[] {
  const suffixes = suffixesOf(pathExt);
  return names.flatMap((name) => {
    const suffix = win32.extname(name);
    return suffixes.includes(suffix.toLowerCase()) ? [name.slice(0, -suffix.length), name] : [];
  });
}

/** Returns the name that is most similar to the command: at most one typo in a short command, two in a longer one. */
export function nearestCommand(command: string, names: readonly string[]): string | undefined {
  const written = command.toLowerCase();
  const allowed = written.length < 3 ? 0 : written.length < 6 ? 1 : 2;
  const near = [...new Set(names)]
    .filter((name) => Math.abs(name.length - command.length) <= allowed)
    .map((name) => ({ name, slips: slipsBetween(written, name.toLowerCase()), rank: rankOf(name) }))
    .filter(({ slips }) => slips <= allowed)
    .sort(
      (one, other) => one.slips - other.slips || one.rank - other.rank || (one.name < other.name ? -1 : 1),
    );
  return near[0]?.name;
}

const rankOf = (name: string): number => (USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length);

/** Counts missing, extra, wrong and swapped letters (optimal string alignment distance). */
function slipsBetween(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const slips = [last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1)];
      if (isSwapped && row > 1 && column > 1) slips.push(beforeLast[column - 2]! + 1);
      current.push(Math.min(...slips));
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length]!;
}
