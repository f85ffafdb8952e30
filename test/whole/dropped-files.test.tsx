import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manifestOf } from '../../renderer/import/bundle-manifest.ts';
import { textOfFile } from '../../renderer/import/use-dropped-files.ts';

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]) =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

/** A ZIP file with these files, as a packer of bundles writes it. */
function zip(files: Readonly<Record<string, string>>, { isStored = false, comment = '' } = {}): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = isStored ? Buffer.from(text) : deflateRawSync(text);
    const method = isStored ? 0 : 8;
    const sizes = [
      [4, 0],
      [4, content.length],
      [4, text.length],
      [2, name.length],
    ] as const;
    const common = [[2, 20], [2, 0], [2, method], [4, 0], ...sizes] as const;
    const body = Buffer.concat([
      numbers([4, 0x04034b50], ...common, [2, 3]),
      Buffer.from(`${name}xxx`),
      content,
    ]);
    const tail = [
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, at],
    ] as const;
    entries.push(Buffer.concat([numbers([4, 0x02014b50], [2, 20], ...common, ...tail), Buffer.from(name)]));
    bodies.push(body);
    at += body.length;
  }
  const directory = Buffer.concat(entries);
  const end = [
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, directory.length],
    [4, at],
  ] as const;
  const last = numbers([4, 0x06054b50], ...end, [2, comment.length]);
  return Buffer.concat([...bodies, directory, last, Buffer.from(comment)]);
}

const file = (name: string, content: Buffer | string) =>
  new File([new Uint8Array(Buffer.from(content))], name);

describe('a dropped file', () => {
  it('is read as text where it is a configuration', async () => {
    expect(await textOfFile(file('Servers.JSON', '{}'))).toBe('{}');
    expect(await textOfFile(file('config.toml', '[mcp]'))).toBe('[mcp]');
    expect(await textOfFile(file('photo.png', 'x'))).toBeUndefined();
    expect(await textOfFile(file('huge.json', 'x'.repeat(1_048_577)))).toBeUndefined();
  });

  it.each([{}, { isStored: true }, { comment: 'made by a packer' }])(
    'is the manifest where it is a bundle: %o',
    async (how) => {
      const bundle = zip({ 'server/index.js': 'run()', 'manifest.json': '{"name":"a"}' }, how);
      expect(await textOfFile(file('a.mcpb', bundle))).toBe('{"name":"a"}');
    },
  );

  it('is none where the bundle is broken, has no manifest, or one without end', async () => {
    expect(await textOfFile(file('a.mcpb', 'not a zip'))).toBeUndefined();
    expect(await textOfFile(file('a.mcpb', zip({ 'server/manifest.json': '{}' })))).toBeUndefined();
    expect(await textOfFile(file('a.mcpb', zip({ 'manifest.json': 'x'.repeat(1_500_000) })))).toBeUndefined();
    const whole = zip({ 'manifest.json': '{"name":"a"}' });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (place, byte) => {
        const broken = Buffer.from(whole);
        broken[place] = byte;
        const read = await manifestOf(new Blob([broken])).catch(() => undefined);
        expect(['string', 'undefined']).toContain(typeof read);
      }),
    );
  });
});
