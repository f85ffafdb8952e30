import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autostartFile } from '../../../electron/shell/app/login-item.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const fileFor = (program: string, ...args: string[]) =>
  autostartFile({ name: 'A name', comment: 'What it is', command: [program, ...args] });

const valueOf = (file: string, key: string) =>
  file
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1);

/** Reads a command line as the specification says, step by step in its own order. */
function readCommand(exec: string): string[] {
  const unescaped = exec.replace(
    /\\([snrt\\])/g,
    (_all, letter: string) => ({ s: ' ', n: '\n', r: '\r', t: '\t', '\\': '\\' })[letter] ?? '',
  );
  const words = unescaped.match(/"(?:[^"\\]|\\[^])*"|[^ ]+/g) ?? [];
  return words.map((word) =>
    (word.startsWith('"') ? word.slice(1, -1).replace(/\\(["`$\\])/g, '$1') : word).replaceAll('%%', '%'),
  );
}

describe('autostartFile', () => {
  it('is the file that desktops expect', () => {
    expect(fileFor('/opt/MCP Control Panel/mcp-control-panel', '--hidden')).toBe(
      [
        '[Desktop Entry]',
        'Type=Application',
        'Name=A name',
        'Comment=What it is',
        'TryExec=/opt/MCP Control Panel/mcp-control-panel',
        'Exec="/opt/MCP Control Panel/mcp-control-panel" --hidden',
        'Terminal=false',
        'X-GNOME-Autostart-enabled=true',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['/opt/app', '/opt/app'],
    ['/opt/100%', '/opt/100%%'],
    ['/opt/$HOME', '"/opt/\\\\$HOME"'],
    ['/opt/`id`', '"/opt/\\\\`id\\\\`"'],
    ['/opt/"quoted"', '"/opt/\\\\"quoted\\\\""'],
    ['/opt/back\\slash', '"/opt/back\\\\\\\\slash"'],
    ['/opt/two\nlines', '"/opt/two\\nlines"'],
    ['/opt/;rm -rf ~', '"/opt/;rm -rf ~"'],
  ])('quotes %j', (program, exec) => {
    expect(valueOf(fileFor(program), 'Exec')).toBe(exec);
  });

  it('is read back as what was meant, whatever the path holds, and has one line per key', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((path) => !/[=\0]/.test(path));
    const args = fc.array(fc.string({ unit: 'grapheme' }).filter((arg) => !arg.includes('\0')));
    fc.assert(
      fc.property(text, args, (path, rest) => {
        const file = fileFor(`/${path}`, ...rest);
        expect(readCommand(valueOf(file, 'Exec') ?? '')).toEqual([`/${path}`, ...rest]);
        expect(file.split('\n')).toHaveLength(9);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('refuses a path that no desktop entry may hold', () => {
    expect(() => fileFor('/opt/a=b/app')).toThrow('"="');
  });
});
