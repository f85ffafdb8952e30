import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRawHeader } from '@electron/asar';
import plist from 'plist';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPackaging } from '../../scripts/lib/packaging.mjs';
import { readFuses } from '../../scripts/lib/fuses.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';
import { createMacSkeleton } from './stubs/mac-skeleton.mjs';
import { packStub } from './stubs/stub-package.mjs';

const packaging = await readPackaging();

const PACKING_LIMIT_MS = 120_000;
const HELPERS = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'];

/** The packed .app, the folder of its contents, and its Info.plist. */
let app = '';
const inContents = (/** @type {string[]} */ ...path) => join(app, 'Contents', ...path);
/** @type {Record<string, any>} */
let info = {};

const readPlist = (/** @type {string} */ path) => plist.parse(readFileSync(path, 'utf8'));
const ourFile = (/** @type {string} */ path) => readFileSync(join(projectRoot, path));

beforeAll(async () => {
  const executable = join('Electron.app', 'Contents', 'MacOS', 'Electron');
  const packed = await packStub({ system: 'mac', executable, create: createMacSkeleton });
  app = packed.binary;
  info = readPlist(inContents('Info.plist'));
}, PACKING_LIMIT_MS);

describe('the package for macOS', () => {
  it('holds our archive, our icon and native parts for one processor alone, and no feed for updates', () => {
    expect(readdirSync(inContents('Resources')).sort()).toEqual([
      'app.asar',
      'bridge',
      'icon.icns',
      'keyring',
      'sqlite',
    ]);
    const library = '@photostructure/sqlite/prebuilds/darwin-x64/@photostructure+sqlite.glibc.node';
    for (const part of ['keyring', 'sqlite'])
      expect(readdirSync(inContents('Resources', part))).toEqual(['darwin_x64']);
    expect(readFileSync(inContents('Resources', 'sqlite', 'darwin_x64', 'sqlite.node'))).toEqual(
      ourFile(join('node_modules', library)),
    );
    expect(readFileSync(inContents('Resources', info.CFBundleIconFile))).toEqual(ourFile('build/icon.icns'));
  });

  it('names itself, its version, its kind and the oldest system that Electron runs on', () => {
    const { version } = JSON.parse(ourFile('package.json').toString());
    expect(info).toMatchObject({
      CFBundleName: 'MCP Control Panel',
      CFBundleDisplayName: 'MCP Control Panel',
      CFBundleExecutable: 'MCP Control Panel',
      CFBundleIdentifier: 'dev.mcp-control-panel.app',
      CFBundleShortVersionString: version,
      CFBundleVersion: version,
      LSApplicationCategoryType: 'public.app-category.developer-tools',
      LSMinimumSystemVersion: '13.0',
      NSHumanReadableCopyright: packaging.copyright,
    });
    expect(existsSync(inContents('MacOS', 'MCP Control Panel'))).toBe(true);
  });

  it('is not ended by the system while its windows are hidden, and not put to sleep', () => {
    expect(info).toMatchObject({
      NSSupportsAutomaticTermination: false,
      NSSupportsSuddenTermination: false,
      LSAppNapIsDisabled: true,
    });
    // An agent would have no place in the dock, from which a hidden window is brought back.
    expect(info).not.toHaveProperty('LSUIElement');
  });

  it('says whose wish it is wherever the system asks a person for a server, in no words of Electron', () => {
    const questions = Object.entries(info).filter(([key]) => key.endsWith('UsageDescription'));
    expect(questions.map(([key]) => key)).toEqual(
      expect.arrayContaining([
        'NSAppleEventsUsageDescription',
        'NSCalendarsFullAccessUsageDescription',
        'NSContactsUsageDescription',
        'NSDesktopFolderUsageDescription',
        'NSDocumentsFolderUsageDescription',
        'NSDownloadsFolderUsageDescription',
        'NSLocalNetworkUsageDescription',
        'NSNetworkVolumesUsageDescription',
        'NSRemindersFullAccessUsageDescription',
        'NSRemovableVolumesUsageDescription',
        'NSMicrophoneUsageDescription',
        'NSCameraUsageDescription',
      ]),
    );
    for (const [, text] of questions)
      expect(text).toMatch(/^A server that MCP Control Panel runs for you wants .+\.$/);
  });

  it('promises the hash that its archive has', () => {
    const archive = inContents('Resources', 'app.asar');
    const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex');
    expect(info.ElectronAsarIntegrity).toEqual({ 'Resources/app.asar': { algorithm: 'SHA256', hash } });
  });

  it('has every fuse as configured', async () => {
    expect(Object.fromEntries(await readFuses(app))).toMatchObject(packaging.electronFuses);
  });

  it('brings helpers of its own name and id', () => {
    const helpers = HELPERS.map((suffix) => {
      const name = `MCP Control Panel Helper${suffix}`;
      const contents = inContents('Frameworks', `${name}.app`, 'Contents');
      expect(existsSync(join(contents, 'MacOS', name))).toBe(true);
      return readPlist(join(contents, 'Info.plist'));
    });
    expect(helpers.map(({ CFBundleIdentifier }) => CFBundleIdentifier)).toEqual([
      'dev.mcp-control-panel.app.helper',
      'dev.mcp-control-panel.app.helper.GPU',
      'dev.mcp-control-panel.app.helper.Plugin',
      'dev.mcp-control-panel.app.helper.Renderer',
    ]);
  });
});

// A signature holds them, and only a Mac signs: this reads what electron-builder is given.
describe('the entitlements for macOS', () => {
  const entitlements = (/** @type {string} */ file) => readPlist(join(projectRoot, file));

  it('let servers ask for other apps, calendars and contacts, and give up nothing else of the hardened runtime', () => {
    expect(packaging.mac.hardenedRuntime).toBe(true);
    expect(entitlements(packaging.mac.entitlements)).toEqual({
      'com.apple.security.automation.apple-events': true,
      'com.apple.security.cs.allow-jit': true,
      'com.apple.security.personal-information.addressbook': true,
      'com.apple.security.personal-information.calendars': true,
    });
  });

  it('give the helpers, which start no servers, only what the engine needs', () => {
    expect(entitlements(packaging.mac.entitlementsInherit)).toEqual({
      'com.apple.security.cs.allow-jit': true,
    });
  });
});
