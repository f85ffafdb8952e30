import type { ServerConfig } from '../../../shared/server-config.ts';
import { commandsIn } from '../platform/commands-in.ts';
import { programName } from '../../../shared/program-name.ts';

const FLAG = /^--inspect(-brk|-wait)?(=|$)/;
const DEBUGGER = /^(dlv|debugpy|debugpy-adapter)$/;
/** Programs that take the inspector flag before a script's name. */
const NODE_LIKE = /^(node|nodejs|bun|deno|tsx|ts-node|electron)$/;
const PYTHON = /^(python[0-9.]*|py)$/;
/** Options of Node-like programs whose value is a separate word, which must not be taken for the script. */
const WITH_VALUE =
  /^(-r|--require|--import|--loader|--experimental-loader|--env-file|-C|--conditions|--tsconfig|-W|-X|-c|--config)$/;

/**
 * Whether the server runs under an inspector, so that its developer may pause it at any time: flags of Node.js, debugpy, Delve.
 * A flag counts only where the program itself takes it, before the script's name or in NODE_OPTIONS, because a server may have
 * an argument of the same name.
 */
export function hasInspector(config: ServerConfig): boolean {
  if (config.transport !== 'stdio') return false;
  const nodeOptions = config.env['NODE_OPTIONS']?.split(/\s+/) ?? [];
  return (
    nodeOptions.some((word) => FLAG.test(word)) ||
    commandsIn([config.command, ...config.args]).some(isInspecting)
  );
}

/** Checks the first known program of the words, because a value of a runner's option may look like a program. */
function isInspecting(words: readonly string[]): boolean {
  const at = words.findIndex((word) =>
    [NODE_LIKE, PYTHON, DEBUGGER].some((name) => name.test(programName(word))),
  );
  const program = programName(words[at] ?? '');
  // Without a wrapper, only the first word is the program.
  if (at > 0 && commandsIn(words).length === 1) return false;
  if (DEBUGGER.test(program)) return true;
  const options = optionsBeforeScript(words.slice(at + 1));
  if (NODE_LIKE.test(program)) return options.some((word) => FLAG.test(word));
  const module = options.indexOf('-m') + 1;
  return PYTHON.test(program) && module > 0 && DEBUGGER.test(options[module] ?? '');
}

/** Returns the options before the script. The word after `-m` counts as an option, and `run` of Deno and Bun is skipped. */
function optionsBeforeScript(words: readonly string[]): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-m') return words.slice(0, index + 2);
    if (WITH_VALUE.test(word)) index += 1;
    else if (!word.startsWith('-') && !/^(run|watch)$/.test(word)) return words.slice(0, index);
  }
  return words;
}
