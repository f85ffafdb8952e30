import { isProblem, openDocument } from './client-document.ts';
import { inAppFolder, inHome } from './client-paths.ts';
import type { ImportReading, ImportStrategy } from './import-strategy.ts';
import { ReadingBuilder } from './server-map.ts';

/** Claude Desktop. Community builds for Linux use the same file name. */
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

/** Windsurf. The second path belongs to its plug-ins for other editors. Remote servers use `serverUrl`. */
export const windsurf: ImportStrategy = {
  id: 'windsurf',
  label: 'Windsurf',
  paths: (env) => [
    inHome(env, '.codeium', 'windsurf', 'mcp_config.json'),
    inHome(env, '.codeium', 'mcp_config.json'),
  ],
  parse: parseMcpServers,
};

/** Parses `{ "mcpServers": { … } }`, and ignores other content of the file. */
function parseMcpServers(text: string): ImportReading {
  const document = openDocument(text);
  if (isProblem(document)) return { entries: [], problems: [document] };
  const reading = new ReadingBuilder(document);
  reading.addMap(['mcpServers']);
  return reading.build();
}
