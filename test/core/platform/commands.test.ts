import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, win32 } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { requireCommand } from '../../../electron/core/platform/find-command.ts';
import { checkFolder, spawnChild, type SpawnRequest } from '../../../electron/core/platform/spawner.ts';
import {
  findWindowsProgram,
  type ProgramDisk,
} from '../../../electron/core/platform/windows/find-windows-program.ts';
import { windowsStart } from '../../../electron/core/platform/windows/windows-start.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const isWine = existsSync('C:\\windows\\system32\\winecfg.exe');

type System = 'posix' | 'win32';
type Refusal = readonly [code: string, remedy: RegExp];

/** One entry, and what comes of it on each system; undefined where the system knows nothing like it. */
interface Row {
  readonly name: string;
  /** `{base}` stands for a folder with a blank and an ampersand in its name. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** Name of the variable that holds PATH. */
  readonly pathName?: string;
  /** What comes of it on every system. `runs`: its arguments arrive as they are. */
  readonly all?: Refusal | 'runs';
  readonly posix?: Refusal | 'runs';
  readonly win32?: Refusal | 'runs';
}

const NASTY = [
  'a b',
  '',
  'a&b',
  'a"&calc',
  "it's",
  '{"a":[1,"b c"]}',
  '^',
  'C:\\a b\\',
  '(1)',
  'a|b>c',
  '=;,',
];
const MISSING: Refusal = ['COMMAND_NOT_FOUND', /^Install "no-such-tool", or give its full path/];

const written: readonly Row[] = [
  { name: 'a missing command', command: 'no-such-tool', all: MISSING },
  {
    name: 'a slip of the pen',
    command: 'toool',
    all: ['COMMAND_NOT_FOUND', /^Write "tool" if you meant that/],
  },
  {
    name: 'a path to nothing',
    command: '{base}/elsewhere/gone',
    all: ['COMMAND_NOT_FOUND', /^Correct its path/],
  },
  {
    name: 'a wrong folder',
    command: 'tool',
    cwd: '{base}/gone',
    all: ['CWD_MISSING', /^Create the folder, or correct "cwd"/],
  },
  {
    name: 'a folder in the place of a program',
    command: '{base}/bin',
    posix: ['PERMISSION_DENIED', /executable file/],
    win32: ['PERMISSION_DENIED', /not a folder/],
  },
  {
    name: 'a file that is no program',
    command: '{base}/notes.txt',
    posix: ['PERMISSION_DENIED', /executable file/],
    win32: ['START_FAILED', /not a program for this machine.*node, python/],
  },
  { name: 'a script on PATH (.cmd)', command: 'tool', args: NASTY, all: 'runs' },
  {
    name: 'a script with a blank and an ampersand in its path',
    command: '{base}/a & b/tool',
    args: NASTY,
    all: 'runs',
  },
  { name: 'npx (npx.cmd beside a script for sh)', command: 'npx', args: NASTY, all: 'runs' },
  {
    name: 'a path from the working folder',
    command: './bin/tool',
    args: ['a b'],
    all: 'runs',
  },
  { name: 'a script that names node', command: 'served', args: NASTY, all: 'runs' },
  {
    name: 'a script that names an interpreter that is not there',
    command: 'orphan',
    win32: ['COMMAND_NOT_FOUND', /^Install "no-such-runtime"/],
  },
  {
    name: 'a program in the working folder that PATH does not name',
    command: 'planted',
    all: ['COMMAND_NOT_FOUND', /^Install "planted"/],
  },
  {
    name: 'a line break for a script',
    command: 'tool',
    args: ['a\nb'],
    posix: 'runs',
    win32: ['CONFIG_INVALID', /^Take it out of the argument, or give the program that tool\.cmd runs/],
  },
  {
    name: 'more than a script can be given',
    command: 'tool',
    args: ['x'.repeat(9000)],
    posix: 'runs',
    win32: ['START_FAILED', /too long/],
  },
  {
    name: 'percent signs for a script',
    command: 'tool',
    args: ['%PATH%', '%', '%%TEMP%%', '100%'],
    posix: 'runs',
    // Wine's cmd.exe reads percent signs by rules of its own, and has no way to write one.
    ...(isWine ? {} : { win32: 'runs' }),
  },
  { name: 'PATH in another case', command: 'tool', pathName: 'Path', win32: 'runs' },
];
const rows = written.map(({ all, ...row }): Omit<Row, 'all'> => ({
  ...(all && { posix: all, win32: all }),
  ...row,
}));

const PROBE = 'console.log(JSON.stringify(process.argv.slice(2)))';
const NPX = '@echo off\r\nsetlocal\r\nset "NODE_EXE=node"\r\n';
/** Files by their path below the base: those of both systems, because a Windows has both kinds beside each other. */
const filesFor = (node: string): Readonly<Record<string, string>> => ({
  'probe.cjs': PROBE,
  'notes.txt': 'no program',
  'bin/tool': `#!/bin/sh\nexec "${node}" "$(dirname "$0")/../probe.cjs" "$@"\n`,
  'bin/tool.cmd': `@"${node}" "%~dp0..\\probe.cjs" %*\r\n`,
  'bin/npx': `#!/bin/sh\nexec "${node}" "$(dirname "$0")/../probe.cjs" "$@"\n`,
  'bin/npx.cmd': `${NPX}"${node}" "%~dp0..\\probe.cjs" %*\r\n`,
  'bin/served': `#!/usr/bin/env node\n${PROBE}\n`,
  'bin/orphan': '#!/usr/bin/env no-such-runtime\n',
  'a & b/tool': `#!/bin/sh\nexec "${node}" "$(dirname "$0")/../probe.cjs" "$@"\n`,
  'a & b/tool.cmd': `@"${node}" "%~dp0..\\probe.cjs" %*\r\n`,
  planted: '#!/bin/sh\n',
  'planted.cmd': '@echo planted\r\n',
});
const isProgram = (path: string) => !/\.(?:txt|cjs|cmd)$/.test(path);

