// `npm run bridge:mcpb`: writes dist/mcp-control-panel-<version>.mcpb. This file is an unsigned extension for Claude Desktop
// that contains the bridge, the program that connects stdio clients to the panel.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BRIDGE, ensureBuilt } from './lib/build-app.mjs';
import { note, runEntry } from './lib/entry.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { bridgeManifest } from './lib/mcpb-manifest.mjs';
import { projectRoot } from './lib/paths.mjs';
import { zip } from './lib/zip.mjs';

await runEntry(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const about = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const built = dirname(join(projectRoot, BRIDGE));
  /** @type {Map<string, string | Buffer>} */
  const files = new Map([['manifest.json', `${JSON.stringify(bridgeManifest(about), null, 2)}\n`]]);
  for (const name of readdirSync(built)) files.set(name, readFileSync(join(built, name)));
  const path = join(projectRoot, 'dist', `mcp-control-panel-${about.version}.mcpb`);
  mkdirSync(join(projectRoot, 'dist'), { recursive: true });
  writeFileSync(path, zip(files));
  note(`wrote ${path}`);
});
