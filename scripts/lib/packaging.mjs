import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** File that Linux software centres read. AppStream does not allow a hyphen in the name. */
const METAINFO = 'dev.mcp_control_panel.app.metainfo.xml';
/** The path is absolute because fpm runs in another folder. */
const metainfo = join(projectRoot, 'build', 'linux', METAINFO);
const withMetainfo = { fpm: [`${metainfo}=/usr/share/metainfo/${METAINFO}`] };

/**
 * Reads electron-builder.yml and adds what depends on this machine. `yaml` is imported here, because it may just have been
 * installed.
 */
export async function readPackaging() {
  const { parse } = await import('yaml');
  const fixed = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'));
  return { ...fixed, deb: withMetainfo, rpm: withMetainfo };
}
