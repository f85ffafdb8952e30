import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where package managers put programs, for all people of a machine. */
const SYSTEM_FOLDERS = [
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/usr/local/bin',
  '/nix/var/nix/profiles/default/bin',
  '/snap/bin',
];
/** Below the home folder. Version managers come first, as their own set-up has it. */
const HOME_FOLDERS = [
  '.volta/bin',
  '.local/share/fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.local/share/mise/shims',
  '.asdf/shims',
  '.pyenv/shims',
  '.local/bin',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
  '.local/share/pnpm',
  'Library/pnpm',
  'go/bin',
  '.nix-profile/bin',
];
const NVM = '.nvm';

/** The well-known folders of programs that exist, in the order of a PATH. Never rejects. */
export async function findKnownFolders(home: string): Promise<readonly string[]> {
  const nvm = await findNvmFolder(join(home, NVM));
  const wanted = [
    ...(nvm === undefined ? [] : [nvm]),
    ...HOME_FOLDERS.map((folder) => join(home, folder)),
    ...SYSTEM_FOLDERS,
  ];
  const exist = await Promise.all(wanted.map(isFolder));
  return wanted.filter((_, index) => exist[index]);
}

/** nvm has no shims: the version of its default alias, or else the newest one. */
async function findNvmFolder(nvm: string): Promise<string | undefined> {
  const versions = await readdir(join(nvm, 'versions', 'node')).catch((): string[] => []);
  const newestFirst = versions.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  const alias = (await readFile(join(nvm, 'alias', 'default'), 'utf8').catch(() => ''))
    .trim()
    .replace(/^v/, '');
  const chosen =
    newestFirst.find((version) => alias !== '' && `${version}.`.startsWith(`v${alias}.`)) ?? newestFirst[0];
  return chosen === undefined ? undefined : join(nvm, 'versions', 'node', chosen, 'bin');
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
