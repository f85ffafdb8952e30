import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepCompiledCode, type CompileCacheApi } from '../../../electron/shell/app/compile-cache.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'compile-cache-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
      const write = keepCompiledCode(${JSON.stringify(kept)}, {});
      const { createRequire } = await import('node:module');
      createRequire(${JSON.stringify(folder + '/')})('./loaded.cjs').answer();
      write();
      process.kill(process.pid, 'SIGKILL');`;
    expect(() =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }),
    ).toThrow();
    expect(readdirSync(kept, { recursive: true }).length).toBeGreaterThan(1);
  });

  it('asks Node for nothing on a runtime that cannot keep compiled code', () => {
    expect(keepCompiledCode(folder, {}, {})).not.toThrow();
  });

  it('keeps nothing of an AppImage, whose files have another path in each launch', () => {
    const { calls, api } = recordingApi();
    keepCompiledCode(folder, { APPIMAGE: '/home/me/panel.AppImage' }, api)();
    expect(calls).toEqual([]);
  });

  it('writes only when it is told to', () => {
    const { calls, api } = recordingApi();
    const write = keepCompiledCode(folder, {}, api);
    expect(calls).toEqual([`enable ${folder}`]);
    write();
    expect(calls).toEqual([`enable ${folder}`, 'flush']);
  });
});
