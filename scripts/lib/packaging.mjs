import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** What software centres show of the app. AppStream wants no hyphen in the name. */
const METAINFO = 'dev.mcp_control_panel.app.metainfo.xml';
/** The path is absolute because fpm runs in another folder. */
const metainfo = join(projectRoot, 'build', 'linux', METAINFO);
const withMetainfo = { fpm: [`${metainfo}=/usr/share/metainfo/${METAINFO}`] };

/** electron-builder.yml, with what only this machine can say. Loads a package, which may only just have been installed. */
export async function readPackaging() {
  const { parse } = await import('yaml');
  const fixed = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'));
  return { ...fixed, deb: withMetainfo, rpm: withMetainfo };
}
