import { link, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { readContent, readSignature } from '../../../electron/core/files/file-content.ts';
import { replaceFile } from '../../../electron/core/files/replace-file.ts';
import { type Disk, patientRename } from '../../../electron/core/files/write-atomically.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('replaceFile', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = tempFolder('replace-file-');
    path = join(folder, 'a.json');
    await writeFile(path, 'old');
  });

  const replace = (content: string, signature: string, disk?: Disk) =>
    replaceFile({ path, content, previous: { content: 'old', signature }, backupPath: `${path}.bak`, disk });

  /**
   * Reads the file again and again without a pause; `stop` resolves with all that was seen. The reader lets go of the file for
   * each rename that was refused, because Windows refuses to replace what is being read.
   */
  function readOn() {
    const seen = new Set<string>();
    const state = { isStopped: false, letsGo: false };
    const readOnce = async () => {
      const content = await readContent(path);
      seen.add(content.kind === 'text' ? content.text : content.kind);
    };
    let reading = Promise.resolve();
    const running = (async () => {
      while (!state.isStopped) await (state.letsGo ? nextTurn() : (reading = readOnce()));
    })();
    const renameOnce: typeof rename = async (from, to) => {
      await rename(from, to);
      state.letsGo = false;
    };
    const untilLetGo = () => {
      state.letsGo = true;
      return reading;
    };
    const stop = async () => {
      state.isStopped = true;
      await running;
      return seen;
    };
    return { disk: { writeFile, link, rename: patientRename(renameOnce, untilLetGo) }, stop };
  }

  it('lets a reader see the old or the new content, whole, at every moment', async () => {
    const contents = Array.from({ length: 30 }, (_, index) => `${index} `.repeat(5000));
    const reader = readOn();
    for (const content of contents) await replace(content, await readSignature(path), reader.disk);
    const seen = await reader.stop();
    expect([...seen].filter((text) => text !== 'old' && !contents.includes(text))).toEqual([]);
  });
});

/** Refuses the first renames with these codes. */
function bench(...codes: readonly string[]) {
  const left = [...codes];
  const done: string[] = [];
  const waitsMs: number[] = [];
  const rename = patientRename(
    (from, to) => {
      const code = left.shift();
      if (code !== undefined) return Promise.reject(Object.assign(new Error(code), { code }));
      done.push(`${String(from)} → ${String(to)}`);
      return Promise.resolve();
    },
    (waitMs) => Promise.resolve(waitsMs.push(waitMs)),
  );
  return { rename, done, waitsMs };
}

describe('patientRename', () => {
  it('replaces at once what nobody holds', async () => {
    const { rename, done, waitsMs } = bench();
    await rename('a', 'b');
    expect({ done, waitsMs }).toEqual({ done: ['a → b'], waitsMs: [] });
  });

  it('waits longer each time while another program holds the file', async () => {
    const { rename, done, waitsMs } = bench('EPERM', 'EBUSY', 'EACCES');
    await rename('a', 'b');
    expect({ done, waitsMs }).toEqual({ done: ['a → b'], waitsMs: [10, 20, 50] });
  });

  it('says what refused it where the file is never let go', async () => {
    const { rename, done } = bench(...Array<string>(20).fill('EPERM'));
    await expect(rename('a', 'b')).rejects.toMatchObject({ code: 'EPERM' });
    expect(done).toEqual([]);
  });

  it('fails at once for every other reason', async () => {
    const { rename, waitsMs } = bench('ENOENT');
    await expect(rename('a', 'b')).rejects.toMatchObject({ code: 'ENOENT' });
    expect(waitsMs).toEqual([]);
  });
});
