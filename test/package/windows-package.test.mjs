import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getRawHeader } from '@electron/asar';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { beforeAll, describe, expect, it } from 'vitest';
import { ICO_SIZES } from '../../build/icon-files.mjs';
import { readPackaging } from '../../scripts/lib/packaging.mjs';
import { readFuses } from '../../scripts/lib/fuses.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';
import { packStub } from './stubs/stub-package.mjs';
import { createWindowsStub, missingCompiler } from './stubs/windows-stub.mjs';

const packaging = await readPackaging();

const PACKING_LIMIT_MS = 120_000;
/** Of the main process it is the same (electron/shell/main.ts), or Windows shows no notification. */
const APP_ID = 'dev.mcp-control-panel.app';
const US_ENGLISH = { lang: 0x409, codepage: 1200 };

const missing = missingCompiler();
if (missing !== undefined) console.warn(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('the package for Windows', () => {
  let executable = '';
  let archive = '';
  /** @type {NtExecutableResource} */
  let resources;

  beforeAll(async () => {
    const packed = await packStub({ system: 'win', executable: 'electron.exe', create: createWindowsStub });
    executable = packed.binary;
    archive = packed.archive;
    resources = NtExecutableResource.from(NtExecutable.from(readFileSync(executable)));
  }, PACKING_LIMIT_MS);

  it('holds our archive, the libraries for one processor and one program alone: none that asks for an administrator, and no feed for updates', () => {
    // A library of the system cannot be loaded from inside an archive.
    expect(readdirSync(dirname(archive)).sort()).toEqual([
      'app.asar',
      'bridge',
      'keyring',
      'koffi',
      'sqlite',
    ]);
    for (const library of ['keyring', 'koffi', 'sqlite'])
      expect(readdirSync(join(dirname(archive), library), { recursive: true }).map(String)).toEqual([
        'win32_x64',
        join('win32_x64', `${library}.node`),
      ]);
    expect(readdirSync(dirname(executable)).filter((name) => name.endsWith('.exe'))).toEqual([
      'MCP Control Panel.exe',
    ]);
    // The licences of Electron and of Chromium go with every copy.
    expect(readdirSync(dirname(executable))).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    );
  });

  it('names itself and its version in the executable, and Electron nowhere', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const [info] = Resource.VersionInfo.fromEntries(resources.entries);
    const strings = info?.getStringValues(US_ENGLISH) ?? {};
    expect(strings).toMatchObject({
      CompanyName: 'MCP Control Panel contributors',
      FileDescription: 'MCP Control Panel',
      FileVersion: version,
      InternalName: 'MCP Control Panel',
      LegalCopyright: packaging.copyright,
      ProductName: 'MCP Control Panel',
      ProductVersion: `${version}.0`,
    });
    expect(Object.values(strings).join('\n')).not.toMatch(/electron|github/i);
    expect(basename(executable)).toBe('MCP Control Panel.exe');
  });

  it('has our icon in every size', () => {
    const groups = Resource.IconGroupEntry.fromEntries(resources.entries);
    const sizes = groups.flatMap(({ icons }) => icons.map(({ width }) => (width === 0 ? 256 : width)));
    expect(sizes.sort((one, other) => one - other)).toEqual(ICO_SIZES);
  });

  it('promises the hash that its archive has', () => {
    const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex');
    const promise = resources.entries.find(({ type }) => type === 'INTEGRITY');
    expect(JSON.parse(Buffer.from(promise?.bin ?? []).toString())).toEqual([
      { file: String.raw`resources\app.asar`, alg: 'SHA256', value: hash },
    ]);
  });

  it('has every fuse as configured', async () => {
    expect(Object.fromEntries(await readFuses(executable))).toMatchObject(packaging.electronFuses);
  });

  it('is made for both kinds of processor', () => {
    expect(packaging.win.target.map(({ arch }) => arch)).toEqual([
      ['x64', 'arm64'],
      ['x64', 'arm64'],
    ]);
  });

  it('goes by one id in the configuration and in the process that shows notifications', () => {
    expect(packaging.appId).toBe(APP_ID);
    const main = readFileSync(join(projectRoot, 'electron/shell/main.ts'), 'utf8');
    expect(main).toContain(`const APP_ID = '${APP_ID}';`);
  });
});
