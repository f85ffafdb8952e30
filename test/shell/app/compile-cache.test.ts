import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepCompiledCode, type CompileCacheApi } from '../../../electron/shell/app/compile-cache.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const Loader = Module as unknown as { readonly prototype: { _compile: unknown } };

let folder: string;
beforeEach(() => (folder = tempFolder('compile-cache-')));

function recordingApi() {
  const calls: string[] = [];
  const api: CompileCacheApi = {
    enableCompileCache: (path) => calls.push(`enable ${path}`),
    flushCompileCache: () => calls.push('flush'),
  };
  return { calls, api };
}

describe('keepCompiledCode', () => {
  it('has the code that is loaded afterwards in its folder as soon as it is told to write', () => {
    const kept = join(folder, 'kept');
    const source = pathToFileURL(
      join(import.meta.dirname, '../../../electron/shell/app/compile-cache.ts'),
    ).href;
    writeFileSync(join(folder, 'loaded.cjs'), 'exports.answer = () => 42;');
    const script = `
      const { keepCompiledCode } = await import(${JSON.stringify(source)});
      const write = keepCompiledCode({ folder: ${JSON.stringify(kept)}, scripts: '', environment: {} });
      const { createRequire } = await import('node:module');
      createRequire(${JSON.stringify(folder + '/')})('./loaded.cjs').answer();
      write();
      process.kill(process.pid, 'SIGKILL');`;
    expect(() =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }),
    ).toThrow();
    expect(readdirSync(kept, { recursive: true }).length).toBeGreaterThan(1);
  });

  describe('on a runtime that keeps none', () => {
    const { _compile: compile } = Loader.prototype;
    afterEach(() => void (Loader.prototype._compile = compile));

    /** Loads a script of the app's as a launch would. Gives what it exports, and whether its code was written. */
    function launch(text: string): { readonly exported: unknown; readonly isWritten: boolean } {
      const script = join(folder, 'loaded.cjs');
      writeFileSync(script, text);
      Loader.prototype._compile = compile;
      const write = keepCompiledCode({
        folder: join(folder, 'kept'),
        scripts: folder,
        environment: {},
        api: {},
      });
      const require = createRequire(join(folder, 'main.cjs'));
      delete require.cache[script];
      const exported: unknown = require(script);
      if (existsSync(file())) utimesSync(file(), 0, 0);
      write();
      return { exported, isWritten: existsSync(file()) && statSync(file()).mtimeMs > 0 };
    }
    const file = () => join(folder, 'kept', 'loaded.cjs.code');

    it('keeps the code of the app itself, for the same script only', () => {
      const text = 'exports.folder = require("node:path").basename(__dirname) && 42;';
      expect(launch(text)).toEqual({ exported: { folder: 42 }, isWritten: true });
      expect(launch(text)).toEqual({ exported: { folder: 42 }, isWritten: false });
      expect(launch(text.replace('42', '43'))).toEqual({ exported: { folder: 43 }, isWritten: true });
    });

    it('throws away code that is not as it was written', () => {
      const text = 'exports.answer = 42;';
      launch(text);
      const kept = readFileSync(file());
      kept[kept.length - 1]! ^= 1;
      writeFileSync(file(), kept);
      expect(launch(text)).toEqual({ exported: { answer: 42 }, isWritten: true });
    });

    it('leaves a script alone that imports, and works where nothing can be written', () => {
      expect(launch('exports.load = () => import("node:path");').isWritten).toBe(false);
      rmSync(join(folder, 'kept'), { recursive: true, force: true });
      writeFileSync(join(folder, 'kept'), 'a file in the way');
      expect(launch('exports.answer = 42;').exported).toEqual({ answer: 42 });
    });
  });

  it('keeps nothing of an AppImage, whose files have another path in each launch', () => {
    const { calls, api } = recordingApi();
    keepCompiledCode({
      folder,
      scripts: folder,
      environment: { APPIMAGE: '/home/me/panel.AppImage' },
      api,
    })();
    expect(calls).toEqual([]);
  });

  it('writes only when it is told to', () => {
    const { calls, api } = recordingApi();
    const write = keepCompiledCode({ folder, scripts: folder, environment: {}, api });
    expect(calls).toEqual([`enable ${folder}`]);
    write();
    expect(calls).toEqual([`enable ${folder}`, 'flush']);
  });
});
