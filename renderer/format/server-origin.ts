import { parsedUrl } from '../../shared/parsed.ts';
import { packageWordsIn } from '../../shared/container-entry.ts';
import { containerRunOf, engineOf } from '../../shared/container-run.ts';
import type { ServerView } from '../../shared/domain.ts';
import { packageRunOfCommand } from '../../shared/package-run.ts';

type Origin = Pick<ServerView, 'transport' | 'target' | 'serverInfo'>;

/** Programs that expect a subcommand before the name of the package or script that they run. `verbs` contains the subcommands. */
const verbPrograms = new Set(['npm', 'pnpm', 'yarn', 'bun', 'uv']);
const verbs = new Set(['run', 'exec', 'dlx', 'x', 'tool']);
/** Options that are followed by a value. */
const withValue = new Set('-p --package --python --with --from --directory --project -c'.split(' '));

/** Returns a short description of a server: its package, image, script or host, then its version if the server reported one. */
export function describeOrigin({ transport, target, serverInfo }: Origin): string {
  const what = transport === 'stdio' ? withoutCommonScope(packageOf(target)) : hostOf(target);
  return [what, serverInfo && shortVersion(serverInfo.version)].filter(Boolean).join(' · ');
}

/** Adds "v" to a version that begins with a digit, because a user does not recognize "1" as a version. */
const shortVersion = (version: string): string => (/^\d/.test(version) ? `v${version}` : version);

/** Removes the scope of the reference servers, because it would fill the column with the same text for all of these servers. */
const withoutCommonScope = (name: string): string => name.replace(/^@modelcontextprotocol\//, '');

const hostOf = (url: string): string => parsedUrl(url)?.host ?? url;

/** Returns the package, image or script of a command line, or the program's name if none of these is recognized. */
function packageOf(target: string): string {
  const [path = '', ...words] = target.split(/\s+/);
  const program = fileOf(path).replace(/\.(?:exe|cmd|bat)$/i, '');
  const inside = packageWordsIn([program, ...words]);
  if (inside !== undefined) return packageOf(inside.join(' '));
  if (engineOf(program) !== undefined)
    return containerRunOf(program, words)?.image ?? firstArgument(words) ?? program;
  const run = packageRunOfCommand(program, words);
  if (run !== undefined) return run.program ?? program;
  if (verbPrograms.has(program) && words.some((word) => verbs.has(word)))
    return firstArgument(words) ?? program;
  const script = words.find((word) => /\.(?:[cm]?[jt]s|py|sh|rb|jar)$/i.test(word));
  return script === undefined ? program : (packageInPath(script) ?? fileOf(script));
}

/** Returns the first word that is not an option, an option's value or a subcommand. */
const firstArgument = (words: readonly string[]): string | undefined =>
  words.find(
    (word, index) =>
      word !== '' && !word.startsWith('-') && !verbs.has(word) && !withValue.has(words[index - 1] ?? ''),
  );

/** Returns the package of an installed script: "@scope/name" for "…/node_modules/@scope/name/dist/index.js". */
function packageInPath(path: string): string | undefined {
  return /^node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
    .exec(path.slice(path.lastIndexOf('node_modules')))?.[1]
    ?.replace('\\', '/');
}

const fileOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
