const END = 0x06054b50;
const ENTRY = 0x02014b50;
/** Size in bytes of the end record, which is at the end of a ZIP file, and of the longest comment that may follow it. */
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Maximum bytes of a directory or a manifest that is read; in bundles, each has only a few kB. */
const LONGEST_BYTES = 1_048_576;

/** Returns the text of `manifest.json` in a bundle (.mcpb), a ZIP file with an MCP server; undefined if missing or unreadable. */
export async function manifestOf(bundle: Blob): Promise<string | undefined> {
  const tail = await viewOf(bundle, Math.max(0, bundle.size - END_BYTES - LONGEST_COMMENT), bundle.size);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) return undefined;
  const [bytes, from] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (bytes > LONGEST_BYTES) return undefined;
  const entry = findEntry(await viewOf(bundle, from, from + bytes));
  if (entry === undefined || entry.bytes > LONGEST_BYTES) return undefined;
  const header = await viewOf(bundle, entry.at, entry.at + HEADER_BYTES);
  if (header.byteLength < HEADER_BYTES) return undefined;
  const start = entry.at + HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  const content = bundle.slice(start, start + entry.bytes);
  if (entry.method === STORED) return content.text();
  return entry.method === DEFLATED ? inflated(content) : undefined;
}

const viewOf = async (bundle: Blob, from: number, to: number) =>
  new DataView(await bundle.slice(from, to).arrayBuffer());

function findEntry(directory: DataView) {
  let at = 0;
  while (at + ENTRY_BYTES <= directory.byteLength && directory.getUint32(at, true) === ENTRY) {
    const u16 = (offset: number) => directory.getUint16(at + offset, true);
    const u32 = (offset: number) => directory.getUint32(at + offset, true);
    const nameBytes = Math.min(u16(28), directory.byteLength - at - ENTRY_BYTES);
    const name = new Uint8Array(directory.buffer, at + ENTRY_BYTES, nameBytes);
    if (new TextDecoder().decode(name) === 'manifest.json')
      return { method: u16(10), bytes: u32(20), at: u32(42) };
    at += ENTRY_BYTES + u16(28) + u16(30) + u16(32);
  }
  return undefined;
}

/** Decompresses a text; undefined if it is broken, or longer than the maximum for a manifest. */
async function inflated(content: Blob): Promise<string | undefined> {
  const stream: ReadableStream<Uint8Array<ArrayBuffer>> = content
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    for (let bytes = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return await new Blob(parts).text();
      bytes += value.byteLength;
      if (bytes > LONGEST_BYTES) break;
      parts.push(value);
    }
    await reader.cancel();
  } catch {
    // The compressed data is broken, so there is no manifest to read.
  }
  return undefined;
}
