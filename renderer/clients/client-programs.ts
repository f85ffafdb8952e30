import { claudeCodeNames } from '../../shared/foreign-names.ts';
import type { Bridge } from '../../shared/ipc/topics/programs.ts';

export const systems = ['mac', 'windows', 'linux'] as const;
export type System = (typeof systems)[number];

/** Operating system that a browser reports in `navigator.platform`. */
export function systemOf(platform: string): System {
  if (platform.startsWith('Mac')) return 'mac';
  return platform.startsWith('Win') ? 'windows' : 'linux';
}

type Files = Readonly<Record<System, string>>;
type Entry = Readonly<Record<string, unknown>>;

/** A server with its name in the client program, and the data that the program needs to reach it. */
export interface Access {
  readonly server: string;
  readonly name: string;
  readonly address: string;
  readonly token: string;
  readonly authorization: string;
  /** Command of the bridge; undefined if the panel has no bridge at a permanent path. */
  readonly bridge: Bridge | undefined;
}

/** Way to configure the servers of a client program. */
type Form =
  /** Commands in a terminal, because the program itself rewrites its configuration file. */
  | { readonly kind: 'command' }
  /** Tables of a TOML file. */
  | { readonly kind: 'toml'; readonly files: Files }
  /** Items of the list `mcpServers` in a YAML file. */
  | { readonly kind: 'yaml'; readonly files: Files }
  /** Entries of a JSON file, below one key. */
  | {
      readonly kind: 'json';
      readonly files: Files;
      readonly key: string;
      readonly entry: (access: Access) => Entry;
    };

/** Rules of a program that allows only letters, digits, `-` and `_` in names; other names are changed. */
interface PlainNames {
  /** Names that the program reserves for itself. */
  readonly reserved: readonly string[];
  readonly reason: string;
}

export interface Program {
  readonly name: string;
  readonly form: Form;
  readonly plainNames?: PlainNames;
  /** True if the program reaches the panel through the bridge, because it can only start programs. */
  readonly usesBridge?: true;
  /** Notes on the program, shown with its snippet. */
  readonly notes?: readonly string[];
}

const inHome = (path: string): Files => ({
  mac: `~/${path}`,
  windows: `%USERPROFILE%\\${path.replaceAll('/', '\\')}`,
  linux: `~/${path}`,
});

const json = (key: string, files: Files, fields: (address: string) => Entry): Form => ({
  kind: 'json',
  key,
  files,
  entry: ({ address, authorization }) => ({
    ...fields(address),
    headers: { Authorization: authorization },
  }),
});

/** Command of a bridge that the user has copied to a folder of their own; the path is a placeholder. */
const copiedBridge: Bridge = { command: 'node', args: ['/path/to/bridge/bridge.cjs', 'connect'], env: {} };
/** Note on a snippet for which there is no bridge at a permanent path. */
export const copyNote =
  'The panel found no Node.js, or its bridge has no permanent location, as in an AppImage. Install Node.js 18 or later, copy the folder bridge from the folder resources of the app to a permanent location, and replace /path/to/bridge below with that location.';

/** Client programs for which a snippet exists, in the order in which they are offered. */
export const programs = {
  'claude-code': {
    name: 'Claude Code',
    form: { kind: 'command' },
    plainNames: {
      reserved: claudeCodeNames,
      reason:
        'Claude Code takes letters, digits, - and _ only, and reserves the names workspace and claude-in-chrome.',
    },
    notes: [
      'Run the commands in a terminal. They replace the server for all your projects. A remove command may fail because there is nothing to remove.',
      'A project’s own copy wins over this one. Run the remove command with --scope local in the folder of each project that has one. Where a project has the server in .mcp.json, run the add command in its folder with --scope local.',
    ],
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    form: {
      kind: 'json',
      key: 'mcpServers',
      files: {
        mac: '~/Library/Application Support/Claude/claude_desktop_config.json',
        windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
        linux: '~/.config/Claude/claude_desktop_config.json',
      },
      entry: ({ server, token, bridge = copiedBridge }) => ({
        command: bridge.command,
        args: [...bridge.args, server],
        env: { ...bridge.env, MCP_CONTROL_PANEL_TOKEN: token },
      }),
    },
    usesBridge: true,
    notes: [
      'Claude Desktop starts its servers as programs and cannot connect to a URL itself. This starts the bridge of this panel, which runs on your Node.js.',
    ],
  },
  vscode: {
    name: 'VS Code',
    form: json(
      'servers',
      {
        mac: '~/Library/Application Support/Code/User/mcp.json',
        windows: '%APPDATA%\\Code\\User\\mcp.json',
        linux: '~/.config/Code/User/mcp.json',
      },
      (url) => ({ type: 'http', url }),
    ),
    notes: ['Its command “MCP: Open User Configuration” opens the file.'],
  },
  cursor: {
    name: 'Cursor',
    form: json('mcpServers', inHome('.cursor/mcp.json'), (url) => ({ url })),
    notes: [
      'Cursor ignores tools whose name is longer than 60 characters together with the name of the server.',
    ],
  },
  codex: { name: 'Codex', form: { kind: 'toml', files: inHome('.codex/config.toml') } },
  windsurf: {
    name: 'Windsurf',
    form: json('mcpServers', inHome('.codeium/windsurf/mcp_config.json'), (serverUrl) => ({ serverUrl })),
  },
  zed: {
    name: 'Zed',
    form: json(
      'context_servers',
      { ...inHome('.config/zed/settings.json'), windows: '%APPDATA%\\Zed\\settings.json' },
      (url) => ({ url }),
    ),
  },
  'gemini-cli': {
    name: 'Gemini CLI',
    form: json('mcpServers', inHome('.gemini/settings.json'), (httpUrl) => ({ httpUrl })),
  },
  opencode: {
    name: 'opencode',
    form: json('mcp', inHome('.config/opencode/opencode.json'), (url) => ({
      type: 'remote',
      url,
      oauth: false,
    })),
    notes: ['The file may be called opencode.jsonc.'],
  },
  'copilot-cli': {
    name: 'Copilot CLI',
    form: json('mcpServers', inHome('.copilot/mcp-config.json'), (url) => ({
      type: 'http',
      url,
      tools: ['*'],
    })),
    plainNames: {
      reserved: [],
      reason: 'Copilot CLI leaves out servers that have other characters than letters, digits, - and _.',
    },
  },
  'qwen-code': {
    name: 'Qwen Code',
    form: json('mcpServers', inHome('.qwen/settings.json'), (httpUrl) => ({ httpUrl })),
  },
  cline: {
    name: 'Cline',
    // Cline ends a call after 60 s, even if the server needs longer, unless the entry contains a timeout.
    form: json('mcpServers', inHome('.cline/data/settings/cline_mcp_settings.json'), (url) => ({
      type: 'streamableHttp',
      url,
      timeout: 300,
    })),
    notes: [
      'This is the file of Cline CLI. The extension for VS Code has its own file, which takes the same entries.',
      'Without timeout, Cline ends every call after 60 seconds.',
    ],
  },
  continue: {
    name: 'Continue',
    form: { kind: 'yaml', files: inHome('.continue/config.yaml') },
    notes: [
      'Continue names tools without their server, so tools of the same name on two servers get in each other’s way.',
    ],
  },
  mcporter: {
    name: 'mcporter',
    form: json('mcpServers', inHome('.mcporter/mcporter.json'), (baseUrl) => ({ baseUrl })),
  },
} as const satisfies Readonly<Record<string, Program>>;

export type ClientProgram = keyof typeof programs;
export const clientPrograms = Object.keys(programs) as readonly ClientProgram[];
