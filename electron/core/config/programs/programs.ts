import type { JsonObject } from '../../../../shared/json-object.ts';
import { claudeCode } from './claude-code.ts';
import type { ForeignProgram, KeyPath, OwnServer, ProgramFile } from './program.ts';
import { foldersIn, inAppFolder, inConfigFolder, inHome, joinPath } from './paths.ts';
import type { ImportEnvironment } from './environment.ts';

type Paths = (env: ImportEnvironment) => readonly string[];

/** Gives the only files of a program the scope of the user; further ones are told apart by their number. */
const ofUser =
  (paths: Paths): ForeignProgram['files'] =>
  (env) =>
    paths(env).map((path, index) => ({ path, scope: index === 0 ? 'user' : `user-${index + 1}` }));

const at =
  (...keyPath: string[]): ForeignProgram['places'] =>
  ({ scope }) => [{ scope, keyPath }];

const headers = ({ authorization }: OwnServer): JsonObject => ({ Authorization: authorization });

/** Entry with the address under `key`, and fields before it. */
const httpEntry =
  (key: string, before: JsonObject = {}, after: JsonObject = {}) =>
  (server: OwnServer): JsonObject => ({ ...before, [key]: server.url, headers: headers(server), ...after });

const EDITIONS: readonly (readonly [folder: string, scope: string])[] = [
  ['Code', ''],
  ['Code - Insiders', 'insiders'],
  ['VSCodium', 'vscodium'],
];
const SETTINGS = ['mcp'] as const;
/** Processes of VS Code, in which extensions run as well. */
const EDITOR_PROCESSES = [
  ...['code', 'Code', 'code-insiders', 'Code - Insiders', 'codium', 'VSCodium'],
  ...['/Visual Studio Code', '/VSCodium.app/', '/.vscode-server/'],
];

