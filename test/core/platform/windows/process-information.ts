/** Address at which the buffer of a test lies. */
export const BASE = 0x7ff0_0000_0000n;

export interface FakeEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  readonly createTime: bigint;
  readonly userTime?: bigint;
  readonly kernelTime?: bigint;
  readonly handles?: number;
  readonly workingSet?: bigint;
  readonly privateWorkingSet?: bigint;
  readonly pagefileUsage?: bigint;
  readonly writtenBytes?: bigint;
  readonly threads?: number;
}

const HEADER_BYTES = 256;
const THREAD_BYTES = 80;

/** What NtQuerySystemInformation writes: an entry, its threads, its name, the next entry. */
export function processInformation(entries: readonly FakeEntry[]): Buffer {
  let start = 0;
  const parts = entries.map((entry, index) => {
    const bytes = toBytes(entry, start, index === entries.length - 1);
    start += bytes.length;
    return bytes;
  });
  return Buffer.concat(parts);
}

function toBytes(entry: FakeEntry, start: number, isLast: boolean): Buffer {
  const name = Buffer.from(entry.name, 'utf16le');
  const nameOffset = HEADER_BYTES + (entry.threads ?? 1) * THREAD_BYTES;
  const bytes = Buffer.alloc(nameOffset + Math.ceil((name.length + 2) / 8) * 8);
  name.copy(bytes, nameOffset);
  bytes.writeUInt32LE(isLast ? 0 : bytes.length, 0);
  bytes.writeUInt32LE(entry.threads ?? 1, 4);
  bytes.writeUInt16LE(name.length, 56);
  bytes.writeUInt32LE(entry.handles ?? 0, 96);
  const wide: readonly (readonly [number, bigint | undefined])[] = [
    [8, entry.privateWorkingSet],
    [32, entry.createTime],
    [40, entry.userTime],
    [48, entry.kernelTime],
    [64, name.length === 0 ? 0n : BASE + BigInt(start + nameOffset)],
    [80, BigInt(entry.pid)],
    [88, BigInt(entry.parentPid)],
    [144, entry.workingSet],
    [184, entry.pagefileUsage],
    [240, entry.writtenBytes],
  ];
  for (const [offset, value] of wide) bytes.writeBigUInt64LE(value ?? 0n, offset);
  return bytes;
}
