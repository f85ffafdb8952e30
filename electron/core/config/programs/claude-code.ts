import { isJsonObject } from '../../../../shared/json-object.ts';
import type { ForeignProgram, ProgramFile, ServersPlace } from './program.ts';
import { fileIn, pathIn } from './paths.ts';

const PROJECT_FILE = '.mcp.json';
/** Maximum number of project files to read. Claude Code never forgets a project, and the last added are most likely in use. */
const MAX_PROJECT_FILES = 100;

/**
 * Claude Code. ~/.claude.json contains the servers of the user (scope `user`) and of each project (`local`); a project's own
 * .mcp.json contains further servers (`project`). Servers of the scopes `local` and `project` are started in the project's
 * folder. For the same name, `local` takes precedence over `project`, and `project` over `user`.
 */
export const claudeCode: ForeignProgram = {
  id: 'claude-code',
  label: 'Claude Code',
  format: 'json',
  processNames: ['claude', '/node_modules/@anthropic-ai/claude-code/'],
  files: (env) => [{ path: pathIn(env, `${env.claudeConfigDir ?? '~'}/.claude.json`), scope: 'user' }],
  places: (file, value) => (file.folder === undefined ? ownPlaces(value) : projectPlace(file, file.folder)),
  follow: (value, path) =>
    Object.keys(projectsOf(value))
      .slice(-MAX_PROJECT_FILES)
      .map((folder) => ({
        path: fileIn(folder, PROJECT_FILE),
        scope: `project:${folder}`,
        folder,
        ownPath: path,
      })),
  entry: ({ url, authorization }) => ({ type: 'http', url, headers: { Authorization: authorization } }),
  shadows: (scope, other) => {
    const [kind, folder] = split(scope);
    const [otherKind, otherFolder] = split(other);
    if (otherKind === 'user') return kind !== 'user';
    return kind === 'local' && otherKind === 'project' && folder === otherFolder;
  },
  hasLock: true,
  reload: 'Start a new session: a running one does not read its file again.',
};

function ownPlaces(value: unknown): readonly ServersPlace[] {
  const projects = Object.entries(projectsOf(value)).map(([folder, project]) => {
    const disabled = isJsonObject(project) ? project['disabledMcpServers'] : undefined;
    return {
      scope: `local:${folder}`,
      keyPath: localPath(folder),
      folder,
      disabledNames: Array.isArray(disabled) ? disabled.filter((name) => typeof name === 'string') : [],
    };
  });
  return [{ scope: 'user', keyPath: ['mcpServers'] }, ...projects];
}

/**
 * The project's .mcp.json is shared through Git, so the panel must not write a token into it. It writes to `instead`, the
 * project's servers in the user's file.
 */
function projectPlace({ scope, ownPath }: ProgramFile, folder: string): readonly ServersPlace[] {
  const instead = ownPath && { path: ownPath, scope: `local:${folder}`, keyPath: localPath(folder) };
  return [{ scope, keyPath: ['mcpServers'], folder, ...(instead && { instead }) }];
}

const localPath = (folder: string) => ['projects', folder, 'mcpServers'];

function projectsOf(value: unknown): Readonly<Record<string, unknown>> {
  const projects = isJsonObject(value) ? value['projects'] : undefined;
  return isJsonObject(projects) ? projects : {};
}

function split(scope: string): readonly [kind: string, folder: string] {
  const colon = scope.indexOf(':');
  return colon < 0 ? [scope, ''] : [scope.slice(0, colon), scope.slice(colon + 1)];
}
