import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Compile cache of `node:module`; runtimes before Node 22.8 lack it. */
export interface CompileCacheApi {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

interface CompileCacheOptions {
  /** Folder of the cached code. */
  readonly folder: string;
  /** Folder of the app's own scripts. */
  readonly scripts: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly api?: CompileCacheApi;
}

/**
 * Caches compiled code of the main process in `folder`, so that modules loaded from now on are compiled only once for all app
 * runs. Cached code is verified, and the app also works if the folder is not writable. Returns a function that writes the code
 * immediately, because Node itself writes it only at an orderly exit.
 */
export function keepCompiledCode({
  folder,
  scripts,
  environment,
  api = nodeModule,
}: CompileCacheOptions): () => void {
  // An AppImage gets no cache: the key of a cached file includes the script's path, and an AppImage is mounted at a different
  // path each time.
  if (environment['APPIMAGE'] !== undefined) return () => undefined;
  if (api.enableCompileCache === undefined) return keepOwnCode(folder, scripts);
  api.enableCompileCache(folder);
  return () => api.flushCompileCache?.();
}

interface LoadedModule {
  exports: unknown;
}
type Compile = (this: LoadedModule, content: string, filename: string) => unknown;

/** Caches the compiled code of the app's own scripts without Node's compile cache, for Node versions that lack it. */
function keepOwnCode(folder: string, scripts: string): () => void {
  const loader = nodeModule.Module.prototype as unknown as { _compile: Compile };
  const compile = loader._compile;
  const fresh: { readonly script: Script; readonly file: string; readonly digest: Buffer }[] = [];
  loader._compile = function (content, filename) {
    // Scripts that call `import()` are not cached, because a script run by `node:vm` cannot import modules by itself.
    if (dirname(filename) !== scripts || content.includes('import('))
      return compile.call(this, content, filename);
    const file = join(folder, `${basename(filename)}.code`);
    const digest = digestOf(content);
    const cachedData = keptIn(file, digest);
    const script = new Script(nodeModule.wrap(content), { filename, ...(cachedData && { cachedData }) });
    if (script.cachedDataRejected !== false) fresh.push({ script, file, digest });
    const run = script.runInThisContext() as (this: unknown, ...args: readonly unknown[]) => unknown;
    return run.call(this.exports, this.exports, nodeModule.createRequire(filename), this, filename, scripts);
  };
  return () => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const { script, file, digest } of fresh.splice(0)) {
        const code = script.createCachedData();
        writeFileSync(file, Buffer.concat([digest, digestOf(code), code]), { mode: 0o600 });
      }
    } catch {
      // If the folder cannot be written to, the app runs without cached code.
    }
  };
}

const DIGEST_BYTES = 32;
const digestOf = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** Returns the cached code of the script with this digest; undefined if the cache file is damaged or for another version. */
function keptIn(file: string, digest: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(2 * DIGEST_BYTES);
    const isWhole = kept.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES).equals(digestOf(code));
    return isWhole && kept.subarray(0, DIGEST_BYTES).equals(digest) ? code : undefined;
  } catch {
    return undefined; // Nothing is cached yet.
  }
}
