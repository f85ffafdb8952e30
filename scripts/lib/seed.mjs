import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { note } from './entry.mjs';
import { projectRoot } from './paths.mjs';

const COMMENT = `// The MCP servers that MCP Control Panel supervises, in the form other MCP clients use too ("mcpServers").
// Edit freely: comments, order and unknown keys are kept, and a change takes effect as soon as it is saved.
// "npm start" wrote these three examples because there was no such file; it never touches an existing one.
`;

const WELCOME = `Welcome to MCP Control Panel.

The example server "filesystem" may read and write in this folder, and nowhere else.
`;

/**
 * Gives a first run something to show: three example servers in servers.json, unless the file exists.
 * @param {string} home
 */
export function seedServers(home) {
  const file = join(home, 'servers.json');
  if (existsSync(file)) return;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const files = join(home, 'data', 'files');
  mkdirSync(files, { recursive: true });
  writeNew(join(files, 'welcome.txt'), WELCOME);
  // Last, so that a run cut short seeds again; and only if there is still none, since the person may be faster.
  if (!writeNew(file, exampleServers(home))) return;
  note(`first run: wrote three example servers to ${file}`);
}

/** The seeded file's text: entries as a person would write them, which work wherever this folder goes. */
function exampleServers(/** @type {string} */ home) {
  const mcpServers = {
    everything: { command: 'npx', args: ['-y', pinned('server-everything')] },
    memory: {
      command: 'npx',
      args: ['-y', pinned('server-memory')],
      env: { MEMORY_FILE_PATH: join(home, 'data', 'memory.json') },
    },
    filesystem: { command: 'npx', args: ['-y', pinned('server-filesystem'), join(home, 'data', 'files')] },
  };
  return `${COMMENT}${JSON.stringify({ mcpServers }, null, 2)}\n`;
}

/** Of one version, npx asks the registry for it once and never again; it is the one that our tests run. */
function pinned(/** @type {string} */ server) {
  const name = `@modelcontextprotocol/${server}`;
  const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  return `${name}@${devDependencies[name]}`;
}

/**
 * Creates a file that only its owner may read (servers hold tokens in "env"); false when there is one already.
 * @param {string} file @param {string} content
 */
function writeNew(file, content) {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}
