import type { SessionMode } from '../session-policy.ts';

/** Sharing mode that is known for certain servers, which are recognized by name. */
interface KnownSharing {
  /** Pattern for one name of the server: its package, program, module or image, in lower case. */
  readonly names: RegExp;
  readonly mode: SessionMode;
  /** Reason for the mode, as a text that the user sees. */
  readonly words: string;
  /** Exception: if one of the arguments matches, this mode replaces the entry's. */
  readonly unless?: { readonly argument: RegExp; readonly mode: SessionMode; readonly words: string };
}

/** Returns a pattern that matches whole words within a name: `repl` matches in `node-repl-mcp`, but not in `replicate`. */
function word(...words: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z0-9])(?:${words.join('|')})(?![a-z0-9])`);
}

const OWN_BROWSER =
  'Its process keeps the current page, tabs and logins, which two users would take from each other.';
const PEOPLES_BROWSER = 'It drives one browser that runs elsewhere; a second process would fight over it.';

/**
 * Known servers, of two kinds: `exclusive` ones, which keep a "current" something (such as a page) in their process, so that
 * each user needs a replica; and `shared` ones, which use a single external resource, so that replicas would interfere with
 * each other. The first match wins. Servers that are not listed may be shared.
 */
export const sharingCatalogue: readonly KnownSharing[] = [
  {
    names: word(
      'browsermcp',
      'blender',
      'figma',
      'unity',
      'godot',
      'photoshop',
      'obsidian',
      'ableton',
      'houdini',
    ),
    mode: 'shared',
    words: 'It drives one application that runs elsewhere; a second process would fight over it.',
  },
  {
    names: word('server-memory'),
    mode: 'shared',
    words: 'It keeps one file, and two processes would overwrite what the other wrote.',
  },
  {
    names: word(
      'playwright',
      'puppeteer',
      'chrome-devtools',
      'browser-use',
      'stagehand',
      'selenium',
      'webdriver',
      'camoufox',
    ),
    mode: 'exclusive',
    words: OWN_BROWSER,
    unless: {
      argument: /^(?:--(?:cdp-?endpoint|extension|browser-?url|ws-?endpoint|auto-?connect)|-u)(?:=|$)/i,
      mode: 'shared',
      words: PEOPLES_BROWSER,
    },
  },
  {
    names: word('browser', 'chromium', 'chrome', 'firefox', 'safari', 'webkit'),
    mode: 'exclusive',
    words: OWN_BROWSER,
  },
  {
    names: word('sequential[-_]?thinking', 'deepthinking', 'deep-thinking', 'think-?tool'),
    mode: 'exclusive',
    words: 'Its process keeps one chain of thoughts, and those of two users would mix.',
  },
  {
    names: word(
      'desktop-commander',
      'terminal',
      'iterm',
      'tmux',
      'libtmux',
      'shell',
      'bash',
      'zsh',
      'powershell',
      'pwsh',
      'pty',
      'ssh',
    ),
    mode: 'exclusive',
    words: 'Its process keeps open shells and their working folders.',
  },
  {
    names: word(
      'repl',
      'ipython',
      'jupyter',
      'notebook',
      'ijulia',
      'matlab',
      'python-interpreter',
      'code-interpreter',
    ),
    mode: 'exclusive',
    words: 'Its process keeps the variables of one running interpreter.',
  },
  {
    names: word(
      'debugger',
      'debug',
      'debugpy',
      'gdb',
      'lldb',
      'pdb',
      'delve',
      'dlv',
      'jdb',
      'x64dbg',
      'windbg',
      'radare2',
    ),
    mode: 'exclusive',
    words: 'Its process keeps one program under debug, with its breakpoints and its current frame.',
  },
  {
    names: word('appium', 'mobile-mcp', 'xcodebuildmcp', 'ios-simulator', 'android', 'adb'),
    mode: 'exclusive',
    words: 'Its process keeps the device or simulator that was selected last.',
  },
  {
    names: word('serena', 'git-mcp-server', 'lsmcp', 'cclsp', 'language-server'),
    mode: 'exclusive',
    words: 'Its process works in one project or folder at a time, which a tool changes.',
  },
  {
    names: word(
      'computer-use',
      'computer-control',
      'desktop-control',
      'desktop-automation',
      'windows-mcp',
      'macos-automator',
      'automator',
      'pyautogui',
      'nut-js',
      'robotjs',
    ),
    mode: 'exclusive',
    words: 'Its process keeps what it last saw of the screen, and the position of the next step.',
  },
  {
    names: word('mongodb-mcp-server', 'mcp-server-duckdb', 'mcp-server-motherduck'),
    mode: 'exclusive',
    words: 'Its process keeps a current connection, and perhaps a transaction that is open on it.',
  },
];