function requestOf(
  { command, args = [], cwd = '{base}', pathName = 'PATH' }: Row,
  base: string,
  path: string,
) {
  const at = (words: string) => words.replace('{base}', base);
  const env = { [pathName]: path, SystemRoot: process.env['SystemRoot'] ?? 'C:\\Windows' };
  return { command: at(command), args, cwd: at(cwd), env } satisfies SpawnRequest;
}

async function expectRefusal(outcome: Promise<unknown>, [code, remedy]: Refusal): Promise<void> {
  await expect(outcome).rejects.toMatchObject({ code, remedy: expect.stringMatching(remedy) as string });
}

describe('a command, for real', () => {
  const system: System = process.platform === 'win32' ? 'win32' : 'posix';
  const base = join(sharedFolder('commands-'), 'my & servers');
  beforeAll(() => {
    for (const [name, content] of Object.entries(filesFor(process.execPath))) {
      mkdirSync(dirname(join(base, name)), { recursive: true });
      writeFileSync(join(base, name), content);
      if (isProgram(name)) chmodSync(join(base, name), 0o755);
    }
  });

  it.each(rows.filter((row) => row[system] !== undefined))('$name', async (row) => {
    const delimiter = system === 'win32' ? ';' : ':';
    const path = [join(base, 'bin'), dirname(process.execPath), '/bin', '/usr/bin'].join(delimiter);
    const request = requestOf(row, base, path);
    const run = async () => {
      await checkFolder(request);
      await requireCommand(request);
      const child = await spawnChild(request);
      const [output, exit] = await Promise.all([text(child.stdout), child.exited, text(child.stderr)]);
      return { args: JSON.parse(output) as string[], exit };
    };
    const expected = row[system]!;
    if (expected !== 'runs') return expectRefusal(run(), expected);
    expect(await run()).toEqual({ args: request.args, exit: { exitCode: 0 } });
  });
});

describe('a command, on a simulated Windows', () => {
  const base = 'C:\\Users\\ada\\my & servers';
  const node = 'C:\\Program Files\\nodejs\\node.exe';
  const files = new Map(
    Object.entries(filesFor(node)).map(([name, content]) => [win32.join(base, name).toLowerCase(), content]),
  );
  files.set(node.toLowerCase(), 'MZ');
  const isFolder = (path: string) => [...files.keys()].some((file) => file.startsWith(`${path}\\`));
  const disk: ProgramDisk = {
    look: (file) => {
      const path = file.toLowerCase();
      return Promise.resolve(files.has(path) ? 'file' : isFolder(path) ? 'forbidden' : 'absent');
    },
    readHead: (file) =>
      file.includes('locked')
        ? Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }))
        : Promise.resolve(files.get(file.toLowerCase())!.slice(0, 256)),
  };
  const path = [win32.join(base, 'bin'), 'C:\\Program Files\\nodejs'].join(';');
  const start = async (row: Row) => {
    const { cwd, ...request } = requestOf(row, base, path);
    if (!isFolder(win32.resolve(cwd).toLowerCase()))
      await checkFolder({ ...request, cwd: '/no/such/folder' });
    return windowsStart({ ...request, cwd }, disk);
  };
  // What was probably meant is looked for in real folders.
  const simulated = rows.filter((row) => row.win32 !== undefined && row.name !== 'a slip of the pen');

  it.each(simulated)('$name', async (row) => {
    const expected = row.win32!;
    if (expected !== 'runs') return expectRefusal(start(row), expected);
    const { file, args, isQuoted } = await start(row);
    expect(win32.isAbsolute(file)).toBe(true);
    if (isQuoted) expect(args.slice(0, -1)).toEqual(['/d', '/e:on', '/v:off', '/s', '/c']);
    else expect(args.slice(1)).toEqual(row.args ?? []);
  });

  it('is refused where this user may not read the file, before cmd.exe says so in its own language', async () => {
    files.set(win32.join(base, 'bin', 'locked.cmd').toLowerCase(), '');
    await expectRefusal(start({ name: '', command: 'locked' }), [
      'PERMISSION_DENIED',
      /may read and execute it/,
    ]);
  });

  it('is found by suffixes folder by folder, and by its bare name only where nothing else is', async () => {
    const find = (command: string, pathExt?: string) =>
      findWindowsProgram({ command, path: `"${win32.join(base, 'bin')}";;`, pathExt, cwd: base }, disk);
    expect(await find('npx')).toEqual({ file: win32.join(base, 'bin', 'npx.cmd') });
    expect(await find('NPX.CMD', '.EXE')).toEqual({ file: win32.join(base, 'bin', 'NPX.CMD') });
    expect(await find('served')).toEqual({ file: win32.join(base, 'bin', 'served') });
    expect(await find('planted')).toEqual({ code: 'ENOENT' });
    expect(await find('.\\planted')).toEqual({ file: win32.join(base, '.\\planted.cmd') });
    expect(await find('')).toEqual({ code: 'ENOENT' });
  });
});
