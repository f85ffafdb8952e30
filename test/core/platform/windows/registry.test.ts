import { describe, expect, it } from 'vitest';
import { captureRegistryPath, codePagesOf } from '../../../../electron/core/platform/windows/registry.ts';
import { systemProgram } from '../../../../electron/core/platform/windows/system-program.ts';

const printed = (key: string, name: string, type: string, value: string) =>
  `\r\n${key}\r\n    ${name}    ${type}    ${value}\r\n\r\n`;
const pages = () => Promise.resolve({ console: 850, ansi: 1252 });

describe('captureRegistryPath', () => {
  const capture = (machine: string | Buffer, person: string | Buffer | undefined, codePages = pages) =>
    captureRegistryPath(
      (key) => {
        const output = key.startsWith('HKLM') ? machine : person;
        return output === undefined
          ? Promise.reject(new Error('not there'))
          : Promise.resolve(Buffer.from(output));
      },
      { SYSTEMROOT: 'C:\\Windows', USERPROFILE: 'C:\\Users\\ada' },
      codePages,
    );
  const machine = printed(
    'HKEY_LOCAL_MACHINE\\…',
    'Path',
    'REG_EXPAND_SZ',
    '%SystemRoot%\\system32;C:\\Program Files\\nodejs\\',
  );

  it('has the folders of the machine and of the person, with their variables filled in', async () => {
    const person = printed('HKEY_CURRENT_USER\\…', 'PATH', 'REG_SZ', '%USERPROFILE%\\bin;%GONE%\\x;.;');
    expect(await capture(machine, person)).toEqual({
      source: 'registry',
      path: 'C:\\Windows\\system32;C:\\Program Files\\nodejs\\;C:\\Users\\ada\\bin',
    });
  });

  it('reads a folder with letters that are not English, for which alone it asks for the code page', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\r\nHKEY\r\n    Path    REG_SZ    C:\\J'),
      Buffer.of(0x81),
      Buffer.from('rgen\r\n'),
    ]);
    expect((await capture(machine, bytes)).path).toMatch(/;C:\\Jürgen$/);
    const mustNot = () => Promise.reject(new Error('asked'));
    expect((await capture(machine, undefined, mustNot)).source).toBe('registry');
  });

  it('tells why there is nothing', async () => {
    expect(await capture('', undefined)).toEqual({ source: 'none', problem: 'not there' });
    expect(await capture('', '')).toEqual({ source: 'none', problem: 'the registry has no PATH' });
  });
});

describe('codePagesOf', () => {
  it('asks once, and takes those of Western Europe where there is no answer', async () => {
    let queries = 0;
    const text = `${printed('HKEY…', 'ACP', 'REG_SZ', '1251')}    OEMCP    REG_SZ    866\r\n`;
    const read = codePagesOf(() => Promise.resolve(Buffer.from((queries += 1) > 0 ? text : '')));
    expect([await read(), await read(), queries]).toEqual([
      { console: 866, ansi: 1251 },
      { console: 866, ansi: 1251 },
      1,
    ]);
    expect(await codePagesOf(() => Promise.reject(new Error('no')))()).toEqual({ console: 850, ansi: 1252 });
  });
});

describe('systemProgram', () => {
  it.each([
    [{ SystemRoot: 'D:\\Win' }, 'D:\\Win\\System32\\taskkill.exe'],
    [{ systemroot: 'D:\\Win' }, 'D:\\Win\\System32\\taskkill.exe'],
    [{}, 'C:\\Windows\\System32\\taskkill.exe'],
    [{ SystemRoot: 'Windows' }, 'C:\\Windows\\System32\\taskkill.exe'],
  ])('is an absolute path below the folder of Windows, given %j', (env, expected) => {
    expect(systemProgram('taskkill.exe', env)).toBe(expected);
  });
});
