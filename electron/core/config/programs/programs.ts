import type { JsonObject } from '../../../../shared/json-object.ts';
import { claudeCode } from './claude-code.ts';
import type { ForeignProgram, KeyPath, OwnServer, ProgramFile } from './program.ts';
import { foldersIn, joinPath, pathIn } from './paths.ts';
import type { ImportEnvironment } from './environment.ts';

/** Paths of files, in the form that `pathIn` accepts, or a function that finds them. */
type Paths = readonly string[] | ((env: ImportEnvironment) => readonly string[]);

/** Returns the `files` function of a program. The first file gets the scope `user`, further ones `user-2`, `user-3` and so on. */
const ofUser =
  (paths: Paths): ForeignProgram['files'] =>
  (env) =>
    (typeof paths === 'function' ? paths(env) : paths).map((path, index) => ({
      path: pathIn(env, path),
      scope: index === 0 ? 'user' : `user-${index + 1}`,
    }));

const at =
  (...keyPath: string[]): ForeignProgram['places'] =>
  ({ scope }) => [{ scope, keyPath }];

const headers = ({ authorization }: OwnServer): JsonObject => ({ Authorization: authorization });

/**
 * Returns a function that creates an HTTP entry: the fields `before`, the URL under `key`, the headers, and the fields `after`.
 */
const httpEntry =
  (key: string, before: JsonObject = {}, after: JsonObject = {}) =>
  (server: OwnServer): JsonObject => ({ ...before, [key]: server.url, headers: headers(server), ...after });

