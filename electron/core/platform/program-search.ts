import { variableOf } from './child-environment.ts';

export interface ProgramSearch {
  readonly command: string;
  /** PATH of the child; undefined means the system's default. */
  readonly path: string | undefined;
  /** PATHEXT of the child: the file suffixes of programs. Windows only; undefined means the system's default. */
  readonly pathExt?: string | undefined;
  readonly cwd?: string | undefined;
}

/** The found file, or the error code with which a spawn would fail. */
export type FoundProgram = { readonly file: string } | { readonly code: 'ENOENT' | 'EACCES' };

export type FindProgram = (search: ProgramSearch) => Promise<FoundProgram>;

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

/** True if `command` is a path, so that PATH is not searched. */
export function namesPlace(command: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /[\\/:]/.test(command) : command.includes('/');
}
