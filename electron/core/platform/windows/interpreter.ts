/** Interpreter that a script names. */
export interface Interpreter {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Reads the interpreter from a script's first line (`#!/usr/bin/env node`), by name only, because its folders are those of
 * another system. Undefined where it names none.
 * @param head the first characters of the script
 */
export function interpreterOf(head: string): Interpreter | undefined {
  const words =
    /^#![ \t]*([^\r\n]+)/
      .exec(head)?.[1]
      ?.trim()
      .split(/[ \t]+/) ?? [];
  const nameOf = (word: string) => word.split(/[\\/]/).at(-1) ?? '';
  const isLookedUp = nameOf(words[0] ?? '') === 'env';
  const [command, ...args] = isLookedUp ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const name = nameOf(command ?? '');
  return name === '' ? undefined : { command: name, args };
}