const EDITIONS: readonly (readonly [folder: string, scope: string])[] = [
  ['Code', ''],
  ['Code - Insiders', 'insiders'],
  ['VSCodium', 'vscodium'],
];
const CLINE_FILES = [
  '~/.cline/data/settings/cline_mcp_settings.json',
  ...EDITIONS.map(
    ([folder]) =>
      `<app>/${folder}/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
  ),
];
const SETTINGS = ['mcp'] as const;
/** Processes of VS Code, in which extensions run as well. */
const EDITOR_PROCESSES = [
  ...['code', 'Code', 'code-insiders', 'Code - Insiders', 'codium', 'VSCodium'],
  ...['/Visual Studio Code', '/VSCodium.app/', '/.vscode-server/'],
];

/** Returns the configuration files of all VS Code editions and profiles, and of VS Code Server, which runs remotely. */
function vsCodeFiles(env: ImportEnvironment): readonly ProgramFile[] {
  const own = EDITIONS.flatMap(([folder, edition]) => {
    const user = pathIn(env, `<app>/${folder}/User`);
    const scopeOf = (scope: string) => (edition === '' ? scope : `${edition}:${scope}`);
    return [
      { path: joinPath(env, user, 'mcp.json'), scope: scopeOf('user') },
      { path: joinPath(env, user, 'settings.json'), scope: scopeOf('settings') },
      ...foldersIn(env, joinPath(env, user, 'profiles')).map((profile) => ({
        path: joinPath(env, profile, 'mcp.json'),
        scope: scopeOf(`profile:${profile.split(/[\\/]/).at(-1) ?? ''}`),
      })),
    ];
  });
  return [...own, { path: pathIn(env, '~/.vscode-server/data/User/mcp.json'), scope: 'remote' }];
}

const RESTART = 'Restart it: it reads its file only when it starts.';
const RELOADS = 'It reads its file again automatically, or asks whether to start the server again.';

/** Returns Claude Desktop's possible configuration files. If it is from the Windows Store, they are in a separate folder. */
function claudeDesktopFiles(env: ImportEnvironment): readonly string[] {
  const file = 'Claude/claude_desktop_config.json';
  const folders =
    env.platform === 'win32'
      ? foldersIn(env, joinPath(env, env.localAppData ?? pathIn(env, '~/AppData/Local'), 'Packages'))
      : [];
  const packaged = folders.filter((path) => /[\\/]Claude_[^\\/]*$/.test(path));
  return [`<app>/${file}`, ...packaged.map((path) => `${path}/LocalCache/Roaming/${file}`)];
}

/** Returns a path in the folder of apps on Windows, and another path on other systems. */
const elsewhere =
  (windows: string, others: string): Paths =>
  ({ platform }) => [platform === 'win32' ? windows : others];

/** Defines a program, by default with one key of servers in a JSON file, and with entries that contain an address. */
const program = (
  id: string,
  label: string,
  paths: Paths,
  rest: Pick<ForeignProgram, 'processNames'> & Partial<ForeignProgram>,
): ForeignProgram => ({
  id,
  label,
  format: 'json',
  files: ofUser(paths),
  places: at('mcpServers'),
  entry: httpEntry('url'),
  reload: RESTART,
  ...rest,
});

/** All programs whose servers can be imported and moved, in the order in which they are offered. */
export const foreignPrograms: readonly ForeignProgram[] = [
  // Claude Desktop can only start servers as processes, so it has no entry for HTTP.
  program('claude-desktop', 'Claude Desktop', claudeDesktopFiles, {
    processNames: ['Claude', 'claude-desktop', '/Claude.app/', '/AnthropicClaude/', '/WindowsApps/Claude_'],
    entry: undefined,
  }),
  claudeCode,
  program('vs-code', 'VS Code', [], {
    processNames: EDITOR_PROCESSES,
    files: vsCodeFiles,
    // Older versions of VS Code keep `servers` and `inputs` below `mcp` in settings.json.
    places: ({ scope, path }) =>
      (path.endsWith('settings.json') ? [SETTINGS, []] : [[], SETTINGS]).map((base: KeyPath) => ({
        scope,
        keyPath: [...base, 'servers'],
        inputs: [...base, 'inputs'],
      })),
    entry: httpEntry('url', { type: 'http' }),
    reload: RELOADS,
  }),
  program('cursor', 'Cursor', ['~/.cursor/mcp.json'], {
    processNames: ['cursor', 'Cursor', 'cursor-agent', '/Cursor.app/', '/.cursor-server/'],
    reload: RELOADS,
  }),
  // The second path belongs to Windsurf's plug-ins for other editors.
  program('windsurf', 'Windsurf', ['~/.codeium/windsurf/mcp_config.json', '~/.codeium/mcp_config.json'], {
    processNames: ['windsurf', 'Windsurf', '/Windsurf.app/', '/.windsurf-server/'],
    entry: httpEntry('serverUrl'),
    reload: 'Press Refresh in its list of MCP servers, or start it again.',
  }),
  program('codex', 'Codex', (env) => [`${env.codexHome ?? '~/.codex'}/config.toml`], {
    format: 'toml',
    processNames: ['codex', '/node_modules/@openai/codex/'],
    places: at('mcp_servers'),
    entry: (server) => ({ url: server.url, http_headers: headers(server) }),
  }),
  program('gemini-cli', 'Gemini CLI', ['~/.gemini/settings.json'], {
    processNames: ['gemini', '/node_modules/@google/gemini-cli/'],
    entry: httpEntry('httpUrl'),
  }),
  program('qwen-code', 'Qwen Code', ['~/.qwen/settings.json'], {
    processNames: ['qwen', '/node_modules/@qwen-code/qwen-code/'],
    entry: httpEntry('httpUrl'),
    reload: 'Run "qwen mcp reconnect", or start it again.',
  }),
  program('copilot-cli', 'Copilot CLI', (env) => [`${env.copilotHome ?? '~/.copilot'}/mcp-config.json`], {
    processNames: ['copilot', '/node_modules/@github/copilot/'],
    entry: httpEntry('url', { type: 'http' }, { tools: ['*'] }),
  }),
  program('cline', 'Cline', CLINE_FILES, {
    processNames: ['cline', '/node_modules/cline/', ...EDITOR_PROCESSES],
    // Without this `timeout`, Cline ends every call after a minute, regardless of what the server sends.
    entry: httpEntry('url', { type: 'streamableHttp' }, { timeout: 300 }),
  }),
  program('opencode', 'opencode', ['<config>/opencode/opencode.json', '<config>/opencode/opencode.jsonc'], {
    processNames: ['opencode', '/node_modules/opencode-ai/'],
    places: at('mcp'),
    entry: httpEntry('url', { type: 'remote' }, { oauth: false }),
  }),
  program('zed', 'Zed', elsewhere('<app>/Zed/settings.json', '<config>/zed/settings.json'), {
    processNames: ['zed', 'Zed', 'zed-editor', '/Zed.app/'],
    places: at('context_servers'),
    reload: RELOADS,
  }),
  program('kiro', 'Kiro', ['~/.kiro/settings/mcp.json'], {
    processNames: ['kiro', 'Kiro', 'kiro-cli', '/Kiro.app/'],
    reload: RELOADS,
  }),
  program('lm-studio', 'LM Studio', ['~/.lmstudio/mcp.json', '~/.cache/lm-studio/mcp.json'], {
    processNames: ['lm-studio', 'LM Studio', '/LM Studio.app/'],
    reload: RELOADS,
  }),
  program('continue', 'Continue', ['~/.continue/config.yaml'], {
    format: 'yaml',
    processNames: ['cn', '/node_modules/@continuedev/cli/', ...EDITOR_PROCESSES],
    entry: (server) => ({
      name: server.name,
      type: 'streamable-http',
      url: server.url,
      requestOptions: { headers: headers(server) },
    }),
  }),
  program('goose', 'Goose', elsewhere('<app>/Block/goose/config/config.yaml', '<config>/goose/config.yaml'), {
    format: 'yaml',
    processNames: ['goose', 'goosed', 'Goose', '/Goose.app/'],
    places: at('extensions'),
    entry: (server) => ({
      type: 'streamable_http',
      name: server.name,
      uri: server.url,
      headers: headers(server),
      enabled: true,
      timeout: 300,
    }),
  }),
  program('mcporter', 'mcporter', ['~/.mcporter/mcporter.json'], {
    processNames: ['mcporter', '/node_modules/mcporter/'],
    entry: httpEntry('baseUrl'),
    reload: 'Nothing to do: it reads its file at every call.',
  }),
];
