import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** Name of the file that describes the app to Linux software centers. Its format, AppStream, allows no hyphen in the name. */
const METAINFO = 'dev.mcp_control_panel.app.metainfo.xml';
/** The path is absolute because fpm, which builds the deb and rpm packages, runs in another folder. */
const metainfo = join(projectRoot, 'build', 'linux', METAINFO);
const withMetainfo = { fpm: [`${metainfo}=/usr/share/metainfo/${METAINFO}`] };

/**
 * Reads electron-builder.yml and adds the file for Linux software centres, whose path depends on this machine. `yaml` is
 * imported here instead of at the top, because it may have been installed only after this script started.
 */
export async function readPackaging() {
  const { parse } = await import('yaml');
  const fixed = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'));
  return { ...fixed, deb: withMetainfo, rpm: withMetainfo };
}
