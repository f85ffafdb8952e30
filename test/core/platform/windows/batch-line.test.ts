import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchLine, unquotable } from '../../../../electron/core/platform/windows/windows-start.ts';
import { argumentsBehindBatch } from './command-shell-model.ts';
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
