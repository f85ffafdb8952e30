import type { ServerConfig } from '../../../shared/server-config.ts';
import { commandsIn } from '../platform/commands-in.ts';
import { programName } from '../../../shared/program-name.ts';

const FLAG = /^--inspect(-brk|-wait)?(=|$)/;
const DEBUGGER = /^(dlv|debugpy|debugpy-adapter)$/;
/** Programs that take the flag before the name of a script. */
const NODE_LIKE = /^(node|nodejs|bun|deno|tsx|ts-node|electron)$/;
const PYTHON = /^(python[0-9.]*|py)$/;
/** Options of these programs whose value is a word of its own, which must not be taken for the script. */
const WITH_VALUE =
  /^(-r|--require|--import|--loader|--experimental-loader|--env-file|-C|--conditions|--tsconfig|-W|-X|-c|--config)$/;

/**
 * The server is run under an inspector, so that its developer may hold it whenever he likes: flags of Node.js, debugpy, Delve.
 * They count where the program itself takes them, before the name of the script or in NODE_OPTIONS: among its own arguments a
 * server may have one of the same name.
 */
export function hasInspector(config: ServerConfig): boolean {
  if (config.transport !== 'stdio') return false;
  const nodeOptions = config.env['NODE_OPTIONS']?.split(/\s+/) ?? [];
  return (
    nodeOptions.some((word) => FLAG.test(word)) ||
    commandsIn([config.command, ...config.args]).some(isInspecting)
  );
}

/** Options of a runner may have values that look like the program, so that the first known program counts. */
function isInspecting(words: readonly string[]): boolean {
  const at = words.findIndex((word) =>
    [NODE_LIKE, PYTHON, DEBUGGER].some((name) => name.test(programName(word))),
  );
  const program = programName(words[at] ?? '');
  // Without a wrapper before it, only the first word is the program.
  if (at > 0 && commandsIn(words).length === 1) return false;
  if (DEBUGGER.test(program)) return true;
  const options = optionsBeforeScript(words.slice(at + 1));
  if (NODE_LIKE.test(program)) return options.some((word) => FLAG.test(word));
  const module = options.indexOf('-m') + 1;
  return PYTHON.test(program) && module > 0 && DEBUGGER.test(options[module] ?? '');
}

/** The options up to the script; of `-m`, and of the commands `run` of Deno and Bun, what follows belongs to them. */
function optionsBeforeScript(words: readonly string[]): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-m') return words.slice(0, index + 2);
    if (WITH_VALUE.test(word)) index += 1;
    else if (!word.startsWith('-') && !/^(run|watch)$/.test(word)) return words.slice(0, index);
  }
  return words;
}
