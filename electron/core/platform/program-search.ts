import { variableOf } from './environment-names.ts';

export interface ProgramSearch {
  readonly command: string;
  /** PATH of the child; the system's own default where it has none. */
  readonly path: string | undefined;
  /** PATHEXT of the child: the suffixes of programs. Windows only; the system's own default where it has none. */
  readonly pathExt?: string | undefined;
  /** Folder of the child. Default: ours. */
  readonly cwd?: string | undefined;
}

/** The code is what a spawn would fail with. */
export type FoundProgram = { readonly file: string } | { readonly code: 'ENOENT' | 'EACCES' };

export type FindProgram = (search: ProgramSearch) => Promise<FoundProgram>;

/** What is looked for when `command` is to be started with `env`. */
export function programSearch(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): ProgramSearch {
  const path = variableOf(env, 'PATH', platform);
  return platform === 'win32'
    ? { command, path, pathExt: variableOf(env, 'PATHEXT', platform) }
    : { command, path };
}

/** Whether `command` says where its program is, so that PATH is not searched. */
export function namesPlace(command: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /[\\/:]/.test(command) : command.includes('/');
}
