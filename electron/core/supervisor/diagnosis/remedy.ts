import type { Fix } from '../../../../shared/fix.ts';
import { settingsWanted } from './named-settings.ts';

/** Remedy for a diagnosed cause: `words`, a sentence for the user, and `fix`, the same for programs. */
export interface DiagnosedRemedy {
  readonly words: string;
  readonly fix: Fix;
}

interface RemedyInput {
  /** Line that states the cause. `lines` also contains the lines around it, without warnings and remarks. */
  readonly cause: string;
  readonly lines: readonly string[];
  readonly variables: readonly string[];
}

/** A fixed value, or a function that computes it from the text that the pattern's first group matched. */
type ByFound<T> = T | ((found: string | undefined) => T);
type Rule = readonly [pattern: RegExp, words: ByFound<string>, fix: ByFound<Fix>];

export function remedyFor(input: RemedyInput): DiagnosedRemedy | undefined {
  const { cause, lines } = input;
  return placeholderRemedy(cause) ?? variableRemedy(input) ?? ruled(cause) ?? ruled(lines.join('\n'));
}

function ruled(text: string): DiagnosedRemedy | undefined {
  for (const [pattern, words, fix] of rules) {
    const match = pattern.exec(text);
    if (!match) continue;
    const found = match.slice(1).find((group) => group !== undefined);
    return {
      words: typeof words === 'string' ? words : words(found),
      fix: typeof fix === 'object' ? fix : fix(found),
    };
  }
  return undefined;
}

function placeholderRemedy(cause: string): DiagnosedRemedy | undefined {
  const placeholder = /\$\{[\w:.-]{1,60}\}/.exec(cause)?.[0];
  if (placeholder === undefined) return undefined;
  return {
    words: `Replace ${placeholder} with the value itself in its configuration.`,
    fix: { kind: 'replace-placeholder', placeholder },
  };
}

/**
 * Returns a remedy that names the environment variables to set; undefined if the output asks for none. Their names may be in
 * the line of the cause, in a list below it, or in a line next to it.
 */
function variableRemedy({ cause, lines, variables: set }: RemedyInput): DiagnosedRemedy | undefined {
  const variables = settingsWanted(cause, lines);
  const [variable] = variables;
  if (variable === undefined) return undefined;
  const isSet = set.includes(variable);
  const isChoice = /\b(?:either|or|one of)\b/i.test([cause, ...lines].join('\n'));
  const names = listed(variables.slice(0, 3), isChoice ? 'or' : 'and');
  const words = isSet
    ? `Check the value of ${variable} in the server's environment.`
    : `Set ${names} in the server's environment.`;
  return { words, fix: { kind: 'set-variable', variable, variables, isSet } };
}

function listed(names: readonly string[], last: string): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

const optional = <K extends string>(name: K, value: string | undefined): { readonly [N in K]?: string } =>
  value === undefined || value === '' ? {} : ({ [name]: value } as { readonly [N in K]?: string });

const packageIn = (found: string | undefined) => found?.replace(/%2f/gi, '/').replace(/[.,]$/, '');

