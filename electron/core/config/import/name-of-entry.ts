import { wrapperOfCommand } from '../../platform/wrapper-programs.ts';
import { programName } from '../../../../shared/program-name.ts';
import { addressOf, plainEntry } from './entry-shape.ts';
import { wordsAfterOptions } from './words-after-options.ts';

/** Programs that run a script, which is what the server is. */
const INTERPRETERS = /^(deno|node|tsx|ts-node|python3?|py|java|ruby|perl|dotnet|dnx|php|go|cargo)$/;
/** Words of a command line that name no server. */
const FILLERS = /^(run|dlx|exec|x|tool|start|-.*|\/c|\w+=.*|\d+[smhd]?|git\+.*|@smithery\/cli.*)$/i;
/** Programs that pass on what a remote server says, which is the server that counts. */
const RELAYS = /^(mcp-remote|mcp-proxy|supergateway)$/;
/** Names that every second server has for its first file or for the folder of what was built. */
const COMMON =
  /^(index|main|server|app|cli|mcp|__main__|src|dist|build|lib|bin|out|path|to|absolute|your|go|npm|\.+|)$/i;

/** Words of instructions that are no names, where nothing else is left. */
const NO_NAMES = /^(to|path|absolute|your|go|npm)$/i;

/** A name for an entry that came without one: its `name`, else what its command line or URL names. */
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
  // A folder that an option names may say more than the file: `uv --directory …/weather run server.py`.
  const name =
    tellingPart(first) ?? [...words, ...folders].map(folderPart).find((part) => part !== undefined);
  return name ?? (NO_NAMES.test(plainPart(lastPart(first))) ? 'server' : plainPart(lastPart(first)));
}

/** The last part of a path that is not what all of them are called. */
function tellingPart(word: string): string | undefined {
  return partsOf(word)
    .map(plainPart)
    .findLast((part) => !COMMON.test(part))
    ?.replace(/^@/, '');
}

const folderPart = (word: string): string | undefined =>
  /^(?:[A-Za-z]:)?[\\/]/.test(word) && !runsAnother(lastPart(word)) ? tellingPart(word) : undefined;

/** Without version, tag and suffix. */
function plainPart(part: string): string {
  const mark = part.slice(1).search(/[@=:[]/);
  return (mark < 0 ? part : part.slice(0, mark + 1)).replace(/\.[a-z]{1,4}$/i, '');
}

function runsAnother(program: string): boolean {
  return wrapperOfCommand(program) !== undefined || INTERPRETERS.test(programName(program));
}

const partsOf = (path: string): readonly string[] => path.split(/[\\/]/).filter((part) => part !== '');

const lastPart = (path: string): string => partsOf(path).at(-1) ?? '';

/** The name of the host that an address reaches. */
export function hostOf(address: string): string {
  try {
    return new URL(address).hostname.replace(/^(www|mcp|api)\./, '');
  } catch {
    return 'server';
  }
}
