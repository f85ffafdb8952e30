import { packageRunOfCommand } from '../../../shared/package-run.ts';
import {
  commandForms,
  FILLED_IN,
  isInterpreter,
  isRunOf,
  plainText,
  programWords,
  withoutEnding,
} from '../config/moving/copies/command-forms.ts';
import type { StartedServer } from '../config/moving/copies/running-copies.ts';
import type { ProcessInside } from '../platform/proc/process-inside.ts';
import { wrapperOfCommand } from '../platform/wrapper-programs.ts';

type Started = Pick<ProcessInside, 'argv' | 'environment'>;

const OFFICIAL = '@modelcontextprotocol/';
const MODULES = '/node_modules/';

/** Returns a function that finds the servers that a process may be, by program, arguments and variables of their entries. */
export function entryMatcher(
  servers: readonly StartedServer[],
): (process: Started) => readonly StartedServer[] {
  const known = servers.map((server) => ({ server, forms: commandForms(server.words) }));
  return ({ argv, environment }) =>
    known
      .filter(({ forms }) => forms.some((form) => isRunOf(argv, form)))
      .map(({ server }) => server)
      .filter(({ env = {} }) => Object.entries(env).every(([name, value]) => has(environment, name, value)));
}

/** Whether a variable has the value of the entry. A value that the client fills in may be any. */
const has = (environment: ReadonlyMap<string, string>, name: string, value: unknown): boolean =>
  FILLED_IN.test(String(value)) || environment.get(name) === String(value);

/**
 * The name of the program or package that a process runs, if it names an MCP server: an official one, or one with `mcp` as a
 * word. Folders and arguments do not count.
 */
export const serverNameIn = (argv: readonly string[]): string | undefined =>
  namesOf(argv).find((name) => name.startsWith(OFFICIAL) || wordsOf(name).includes('mcp'));

const wordsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]/);

function namesOf(argv: readonly string[]): readonly string[] {
  // npm replaces its arguments by one text.
  const words = argv.length === 1 && argv[0]?.startsWith('npm exec ') ? argv[0].split(' ') : argv;
  const [program = '', ...args] = words;
  const packages = packageRunOfCommand(program, args)?.packages;
  if (packages !== undefined) return packages;
  if (wrapperOfCommand(program) !== undefined) return [];
  if (!isInterpreter(program)) return [withoutEnding(program)];
  const module = args.indexOf('-m');
  if (module >= 0 && args.slice(0, module).every((word) => word.startsWith('-')))
    return args.slice(module + 1, module + 2);
  const script = plainText(programWords(words)[1]?.[0] ?? '');
  return [withoutEnding(script), ...packageOf(script)];
}

/** The package that a script within `node_modules` belongs to. */
function packageOf(script: string): readonly string[] {
  const at = script.lastIndexOf(MODULES);
  if (at < 0) return [];
  const [first = '', second = ''] = script.slice(at + MODULES.length).split('/');
  return [first.startsWith('@') ? `${first}/${second}` : first];
}
