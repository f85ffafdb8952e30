import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableText } from '../../../../electron/core/platform/readable-spawner.ts';

function inCodePage850() {
  const asked: number[] = [];
  const text = readableText(() => Promise.resolve((asked.push(1), 850)));
  return { asked, text };
}

async function read(parts: readonly Buffer[]): Promise<{ text: string; asked: number }> {
  const { asked, text } = inCodePage850();
  for (const part of parts) text.write(part);
  text.end();
  return { text: (await buffer(text)).toString(), asked: asked.length };
}

/** cmd.exe of a German Windows, in code page 850. */
const GERMAN = Buffer.concat([
  Buffer.from('"x" ist falsch geschrieben oder f'),
  Buffer.of(0x81),
  Buffer.from('r\r\n'),
]);

describe('readableText', () => {
  it('reads what is no UTF-8 in the code page, line by line', async () => {
    const { text } = await read([Buffer.from('größer\n'), GERMAN, Buffer.from('schließlich\n')]);
    expect(text).toBe('größer\n"x" ist falsch geschrieben oder für\r\nschließlich\n');
  });

  it('asks for no code page while everything is UTF-8', async () => {
    expect(await read([Buffer.from('für immer\n日本\n')])).toEqual({ text: 'für immer\n日本\n', asked: 0 });
  });

  it('gives the same however the bytes are cut', async () => {
    const bytes = Buffer.concat([GERMAN, Buffer.from('grün\n日本 und so weiter\n'), GERMAN]);
    const whole = await read([bytes]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
        const ends = [...cuts, bytes.length].sort((one, other) => one - other);
        const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect((await read(parts)).text).toBe(whole.text);
      }),
    );
  });

  it('passes on at once what needs no more of its line', async () => {
    const { text } = inCodePage850();
    const firstOf = () =>
      new Promise<string>((resolve) => text.once('data', (part: Buffer) => resolve(part.toString())));
    const progress = firstOf();
    text.write('Downloading…');
    expect(await progress).toBe('Downloading…');
    text.end();
  });

  it('waits for no end of a line that has none', async () => {
    const endless = Buffer.alloc(40 * 1024, 0x81);
    const { text } = inCodePage850();
    const first = new Promise<string>((resolve) =>
      text.once('data', (part: Buffer) => resolve(part.toString())),
    );
    text.write(endless);
    expect((await first).startsWith('üü')).toBe(true);
    text.destroy();
  });
});
