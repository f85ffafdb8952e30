import * as nodeModule from 'node:module';

/** Compile cache of `node:module`; runtimes before Node 22.8 lack it. */
export interface CompileCacheApi {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/**
 * Lets Node cache compiled code of the main process in `folder`, so that modules loaded from now on are compiled once for all
 * app runs. Node verifies the cached code and works without a writable folder. Returns a function that writes the cache now,
 * which Node itself does only at an orderly exit.
 */
export function keepCompiledCode(
  folder: string,
  environment: NodeJS.ProcessEnv,
  api: CompileCacheApi = nodeModule,
): () => void {
  // The key includes a file's path, and an AppImage is mounted in another place each time.
  if (environment['APPIMAGE'] !== undefined || api.enableCompileCache === undefined) return () => undefined;
  api.enableCompileCache(folder);
  return () => api.flushCompileCache?.();
}
