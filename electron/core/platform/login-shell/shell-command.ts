import { posix } from 'node:path';
import { ownValue } from '../../../../shared/own-value.ts';

/** How to have a shell tell its environment. */
export interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What stands around the two lists in the output: first the one with NULs, then the plain one, for an `env` without `-0`. */
export interface Marks {
  readonly begin: string;
  readonly middle: string;
  readonly end: string;
}

/**
 * `-l` reads the files of a login, `-i` those of a terminal, where most people set their PATH. A plain sh reads nothing
 * more with `-i`, but complains; csh takes no `-l` beside `-c`. Others (nu, pwsh, xonsh) have a language of their own.
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

/** Undefined for a shell that does not understand the question. */
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

/** In two halves, so that a shell that echoes its command line does not print the mark with it. */
function printMark(mark: string): string {
  const half = Math.ceil(mark.length / 2);
  return `printf '%s%s' ${mark.slice(0, half)} ${mark.slice(half)}`;
}

/** The variables between the marks; undefined while they are not all there. */
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
