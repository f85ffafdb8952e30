import { containerRunOf, engineOf } from '../../shared/container-run.ts';
import type { ServerView } from '../../shared/domain.ts';

type Origin = Pick<ServerView, 'transport' | 'target' | 'serverInfo'>;

/** Programs that run a package which their first argument names. */
const runners = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx']);
/** Words between a runner and its package. */
const runnerWords = new Set(['run', 'exec', 'dlx', 'x', 'tool']);
/** Options that take the next word with them. */
const withValue = new Set([
  '-p',
  '--package',
  '--python',
  '--with',
  '--from',
  '--directory',
  '--project',
  '-c',
]);

/** What a server is, in a line: its package, image, script or host, and its version once it has told it. */
export function describeOrigin({ transport, target, serverInfo }: Origin): string {
  const what = transport === 'stdio' ? withoutCommonScope(packageOf(target)) : hostOf(target);
  return [what, serverInfo && shortVersion(serverInfo.version)].filter(Boolean).join(' · ');
}

/** A version as it is, with a short one marked as such, because "1" alone says nothing. */
const shortVersion = (version: string): string => (/^\d/.test(version) ? `v${version}` : version);

/** The scope of the reference servers is left out, because it would fill the column with what they have in common. */
const withoutCommonScope = (name: string): string => name.replace(/^@modelcontextprotocol\//, '');

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

/** Package, image or script of a command line; the program where nothing else can be told. */
function packageOf(target: string): string {
  const [path = '', ...words] = target.split(/\s+/);
  const program = fileOf(path).replace(/\.(?:exe|cmd|bat)$/i, '');
  if (engineOf(program) !== undefined)
    return containerRunOf(program, words)?.image ?? firstArgument(words, withValue) ?? program;
  if (runners.has(program)) return firstArgument(words, withValue) ?? program;
  if (['npm', 'pnpm', 'yarn', 'bun', 'uv'].includes(program) && words.some((word) => runnerWords.has(word)))
    return firstArgument(words, withValue) ?? program;
  const script = words.find((word) => /\.(?:[cm]?[jt]s|py|sh|rb|jar)$/i.test(word));
  return script === undefined ? program : (packageInPath(script) ?? fileOf(script));
}

/** First word that is no option, no value of one, and no word of the runner's own. */
function firstArgument(words: readonly string[], takesValue: ReadonlySet<string>): string | undefined {
  return words.find(
    (word, index) =>
      word !== '' &&
      !word.startsWith('-') &&
      !runnerWords.has(word) &&
      !takesValue.has(words[index - 1] ?? ''),
  );
}

/** Package that an installed script belongs to: "@scope/name" of "…/node_modules/@scope/name/dist/index.js". */
function packageInPath(path: string): string | undefined {
  return /^node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
    .exec(path.slice(path.lastIndexOf('node_modules')))?.[1]
    ?.replace('\\', '/');
}

const fileOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
