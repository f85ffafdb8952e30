import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { createNonce } from '../../../../electron/core/gateway/auth/tokens.ts';
import { openTombstones } from '../../../../electron/core/gateway/auth/tombstones.ts';
import type { Disk } from '../../../../electron/core/files/write-atomically.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let path: string;
let problems: string[];
beforeEach(() => {
  path = join(tempFolder('tombstones-'), 'gateway-ended');
  problems = [];
});

const open = (disk?: Disk) =>
  openTombstones({ path, onProblem: (message) => problems.push(message), ...(disk && { disk }) });
const nonces = (count: number) => Array.from({ length: count }, () => createNonce(randomBytes));

/** A disk that counts the files that were put in place, and holds each back until `gate` is open. */
function countingDisk(gate: Promise<void> = Promise.resolve()) {
  const written = { count: 0 };
  const disk: Disk = {
    writeFile,
    link,
    rename: async (...paths) => {
      await gate;
      written.count += 1;
      await rename(...paths);
    },
  };
  return { disk, written };
}

describe('tombstones', () => {
  it('of a thousand sessions that end at once are one write, and what comes during it is the next', async () => {
    const gate = createDeferred<void>();
    const { disk, written } = countingDisk(gate.promise);
    const stones = await open(disk);
    const [early, late] = [nonces(1000), nonces(1000)];
    const first = early.map((nonce) => stones.add(nonce));
    // The first write has begun, and has the early ones alone.
    await new Promise((resolve) => setImmediate(resolve));
    const second = late.map((nonce) => stones.add(nonce));
    gate.resolve();
    await Promise.all([...first, ...second]);
    expect(written.count).toBe(2);
    const later = await open();
    for (const nonce of [...early, ...late]) expect(later.has(nonce)).toBe(true);
  });

  it('that cannot be written hold all the same, are told once a write, and go out with the next', async () => {
    const fails = { now: true };
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const disk: Disk = {
      link,
      rename,
      writeFile: async (...args) => {
        if (fails.now) throw full;
        await writeFile(...args);
      },
    };
    const stones = await open(disk);
    const [one, two] = nonces(2);
    await stones.add(one!);
    expect([stones.has(one!), problems.length]).toEqual([true, 1]);
    fails.now = false;
    await stones.add(two!);
    const later = await open();
    expect([later.has(one!), later.has(two!), problems.length]).toEqual([true, true, 1]);
  });

  it('of a session that is ended twice are one', async () => {
    const stones = await open();
    const [one] = nonces(1);
    await Promise.all([stones.add(one!), stones.add(one!)]);
    await stones.add(one!);
    expect(readFileSync(path, 'utf8')).toBe(`${one}\n`);
  });
});
