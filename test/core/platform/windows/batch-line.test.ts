import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchLine, unquotable } from '../../../../electron/core/platform/windows/windows-start.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const FILE = String.raw`C:\100% & more\run (1).cmd`;
const VARIABLES = { PATH: 'leaked', A: '" & calc & "' };
const read = (args: readonly string[]) => argumentsBehindBatch(batchLine(FILE, args), VARIABLES);

describe('batchLine', () => {
  it.each([
    ['what joins commands', ['a&calc', 'a|b', 'a&&b', '>out', '(a)']],
    ['a quote before what joins commands', ['a"&calc', '"|calc', 'a" & "b']],
    ['a quote behind backslashes', ['a\\"&calc', 'a\\\\"&calc', '\\"']],
    ['names of variables', ['%PATH%', '%A%', '%', '%%', '%cd:~,%', '100%', '%PATH:~0,1%']],
    ['carets and exclamation marks', ['a^b', '^&calc', '!PATH!', '^']],
    ['nothing, blanks and tabs', ['', ' ', 'a b', '\t', ' a']],
    ['backslashes at the end', ['\\', 'C:\\a b\\', 'a\\\\']],
    ['JSON', ['{"a":[1,"b c"],"d":"e\\"f"}']],
    ['what separates arguments of cmd.exe', ['a,b', 'a;b', 'a=b', '/?', '*', '~', "it's"]],
  ])('brings %s to the program behind the batch file as it is', (_, args) => {
    expect(read(args)).toEqual([FILE, ...args]);
  });

  it('lets nothing be read as a command, a redirection or a variable, whatever the arguments are', () => {
    const nasty = fc.string({ unit: fc.constantFrom(...'"\\%^&|<>()! aA=;,~:\t/?*'), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 4 }),
        (args) => {
          fc.pre(unquotable(args) === undefined);
          expect(read(args)).toEqual([FILE, ...args]);
        },
      ),
      { numRuns: propertyRuns(400) },
    );
  });

  it('leaves plain words as they are, because a batch file may compare them', () => {
    expect(batchLine('C:\\a.cmd', ['-y', '@scope/name@1.2', '--port:80'])).toBe(
      '""C:\\a.cmd" -y @scope/name@1.2 --port:80"',
    );
  });
});

describe('unquotable', () => {
  it.each([
    [['a', 'b\nc'], 1],
    [['a\r'], 0],
    [['a\0'], 0],
    [['a b', '"', '%'], undefined],
  ])('%j: %s', (args, index) => {
    expect(unquotable(args)).toBe(index);
  });
});

/**
 * What the program behind a batch file gets, by the published rules of cmd.exe and of Microsoft's C runtime; throws where
 * anything of the line would be read as a second command, a redirection or a variable.
 * @param line behind `/s /c`
 * @param variables of the environment, in upper case
 */
function argumentsBehindBatch(line: string, variables: Readonly<Record<string, string>>): string[] {
  if (!line.startsWith('"') || !line.endsWith('"')) throw new Error('/s takes off one quote at each end');
  const [file, rest] = split(readByShell(withVariables(line.slice(1, -1), variables)));
  // The batch file says: "probe.exe" %*
  const [, ...args] = argumentsOf(readByShell(`"probe.exe" ${rest}`));
  return [file.replaceAll('"', ''), ...args];
}

/** Replaces variables as on a command line: a `%` that begins no name of a variable stays, and the next character is looked at. */
function withVariables(line: string, variables: Readonly<Record<string, string>>): string {
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1;
    const name = end === -1 ? '' : line.slice(at + 1, end);
    const value = valueOf(name, variables);
    text += value ?? line[at];
    if (value !== undefined) at = end;
  }
  return text;
}

/** `%cd:~,%` is the part of the working folder from its beginning, zero characters long. */
function valueOf(name: string, variables: Readonly<Record<string, string>>): string | undefined {
  return name.toLowerCase() === 'cd:~,' ? '' : variables[name.toUpperCase()];
}

/** One reading of the shell: quotes switch the meaning of what is special off and on, and stay. */
function readByShell(line: string): string {
  let isQuoted = false;
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (character === '\n' || character === '\r') throw new Error('the line ends here');
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '&|<>()'.includes(character)) throw new Error(`${character} at ${at} of ${line}`);
    else if (!isQuoted && character === '^') at += 1;
    text += line[at] ?? '';
  }
  return text;
}

/** The first word, quotes included, and what is behind it. */
function split(line: string): readonly [string, string] {
  const [first = ''] = /^(?:"[^"]*"|[^ ,;=\t])+/.exec(line) ?? [];
  return [first, line.slice(first.length)];
}

/** Arguments as the C runtime has read them since 2008. */
function argumentsOf(line: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length;) {
    const [backslashes] = /^\\*/.exec(line.slice(at))!;
    at += backslashes.length;
    const isQuote = line[at] === '"';
    if (backslashes.length > 0)
      current = (current ?? '') + '\\'.repeat(isQuote ? backslashes.length >> 1 : backslashes.length);
    if (isQuote && backslashes.length % 2 === 1) current += '"';
    else if (isQuote && isQuoted && line[at + 1] === '"') {
      current = `${current ?? ''}"`;
      at += 1;
    } else if (isQuote) {
      isQuoted = !isQuoted;
      current ??= '';
    } else if (!isQuoted && (line[at] === ' ' || line[at] === '\t')) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else current = (current ?? '') + (line[at] ?? '');
    at += 1;
  }
  return current === undefined ? args : [...args, current];
}
