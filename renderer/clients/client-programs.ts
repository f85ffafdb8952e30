/** The programs for which a snippet is made, in the order in which they are offered. */
export const clientPrograms = [
  'claude-code',
  'claude-desktop',
  'vscode',
  'cursor',
  'codex',
  'windsurf',
  'zed',
  'gemini-cli',
] as const;
export type ClientProgram = (typeof clientPrograms)[number];

export const systems = ['mac', 'windows', 'linux'] as const;
export type System = (typeof systems)[number];

/** The system that a browser names in `navigator.platform`. */
export function systemOf(platform: string): System {
  if (platform.startsWith('Mac')) return 'mac';
  return platform.startsWith('Win') ? 'windows' : 'linux';
}

export const programNames: Readonly<Record<ClientProgram, string>> = {
  'claude-code': 'Claude Code',
  'claude-desktop': 'Claude Desktop',
  vscode: 'VS Code',
  cursor: 'Cursor',
  codex: 'Codex',
  windsurf: 'Windsurf',
  zed: 'Zed',
  'gemini-cli': 'Gemini CLI',
};

const home = (path: string): Readonly<Record<System, string>> => ({
  mac: `~/${path}`,
  windows: `%USERPROFILE%\\${path.replaceAll('/', '\\')}`,
  linux: `~/${path}`,
});

/** Where a program keeps its servers. Claude Code has none here: it rewrites its file by itself, so its command is used. */
export const programFiles: Readonly<
  Record<Exclude<ClientProgram, 'claude-code'>, Readonly<Record<System, string>>>
> = {
  'claude-desktop': {
    mac: '~/Library/Application Support/Claude/claude_desktop_config.json',
    windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
    linux: '~/.config/Claude/claude_desktop_config.json',
  },
  vscode: {
    mac: '~/Library/Application Support/Code/User/mcp.json',
    windows: '%APPDATA%\\Code\\User\\mcp.json',
    linux: '~/.config/Code/User/mcp.json',
  },
  cursor: home('.cursor/mcp.json'),
  codex: home('.codex/config.toml'),
  windsurf: home('.codeium/windsurf/mcp_config.json'),
  zed: { ...home('.config/zed/settings.json'), windows: '%APPDATA%\\Zed\\settings.json' },
  'gemini-cli': home('.gemini/settings.json'),
};

/** What is to be known of a program beside its snippet. */
export const programNotes: Readonly<Partial<Record<ClientProgram, string>>> = {
  'claude-code': 'Run it in a terminal: each command adds one server, for all your projects.',
  'claude-desktop':
    'It starts its servers as programs and cannot reach an address by itself. This uses mcp-remote as a bridge, a package of other makers that needs Node.js.',
  vscode: 'Also opened by its command “MCP: Open User Configuration”.',
  cursor: 'It ignores tools whose name is longer than 60 characters together with that of the server.',
  windsurf: 'Its key for the address is serverUrl.',
  zed: 'Add it to the settings that are there.',
  'gemini-cli': 'Its key for the address is httpUrl.',
};
