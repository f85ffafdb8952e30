import { wrapperOfCommand } from './wrapper-programs.ts';

/** Returns the commands, with arguments, that a command line finally runs behind shells and other wrappers. */
export function commandsIn(words: readonly string[]): readonly (readonly string[])[] {
  const [command = '', ...args] = words;
  const kind = wrapperOfCommand(command)?.kind;
  if (kind === undefined || kind === 'container engine') return [words];
  const text = kind === 'shell' ? scriptOf(args) : undefined;
  if (text !== undefined) return commandsOfScript(text).flatMap(commandsIn);
  const at = args.findIndex((word) => !isOfWrapper(word));
  // A package runner's own arguments may name the bridge.
  return at < 0 ? [words] : [words, ...commandsIn(args.slice(at))];
}

/** Matches options, variables, durations, and the subcommands of runners. */
const isOfWrapper = (word: string): boolean =>
  /^(?:-|\/[ck]$|\w+=|\d+[smhd]?$)/i.test(word) || /^(?:exec|x|run|tool|dlx)$/.test(word);

function scriptOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => /^-[a-z]{0,4}c$|^-command$/i.test(word));
  return at < 0 ? undefined : args.slice(at + 1).join(' ');
}

function commandsOfScript(text: string): readonly (readonly string[])[] {
  return text.split(/[;&|\n]/).map((line) => {
    const words = line.split(/[\s"'()]/).filter((word) => word !== '');
    return words.slice(words.findIndex((word) => !/^\w+=/.test(word) && word !== 'exec'));
  });
}
