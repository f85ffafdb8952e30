import { posix } from 'node:path';
import { ownValue } from '../../../../shared/own-value.ts';

/** Command line that makes a shell print its environment. */
export interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Marks in the output around two lists of variables: the NUL-separated list first, then a plain list for an `env` without
 * `-0`.
 */
export interface Marks {
  readonly begin: string;
  readonly middle: string;
  readonly end: string;
}

/**
 * Flags by shell. `-l` reads the login files, `-i` the files of a terminal, where most users set their PATH. A plain sh reads
 * no more files with `-i`, and complains; csh does not accept `-l` together with `-c`. Other shells (nu, pwsh, xonsh) have
 * their own languages.
 */
const FLAGS: Readonly<Record<string, string>> = {
  bash: '-ilc',
  zsh: '-ilc',
  fish: '-ilc',
  sh: '-lc',
  dash: '-lc',
  ash: '-lc',
  ksh: '-lc',
  mksh: '-lc',
  csh: '-c',
  tcsh: '-c',
};

/** Returns the command that prints the environment; undefined for a shell with another command syntax. */
export function shellCommand(shell: string, marks: Marks): ShellCommand | undefined {
  const name = posix.basename(shell);
  const flags = ownValue(FLAGS, name);
  if (flags === undefined) return undefined;
  const script = [
    printMark(marks.begin),
    '/usr/bin/env -0',
    printMark(marks.middle),
    '/usr/bin/env',
    printMark(marks.end),
  ];
  return { command: shell, args: [flags, script.join('; ')] };
}

/** Prints the mark in two halves, so that a shell that echoes its command line does not print the whole mark. */
function printMark(mark: string): string {
  const half = Math.ceil(mark.length / 2);
  return `printf '%s%s' ${mark.slice(0, half)} ${mark.slice(half)}`;
}

/** Returns the variables between the marks; undefined while the output is incomplete. */
export function parseEnvironment(output: string, marks: Marks): ReadonlyMap<string, string> | undefined {
  const begin = output.indexOf(marks.begin);
  const middle = output.indexOf(marks.middle, begin);
  const end = output.indexOf(marks.end, middle);
  if (begin === -1 || middle === -1 || end === -1) return undefined;
  const exact = output.slice(begin + marks.begin.length, middle);
  const pairs = exact.includes('\0')
    ? exact.split('\0')
    : output.slice(middle + marks.middle.length, end).split('\n');
  return new Map(
    pairs.flatMap((pair) => {
      const equals = pair.indexOf('=');
      return equals > 0 ? [[pair.slice(0, equals), pair.slice(equals + 1)]] : [];
    }),
  );
}
