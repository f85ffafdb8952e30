import { parsedUrl } from '../../../../shared/parsed.ts';
import { wrapperOfCommand } from '../../platform/wrapper-programs.ts';
import { RUNNER_FAMILIES } from '../../../../shared/package-run.ts';
import { programName } from '../../../../shared/program-name.ts';
import { addressOf, plainEntry } from './entry-shape.ts';
import { containerRunOf } from '../../../../shared/container-run.ts';

/** Programs that run a script. The server is named after the script, not after the program. */
const INTERPRETERS = /^(deno|node|tsx|ts-node|python3?|py|java|ruby|perl|dotnet|dnx|php|go|cargo)$/;
/** Words of a command line that do not name the server. */
const FILLERS = /^(run|dlx|exec|x|tool|start|-.*|\/c|\w+=.*|\d+[smhd]?|git\+.*|@smithery\/cli.*)$/i;
/** Programs that connect to a remote server. The server is named after the remote address. */
const RELAYS = /^(mcp-remote|mcp-proxy|supergateway)$/;
/** Frequent names of main files and build folders, which identify no server. */
const COMMON =
  /^(index|main|server|app|cli|mcp|__main__|src|dist|build|lib|bin|out|path|to|absolute|your|go|npm|\.+|)$/i;

/** Words from placeholder paths such as `path/to`. They are never used as a name, even if no other word is left. */
const NO_NAMES = /^(to|path|absolute|your|go|npm)$/i;

/** Returns a name for an entry that came without one: its `name`, else one from its command line or URL. */
export function nameOfEntry(value: unknown): string {
  const entry = plainEntry((value ?? {}) as Readonly<Record<string, unknown>>);
  const { name, command, cmd, args, cwd } = entry;
  if (typeof name === 'string' && name !== '') return name;
  const address = addressOf(entry);
  if (typeof address === 'string') return hostOf(address);
  const words = [command ?? cmd, args].flat().filter((word) => typeof word === 'string');
  return nameOfCommand(words, typeof cwd === 'string' ? [cwd] : []);
}

function nameOfCommand(words: readonly string[], folders: readonly string[]): string {
  const telling = wordsAfterOptions(words).filter(
    (word) => !runsAnother(lastPart(word)) && !FILLERS.test(word),
  );
  const [first] = telling;
  if (first === undefined) return folders.map(folderPart).find((part) => part !== undefined) ?? 'server';
  const relayed =
    RELAYS.test(plainPart(lastPart(first))) && telling.find((word) => /^https?:\/\//.test(word));
  if (typeof relayed === 'string') return hostOf(relayed);
  // A folder among the options may identify the server better than its file: `uv --directory …/weather run server.py`.
  const name =
    tellingPart(first) ?? [...words, ...folders].map(folderPart).find((part) => part !== undefined);
  return name ?? (NO_NAMES.test(plainPart(lastPart(first))) ? 'server' : plainPart(lastPart(first)));
}

/** Returns the last part of a path that is not a frequent name. */
function tellingPart(word: string): string | undefined {
  return partsOf(word)
    .map(plainPart)
    .findLast((part) => !COMMON.test(part))
    ?.replace(/^@/, '');
}

const folderPart = (word: string): string | undefined =>
  /^(?:[A-Za-z]:)?[\\/]/.test(word) && !runsAnother(lastPart(word)) ? tellingPart(word) : undefined;

/** Removes the version, the tag and the file extension from a part of a path. */
function plainPart(part: string): string {
  const mark = part.slice(1).search(/[@=:[]/);
  return (mark < 0 ? part : part.slice(0, mark + 1)).replace(/\.[a-z]{1,4}$/i, '');
}

function runsAnother(program: string): boolean {
  return wrapperOfCommand(program) !== undefined || INTERPRETERS.test(programName(program));
}

const partsOf = (path: string): readonly string[] => path.split(/[\\/]/).filter((part) => part !== '');

const lastPart = (path: string): string => partsOf(path).at(-1) ?? '';

/** Returns a name from the host of an address. */
export const hostOf = (address: string): string =>
  parsedUrl(address)?.hostname.replace(/^(www|mcp|api)\./, '') ?? 'server';

/** Options whose value is the next word, by program. */
const VALUES: readonly (readonly [programs: readonly string[], options: RegExp])[] = [
  [
    [
      ...RUNNER_FAMILIES.flatMap(({ programs }) => programs),
      ...['bun', 'poetry', 'hatch', 'pdm', 'rye', 'conda', 'mamba'],
    ],
    /^(-p|--package|--from|--with|--with-editable|--with-requirements|--python|--directory|--project|--prefix|-C|--cwd|--index|--index-url|--extra-index-url|--default-index|--registry|--env-file|--spec|--extra|--group|-n)$/,
  ],
  [
    ['node', 'deno', 'python', 'python3', 'py', 'java'],
    /^(-r|--require|--import|--loader|--env-file|-W|-X|-cp|-classpath|--config)$/,
  ],
];

/**
 * Returns the words of a command line without the options of its program and the values of these options. For a container
 * engine, only the program, the image and the words after the image are kept.
 */
function wordsAfterOptions([command = '', ...args]: readonly string[]): readonly string[] {
  const run = containerRunOf(command, args);
  if (run !== undefined) return [command, run.image, ...run.serverWords];
  const options = VALUES.find(([programs]) => programs.includes(programName(command)))?.[1];
  if (options === undefined) return [command, ...args];
  const kept = args.filter((_, index) => index === 0 || !options.test(args[index - 1] ?? ''));
  return [command, ...kept.filter((word) => !word.startsWith('-'))];
}
