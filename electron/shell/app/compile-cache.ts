import * as nodeModule from 'node:module';

/** The part of `node:module` that keeps compiled code; runtimes before Node 22.8 lack it. */
export interface CompileCacheApi {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/**
 * Lets Node keep compiled code of the main process in `folder`: what is loaded from now on is compiled once for all
 * launches. Node checks what it reads there, and goes without where it cannot write. Returns what writes to the folder
 * what has been compiled so far, which Node itself does only at an orderly exit.
 */
export function keepCompiledCode(
  folder: string,
  environment: NodeJS.ProcessEnv,
  api: CompileCacheApi = nodeModule,
): () => void {
  // The path of a file is part of its key, and an AppImage is mounted in another place each time.
  if (environment['APPIMAGE'] !== undefined || api.enableCompileCache === undefined) return () => undefined;
  api.enableCompileCache(folder);
  return () => api.flushCompileCache?.();
}
