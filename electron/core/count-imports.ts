/**
 * Prints the MCP servers that other clients on this machine have configured, as one line of JSON on stdout: `{ "count": 11,
 * "labels": ["Cursor"] }`. The first `npm start` runs this script before it writes examples, because a user who already has
 * servers needs no examples.
 */
import { importEnvironment, readClientFile } from './config/import/client-files.ts';
import { findImports } from './config/import/find-imports.ts';

const sources = await findImports({ env: importEnvironment(), readFile: readClientFile, current: [] });
const found = sources.filter(({ servers }) => servers.length > 0);
const names = new Set(found.flatMap(({ servers }) => servers.map(({ name }) => name)));
const labels = new Set(found.map(({ label }) => label));
process.stdout.write(`${JSON.stringify({ count: names.size, labels: [...labels] })}\n`);