const rules: readonly Rule[] = [
  [
    /(?:Cannot|unable to) connect to (?:the )?(Docker|Podman)|dockerDesktopLinuxEngine|docker_engine|error during connect/i,
    (engine = 'Docker') => `Start ${engine}, then start the server.`,
    (engine = 'Docker') => ({ kind: 'start-engine', engine: engine.toLowerCase() }),
  ],
  [
    /permission denied while trying to connect to the (Docker|Podman)/i,
    (engine = 'Docker') =>
      `Let this user use ${engine}: on Linux, add it to the group "docker" and log in again.`,
    (engine = 'Docker') => ({ kind: 'allow-engine', engine: engine.toLowerCase() }),
  ],
  [
    /no podman implementation available|exec: "(docker|podman)": executable file not found/i,
    (command = 'podman') => `Install ${command} or put it on the PATH, then start the server.`,
    (command = 'podman') => ({ kind: 'install-command', command }),
  ],
  [
    /The container name "\/?([^"]+)" is already in use/i,
    (container = '') => `Remove the container ${container}, or take "--name" out of the arguments.`,
    (container = '') => ({ kind: 'remove-container', container }),
  ],
  [
    /pull access denied|manifest (?:for \S+ )?(?:not found|unknown)|repository does not exist|No such image|unable to copy from source|initializing source/i,
    'Check the name and tag of the image, and sign in to its registry if it is private.',
    { kind: 'check-image' },
  ],
  [
    /404 (?:Not Found - )?.*?registry\.[^/]+\/(\S+)|ERR_PNPM_FETCH_404.*\/([^/\s:]+): Not Found|Because (\S+) was not found in the package registry|No matching version found for (\S+?)\.?$|there is no version of (\S+)|error: package "([^"\s]+)" not found|error: (\S+) failed to resolve|GET https:\/\/registry\S*?\/([\w@%.-]+) - 404/m,
    (found) => {
      const name = packageIn(found);
      return `Check the name and version of the package${name ? ` ${name}` : ''} in its arguments.`;
    },
    (found) => ({ kind: 'check-package', ...optional('package', packageIn(found)) }),
  ],
  [
    /could not determine executable to run|is not provided by package|No executables are provided/,
    'The package contains no program of that name; check the package and its program in the arguments.',
    { kind: 'check-package' },
  ],
  [
    /ENOSPC|No space left on device|os error 28\b/,
    'Make room on the disk, then start the server.',
    { kind: 'free-disk' },
  ],
  [
    /EINTEGRITY|integrity checksum failed/,
    'Run "npm cache clean --force", then start the server.',
    { kind: 'repair-cache', command: 'npm cache clean --force' },
  ],
  [
    /root-owned files/,
    'Give the npm cache back to this user: npm names the command in its log.',
    { kind: 'allow-access' },
  ],
  [
    /EADDRINUSE[^\n]*?:(\d+)|[Aa]ddress already in use[^\n]*?:?(\d+)?/,
    (port = 'of this server') =>
      `Another program uses port ${port}: end it, or give the server another port.`,
    (port) => ({ kind: 'free-port', ...optional('port', port) }),
  ],
  [
    /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)|Could not resolve host: (\S+)|failed to lookup address|dns error|Name or service not known|nodename nor servname|no such host|Temporary failure in name resolution/,
    (host) => `Check that this machine is online${host ? ` and that the address ${host} is right` : ''}.`,
    (host) => ({ kind: 'check-network', ...optional('host', host) }),
  ],
  [
    /ECONNREFUSED ?(\S+:\d+)?|[Cc]onnection refused/,
    (address) =>
      `Start the service that it talks to${address ? `, at ${address}` : ''}, or correct its address.`,
    (address) => ({ kind: 'check-service', ...optional('address', address) }),
  ],
  [
    /ETIMEDOUT|ECONNRESET|ENETUNREACH|EHOSTUNREACH|fetch failed|certificate/,
    'Check the network of this machine, and a proxy or firewall between it and the service.',
    { kind: 'check-network' },
  ],
  [
    /(?:Could not load|No such built-in module:?) (?:\S+ )?(node:\w+)|Unsupported engine|Not compatible with your version of node|requires? (?:Node(?:\.js)?|node) (?:v|>=|version)|SyntaxError: The requested module 'node:/,
    'It needs a newer Node.js than the one it was started with.',
    { kind: 'update-runtime', runtime: 'node' },
  ],
  [
    /UnsupportedClassVersionError/,
    'It needs a newer Java than the one it was started with.',
    { kind: 'update-runtime', runtime: 'java' },
  ],
  [
    /install or update \.NET|framework 'Microsoft\./,
    'Install the version of .NET that it names.',
    { kind: 'update-runtime', runtime: 'dotnet' },
  ],
  [
    /No module named '?([\w.]+)'?|Cannot find (?:package|module) '([^'/\\.][^']*)'|cannot load such file -- ([\w/-]+)/,
    (name = '') => `Install ${name} where the server runs, or correct its command.`,
    (name = '') => ({ kind: 'install-module', module: name }),
  ],
  [
    /Cannot find module '((?:[/\\.]|[A-Za-z]:)[^']*)'|can't open file '([^']+)'|Unable to access jarfile (\S+)|Module not found "([^"]+)"|ENOENT: no such file or directory, \w+ '([^']+)'|No such file or directory: '([^']+)'|Cannot find module "([^"]+)"/,
    (path = '') => `Check that ${path} is there, and that its path in the configuration is right.`,
    (path = '') => ({ kind: 'check-path', path }),
  ],
  [
    /(?:(?:^|\n|: )(?:[\w/]*sh: )?(?:line )?(?:\d+: )?)(?:exec: )?["'‘]?([\w@./-]+)["'’]?: (?:command )?not found|command not found: (\S+)|'([^']+)' is not recognized|env: ['‘]?([\w./-]+)['’]?: No such file|Failed to spawn: `([^`]+)`|exec: "([^"]+)": executable file not found/,
    (command = 'the command') => `Install ${command}, or give its full path.`,
    (command) => ({ kind: 'install-command', ...optional('command', command) }),
  ],
  [
    /Python was not found; run without arguments to install from the Microsoft Store/,
    'Install Python: the "python" that comes with Windows only leads to the Microsoft Store.',
    { kind: 'install-command', command: 'python' },
  ],
  [
    /running scripts is disabled on this system/,
    'Let PowerShell run scripts of this machine: "Set-ExecutionPolicy -Scope CurrentUser RemoteSigned".',
    { kind: 'allow-access' },
  ],
  [
    /(?:EACCES|EPERM): [^\n]*'([^']+)'|PermissionError: [^\n]*'([^']+)'|(\S+): Permission denied|[Pp]ermission denied|^Access is denied\.$/m,
    (path = 'what it names') => `Allow this user to use ${path}.`,
    (path) => ({ kind: 'allow-access', ...optional('path', path) }),
  ],
  [
    /heap out of memory|OutOfMemoryError|MemoryError|out of memory/,
    'It needs more memory than it may use: raise its heap limit, or give it less to do.',
    { kind: 'free-memory' },
  ],
  [
    /\b401\b|\b403\b|Unauthorized|unauthenticated|invalid_auth|Invalid API key|invalid (?:token|credentials)|[Aa]uthentication failed|access token|API key/i,
    'Give it a valid credential in its environment or its arguments, as its message says.',
    { kind: 'check-credential' },
  ],
  [
    /(?:required|missing|unknown|unexpected|unrecognized|invalid) (?:option|argument|arguments|flag|parameter)|arguments are required|arguments were not provided|^Usage\b|^usage: /m,
    'Correct its arguments, as its message says.',
    { kind: 'check-arguments' },
  ],
];
