import { propertiesOf } from '../json-nodes.ts';
import { isProblem, objectAt, openDocument, valueAt, type ClientDocument } from './client-document.ts';
import { fileIn, folderOf, inHome } from './client-paths.ts';
import type { ImportReading, ImportStrategy } from './import-strategy.ts';
import { ReadingBuilder } from './server-map.ts';

const PROJECT_FILE = '.mcp.json';
/** Maximum project files that are read. Claude Code keeps every project; the projects added last are in use. */
const MAX_PROJECT_FILES = 100;

/**
 * Claude Code: servers of the user and of each project in ~/.claude.json, and those in a project's own .mcp.json. It starts the
 * latter two in the project's folder.
 */
export const claudeCode: ImportStrategy = {
  id: 'claude-code',
  label: 'Claude Code',
  paths: (env) => [inHome(env, '.claude.json')],
  parse: (text, path) => parse(text, path),
  follow: (text) => {
    const document = openDocument(text);
    if (isProblem(document)) return [];
    return projectFolders(document)
      .slice(-MAX_PROJECT_FILES)
      .map((folder) => fileIn(folder, PROJECT_FILE));
  },
};

function parse(text: string, path: string | undefined): ImportReading {
  const document = openDocument(text);
  if (isProblem(document)) return { entries: [], problems: [document] };
  const reading = new ReadingBuilder(document);
  const isProjectFile = path?.endsWith(PROJECT_FILE) === true;
  reading.addMap(['mcpServers'], isProjectFile ? { folder: folderOf(path) } : {});
  for (const folder of projectFolders(document)) {
    const disabled = valueAt(document, ['projects', folder, 'disabledMcpServers']);
    reading.addMap(['projects', folder, 'mcpServers'], {
      folder,
      disabledNames: Array.isArray(disabled) ? disabled.filter((name) => typeof name === 'string') : [],
    });
  }
  return reading.build();
}

function projectFolders(document: ClientDocument): readonly string[] {
  const projects = objectAt(document, ['projects']);
  return projects === undefined ? [] : propertiesOf(projects).map(({ key }) => key);
}
