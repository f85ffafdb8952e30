import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import plist from 'plist';

const HELPERS = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map((suffix) => `Electron Helper${suffix}`);
/** Sentinel by which the fuses are found, version of the wire, number of fuses, and the states of Electron 45. */
const FUSE_WIRE = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009101100010';

/** What Electron's own Info.plist says, as far as a package has to say something else. */
const ELECTRON_INFO = {
  CFBundleDisplayName: 'Electron',
  CFBundleExecutable: 'Electron',
  CFBundleIconFile: 'electron.icns',
  CFBundleIdentifier: 'com.github.Electron',
  CFBundleName: 'Electron',
  CFBundlePackageType: 'APPL',
  LSMinimumSystemVersion: '10.10.0',
  NSCameraUsageDescription: 'This app needs access to the camera',
  NSHighResolutionCapable: true,
  NSMicrophoneUsageDescription: 'This app needs access to the microphone',
};

/** Lays into `dist` what an unpacked Electron for macOS has that a packager looks at. @param {string} dist */
export function createMacSkeleton(dist) {
  const contents = join(dist, 'Electron.app', 'Contents');
  const frameworks = join(contents, 'Frameworks');
  writeAt(join(contents, 'Info.plist'), plist.build(ELECTRON_INFO));
  writeAt(join(contents, 'MacOS', 'Electron'), 'executable');
  writeAt(join(contents, 'Resources', 'electron.icns'), 'icon of Electron');
  writeAt(join(frameworks, 'Electron Framework.framework', 'Electron Framework'), `framework ${FUSE_WIRE}`);
  for (const name of HELPERS) createHelper(join(frameworks, `${name}.app`, 'Contents'), name);
}

/** @param {string} contents @param {string} name */
function createHelper(contents, name) {
  const info = { CFBundleExecutable: name, CFBundleIdentifier: 'com.github.Electron.helper' };
  writeAt(join(contents, 'Info.plist'), plist.build(info));
  writeAt(join(contents, 'MacOS', name), 'executable');
}

/** @param {string} path @param {string} text */
function writeAt(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, 'latin1');
  if (dirname(path).endsWith('MacOS')) chmodSync(path, 0o755);
}
