import { describe, expect, it } from 'vitest';
import { createDeferred, type Deferred } from '../../../electron/core/deferred.ts';
import { LineWriter } from '../../../electron/core/journal/line-writer.ts';
import { createFakeClock } from '../fake-clock.ts';

function createWriter(writeSync?: (text: string) => void) {
  const clock = createFakeClock();
  const texts: string[] = [];
  const failures: unknown[] = [];
  const disk: { error?: Error | undefined; gate?: Deferred<void> | undefined } = {};
  const writer = new LineWriter({
    clock,
    write: async (text) => {
      await disk.gate?.promise;
      if (disk.error) throw disk.error;
      texts.push(text);
    },
    ...(writeSync && { writeSync }),
    lossLine: (lines) => `lost ${lines}`,
    onFailure: (error) => failures.push(error),
  });
  return { clock, writer, texts, failures, disk };
}

describe('LineWriter', () => {
  it('writes what came within a tick together', async () => {
    const { clock, writer, texts } = createWriter();
    writer.add('one');
    writer.add('two');
    await clock.advance(99);
    expect(texts).toEqual([]);
    await clock.advance(1);
    expect(texts).toEqual(['one\ntwo\n']);
    expect(clock.pending).toBe(0);
  });

  it('keeps bounded memory before a slow disk, and says how much was lost', async () => {
    const { clock, writer, texts, disk } = createWriter();
    disk.gate = createDeferred<void>();
    writer.add('first');
    await clock.advance(100);
    const line = 'x'.repeat(1023);
    for (let index = 0; index < 1000; index += 1) writer.add(line);
    disk.gate.resolve();
    await clock.advance(100);
    const lines = texts[1]!.trimEnd().split('\n');
    expect(lines).toHaveLength(257);
    expect(lines.at(-1)).toBe('lost 744');
  });

  it('reports a failing disk once, loses what it could not write, and counts it in when it can again', async () => {
    const { clock, writer, texts, failures, disk } = createWriter();
    disk.error = new Error('ENOSPC');
    for (const line of ['one', 'two', 'three']) {
      writer.add(line);
      await clock.advance(100);
    }
    expect(failures).toEqual([disk.error]);
    expect(clock.pending).toBe(0);
    disk.error = undefined;
    writer.add('four');
    await clock.advance(100);
    expect(texts).toEqual(['four\nlost 3\n']);
    disk.error = new Error('EIO');
    writer.add('five');
    await clock.advance(100);
    expect(failures).toHaveLength(2);
  });

  it('writes everything before it ends, and takes nothing afterwards', async () => {
    const { clock, writer, texts, disk } = createWriter();
    disk.gate = createDeferred<void>();
    writer.add('one');
    await clock.advance(100);
    writer.add('two');
    const ended = Promise.all([writer.dispose(), writer.dispose()]);
    disk.gate.resolve();
    await ended;
    writer.add('three');
    expect(texts).toEqual(['one\n', 'two\n']);
    expect(clock.pending).toBe(0);
  });

  it('ends although the disk hangs', async () => {
    const { clock, writer, disk } = createWriter();
    disk.gate = createDeferred<void>();
    writer.add('one');
    let hasEnded = false;
    void writer.dispose().then(() => (hasEnded = true));
    await clock.advance(1999);
    expect(hasEnded).toBe(false);
    await clock.advance(1);
    await clock.advance(0);
    expect(hasEnded).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('writes what waits at once when told to, and each line once', async () => {
    const atOnce: string[] = [];
    const { clock, writer, texts } = createWriter((text) => atOnce.push(text));
    writer.add('one');
    writer.add('two');
    writer.flushSync();
    writer.flushSync();
    await clock.advance(1000);
    await writer.dispose();
    expect([atOnce, texts]).toEqual([['one\ntwo\n'], []]);
  });

  it('writes in the usual way what could not be written at once', async () => {
    const { clock, writer, texts, failures } = createWriter(() => {
      throw new Error('EBUSY');
    });
    writer.add('one');
    writer.flushSync();
    await clock.advance(100);
    expect([texts, failures]).toEqual([['one\n'], []]);
  });
});
