import { execFile } from 'node:child_process';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { note } from './entry.mjs';
import { requireFolder, withPathInErrors } from './file-errors.mjs';
import { pinnedNode } from './install.mjs';
import { projectRoot } from './paths.mjs';

const COMMENT = `// The MCP servers that MCP Control Panel supervises, in the form other MCP clients use too ("mcpServers").
// Edit freely: comments, order and unknown keys are kept, and a change takes effect as soon as it is saved.
// "npm start" wrote these three examples because there was no such file; it never touches an existing one.
`;

/** Placeholder in the example servers for the path of the folder with their data. */
const DATA = '{data}';
const LOOK_TIMEOUT_MS = 10_000;
const ELSEWHERE = 'MCP_CONTROL_PANEL_HOME names another home folder for the panel.';

/**
 * Prepares content for the panel's first run. If other MCP clients on this machine have servers, nothing is written, because
 * the window offers to import them. Otherwise, example servers are written.
 * @param {string} home
 */
export async function prepareFirstRun(home) {
  if (!isFirstRun(home)) return;
  const { count, labels } = await findElsewhere();
  if (count === 0) return seedServers(home);
  const servers = count === 1 ? '1 server' : `${count} servers`;
  note(`first run: found ${servers} in ${labels.join(', ')}; the window offers to bring them in`);
}

/**
 * Counts the servers that other MCP clients on this machine have. Returns none if that fails, so that the examples are used.
 * @returns {Promise<{ count: number, labels: string[] }>}
 */
async function findElsewhere() {
  const nothing = { count: 0, labels: [] };
  if (!existsSync(pinnedNode)) return nothing;
  try {
    const script = join(projectRoot, 'electron', 'core', 'count-imports.ts');
    const { stdout } = await promisify(execFile)(pinnedNode, [script], { timeout: LOOK_TIMEOUT_MS });
    return JSON.parse(stdout);
  } catch {
    return nothing;
  }
}

/** True if a data folder has no usable servers.json yet, so that the panel was never started with it. @param {string} home */
function isFirstRun(home) {
  const file = join(home, 'servers.json');
  return !existsSync(file) || isEmptyLeftover(file);
}

/**
 * On a first run, writes three example servers to servers.json, unless the file exists. An empty file without a backup counts
 * as missing, because a full disk can leave one.
 * @param {string} home
 */
export function seedServers(home) {
  const file = join(home, 'servers.json');
  if (!isFirstRun(home)) return;
  requireFolder(home, { mode: 0o700, elsewhere: ELSEWHERE });
  const { mcpServers, files } = readExamples(join(home, 'data'));
  for (const [path, content] of Object.entries(files)) {
    requireFolder(dirname(join(home, 'data', path)), { elsewhere: ELSEWHERE });
    writeNew(join(home, 'data', path), content);
  }
  // servers.json is written last, so that the next run writes the examples again if this one is aborted. It is written only if
  // it is still missing, because the user may have created it.
  if (!writeNew(file, `${COMMENT}${JSON.stringify({ mcpServers }, null, 2)}\n`)) return;
  note(`first run: wrote three example servers to ${file}`);
}

/**
 * Reads the example servers, which the window offers too. Their versions are fixed, because npx then queries the registry only
 * once.
 * @param {string} data path of the folder for their data
 * @returns {{ mcpServers: Record<string, object>, files: Record<string, string> }}
 */
function readExamples(data) {
  const text = readFileSync(join(projectRoot, 'shared', 'example-servers.json'), 'utf8');
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && value.startsWith(DATA) ? normalize(data + value.slice(DATA.length)) : value,
  );
}

/** @param {string} file */
function isEmptyLeftover(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.isFile() && stats.size === 0 && !existsSync(`${file}.bak`);
}

/**
 * Creates a file atomically that only its owner may read, because "env" may contain tokens. Returns false if a non-empty file
 * exists.
 * @param {string} file
 * @param {string} content
 */
function writeNew(file, content) {
  const aside = `${file}.${process.pid}.tmp`;
  try {
    return withPathInErrors(file, () => writeAside(aside, file, content), ELSEWHERE);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @param {string} aside @param {string} file @param {string} content */
function writeAside(aside, file, content) {
  rmSync(aside, { force: true });
  // The file is flushed, because a full disk that is noticed only later would leave an empty file with the final name.
  writeFileSync(aside, content, { flag: 'wx', mode: 0o600, flush: true });
  if (!isEmptyLeftover(file) && !linkNew(aside, file)) return false;
  renameSync(aside, file);
  return true;
}

/**
 * Links the file to its final name, because a link, unlike a rename, never replaces a file. Returns false only if the final
 * name is taken. @param {string} aside @param {string} file
 */
function linkNew(aside, file) {
  try {
    linkSync(aside, file);
    return true;
  } catch {
    return !existsSync(file); // Some file systems do not support links, so the caller then renames the file. The rename also reports any other error.
  }
}
