'use strict';

// Starts the app that is named on the command line, the way Electron's own default app does. Runs in Electron only.
const { app } = require('electron');
const { existsSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join, resolve } = require('node:path');

const { file, modules } = readArguments(process.argv.slice(1));
Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
// Drivers preload a module with -r before the app is known.
for (const name of modules) Module._load(name, Module, true);

try {
  if (file === undefined) throw new Error('no app folder was named on the command line');
  startApp(resolve(file));
} catch (error) {
  // On stderr, not in a dialog: nobody may be there to close it.
  process.stderr.write(`electron: cannot start the app: ${error instanceof Error ? error.stack : error}\n`);
  app.exit(1);
}

/** The first argument that is no switch is the app; `-r module` comes before it. */
function readArguments(args) {
  const modules = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    if (arg === '-r' || arg === '--require') modules.push(args[(index += 1)]);
    else if (!arg.startsWith('-')) return { file: arg, modules };
  }
  return { file: undefined, modules };
}

function startApp(path) {
  const manifestFile = join(path, 'package.json');
  const hasManifest = existsSync(manifestFile);
  if (hasManifest) {
    const manifest = require(manifestFile);
    if (manifest.version) app.setVersion(manifest.version);
    if (manifest.productName ?? manifest.name) app.name = manifest.productName ?? manifest.name;
    if (manifest.desktopName) app.setDesktopName(manifest.desktopName);
  }
  const main = Module._resolveFilename(path, null, true);
  app.setAppPath(hasManifest ? path : dirname(main));
  Module._load(main, Module, true);
}
