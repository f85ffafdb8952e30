import { isProblem, openDocument } from './client-document.ts';
import { inAppFolder, inHome } from './client-paths.ts';
import type { ImportReading, ImportStrategy } from './import-strategy.ts';
import { ReadingBuilder } from './server-map.ts';

/** Claude Desktop. On Linux there are community builds, which keep to the same name. */
export const claudeDesktop: ImportStrategy = {
  id: 'claude-desktop',
  label: 'Claude Desktop',
  paths: (env) => [inAppFolder(env, 'Claude', 'claude_desktop_config.json')],
  parse: parseMcpServers,
};

export const cursor: ImportStrategy = {
  id: 'cursor',
  label: 'Cursor',
  paths: (env) => [inHome(env, '.cursor', 'mcp.json')],
  parse: parseMcpServers,
};

/** The second path is that of its plug-ins for other editors. Remote servers stand under `serverUrl`. */
export const windsurf: ImportStrategy = {
  id: 'windsurf',
  label: 'Windsurf',
  paths: (env) => [
    inHome(env, '.codeium', 'windsurf', 'mcp_config.json'),
    inHome(env, '.codeium', 'mcp_config.json'),
  ],
  parse: parseMcpServers,
};

/** `{ "mcpServers": { … } }`, and whatever else the client keeps in the file. */
function parseMcpServers(text: string): ImportReading {
  const document = openDocument(text);
  if (isProblem(document)) return { entries: [], problems: [document] };
  const reading = new ReadingBuilder(document);
  reading.addMap(['mcpServers']);
  return reading.build();
}