/** The editions of VS Code, with their profiles, and the part of it that runs on a remote machine. */
function vsCodeFiles(env: ImportEnvironment): readonly ProgramFile[] {
  const own = EDITIONS.flatMap(([folder, edition]) => {
    const user = inAppFolder(env, folder, 'User');
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
  return [...own, { path: inHome(env, '.vscode-server', 'data', 'User', 'mcp.json'), scope: 'remote' }];
}

const RESTART = 'Start it again: it reads its file only at its start.';
const RELOADS = 'It reads its file again by itself, or asks whether to start the server again.';

const vsCode: ForeignProgram = {
  id: 'vs-code',
  label: 'VS Code',
  format: 'json',
  processNames: EDITOR_PROCESSES,
  files: vsCodeFiles,
  // Older versions keep both objects below `mcp` in settings.json.
  places: ({ scope, path }) =>
    (path.endsWith('settings.json') ? [SETTINGS, []] : [[], SETTINGS]).map((base: KeyPath) => ({
      scope,
      keyPath: [...base, 'servers'],
      inputs: [...base, 'inputs'],
    })),
  entry: httpEntry('url', { type: 'http' }),
  reload: RELOADS,
};

/** Packages of the Windows store keep the settings of an app in a folder of their own. */
function claudeDesktopFiles(env: ImportEnvironment): readonly string[] {
  const local = env.localAppData ?? inHome(env, 'AppData', 'Local');
  const packaged =
    env.platform === 'win32'
      ? foldersIn(env, joinPath(env, local, 'Packages')).filter((path) => /[\\/]Claude_[^\\/]*$/.test(path))
      : [];
  return [
    inAppFolder(env, 'Claude', 'claude_desktop_config.json'),
    ...packaged.map((path) =>
      joinPath(env, path, 'LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'),
    ),
  ];
}

/** A program with one key of servers in a JSON file. */
const jsonProgram = (
  id: string,
  label: string,
  paths: Paths,
  rest: Pick<ForeignProgram, 'processNames'> & Partial<Pick<ForeignProgram, 'entry' | 'places' | 'reload'>>,
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

const codex: ForeignProgram = {
  id: 'codex',
  label: 'Codex',
  format: 'toml',
  processNames: ['codex', '/node_modules/@openai/codex/'],
  files: ofUser((env) => [joinPath(env, env.codexHome ?? inHome(env, '.codex'), 'config.toml')]),
  places: at('mcp_servers'),
  entry: (server) => ({ url: server.url, http_headers: headers(server) }),
  reload: RESTART,
};

const continueDev: ForeignProgram = {
  id: 'continue',
  label: 'Continue',
  format: 'yaml',
  processNames: ['cn', '/node_modules/@continuedev/cli/', ...EDITOR_PROCESSES],
  files: ofUser((env) => [inHome(env, '.continue', 'config.yaml')]),
  places: at('mcpServers'),
  entry: (server) => ({
    name: server.name,
    type: 'streamable-http',
    url: server.url,
    requestOptions: { headers: headers(server) },
  }),
  reload: RESTART,
};

const goose: ForeignProgram = {
  id: 'goose',
  label: 'Goose',
  format: 'yaml',
  processNames: ['goose', 'goosed', 'Goose', '/Goose.app/'],
  files: ofUser((env) => [
    env.platform === 'win32'
      ? inAppFolder(env, 'Block', 'goose', 'config', 'config.yaml')
      : inConfigFolder(env, 'goose', 'config.yaml'),
  ]),
  places: at('extensions'),
  entry: (server) => ({
    type: 'streamable_http',
    name: server.name,
    uri: server.url,
    headers: headers(server),
    enabled: true,
    timeout: 300,
  }),
  reload: RESTART,
};

/** All programs whose servers can be imported and moved, in the order in which they are offered. */
export const foreignPrograms: readonly ForeignProgram[] = [
  // It starts programs only, so it has no entry over HTTP.
  jsonProgram('claude-desktop', 'Claude Desktop', claudeDesktopFiles, {
    processNames: ['Claude', 'claude-desktop', '/Claude.app/', '/AnthropicClaude/', '/WindowsApps/Claude_'],
    entry: undefined,
  }),
  claudeCode,
  vsCode,
  jsonProgram('cursor', 'Cursor', (env) => [inHome(env, '.cursor', 'mcp.json')], {
    processNames: ['cursor', 'Cursor', 'cursor-agent', '/Cursor.app/', '/.cursor-server/'],
    reload: RELOADS,
  }),
  // The second path belongs to its plug-ins for other editors.
  jsonProgram(
    'windsurf',
    'Windsurf',
    (env) => [
      inHome(env, '.codeium', 'windsurf', 'mcp_config.json'),
      inHome(env, '.codeium', 'mcp_config.json'),
    ],
    {
      processNames: ['windsurf', 'Windsurf', '/Windsurf.app/', '/.windsurf-server/'],
      entry: httpEntry('serverUrl'),
      reload: 'Press Refresh in its list of MCP servers, or start it again.',
    },
  ),
  codex,
  jsonProgram('gemini-cli', 'Gemini CLI', (env) => [inHome(env, '.gemini', 'settings.json')], {
    processNames: ['gemini', '/node_modules/@google/gemini-cli/'],
    entry: httpEntry('httpUrl'),
  }),
  jsonProgram('qwen-code', 'Qwen Code', (env) => [inHome(env, '.qwen', 'settings.json')], {
    processNames: ['qwen', '/node_modules/@qwen-code/qwen-code/'],
    entry: httpEntry('httpUrl'),
    reload: 'Run "qwen mcp reconnect", or start it again.',
  }),
  jsonProgram(
    'copilot-cli',
    'Copilot CLI',
    (env) => [joinPath(env, env.copilotHome ?? inHome(env, '.copilot'), 'mcp-config.json')],
    {
      processNames: ['copilot', '/node_modules/@github/copilot/'],
      entry: httpEntry('url', { type: 'http' }, { tools: ['*'] }),
    },
  ),
  jsonProgram('cline', 'Cline', clineFiles, {
    processNames: ['cline', '/node_modules/cline/', ...EDITOR_PROCESSES],
    // It ends a call after a minute, whatever the server says, unless the entry allows more.
    entry: httpEntry('url', { type: 'streamableHttp' }, { timeout: 300 }),
  }),
  jsonProgram(
    'opencode',
    'opencode',
    (env) => ['opencode.json', 'opencode.jsonc'].map((name) => inConfigFolder(env, 'opencode', name)),
    {
      processNames: ['opencode', '/node_modules/opencode-ai/'],
      places: at('mcp'),
      entry: httpEntry('url', { type: 'remote' }, { oauth: false }),
    },
  ),
  jsonProgram('zed', 'Zed', zedFiles, {
    processNames: ['zed', 'Zed', 'zed-editor', '/Zed.app/'],
    places: at('context_servers'),
    reload: RELOADS,
  }),
  jsonProgram('kiro', 'Kiro', (env) => [inHome(env, '.kiro', 'settings', 'mcp.json')], {
    processNames: ['kiro', 'Kiro', 'kiro-cli', '/Kiro.app/'],
    reload: RELOADS,
  }),
  jsonProgram(
    'lm-studio',
    'LM Studio',
    (env) => [inHome(env, '.lmstudio', 'mcp.json'), inHome(env, '.cache', 'lm-studio', 'mcp.json')],
    { processNames: ['lm-studio', 'LM Studio', '/LM Studio.app/'], reload: RELOADS },
  ),
  continueDev,
  goose,
  jsonProgram('mcporter', 'mcporter', (env) => [inHome(env, '.mcporter', 'mcporter.json')], {
    processNames: ['mcporter', '/node_modules/mcporter/'],
    entry: httpEntry('baseUrl'),
    reload: 'Nothing is to be done: it reads its file at each call.',
  }),
];

function clineFiles(env: ImportEnvironment): readonly string[] {
  const file = ['settings', 'cline_mcp_settings.json'];
  return [
    inHome(env, '.cline', 'data', ...file),
    ...EDITIONS.map(([folder]) =>
      inAppFolder(env, folder, 'User', 'globalStorage', 'saoudrizwan.claude-dev', ...file),
    ),
  ];
}

function zedFiles(env: ImportEnvironment): readonly string[] {
  return [
    env.platform === 'win32'
      ? inAppFolder(env, 'Zed', 'settings.json')
      : inConfigFolder(env, 'zed', 'settings.json'),
  ];
}
