import { describe, expect, it } from 'vitest';
import { patientRename } from '../../../electron/core/files/write-atomically.ts';

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
