import { bytePages } from './byte-pages.ts';

/** The two code pages of a Windows: consoles and cmd.exe write in the one, programs without Unicode in the other. */
export interface CodePages {
  readonly console: number;
  readonly ansi: number;
}

/** What Western European and American systems have; wrong elsewhere, where readers see other letters, and no more. */
export const WESTERN: CodePages = { console: 850, ansi: 1252 };

/** What TextDecoder calls the code pages that it knows by another name than `windows-…`. */
const LABELS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
};

/** Text of bytes that are no UTF-8, in a code page; in the one of Western Europe where that code page is not known. */
export function decodeIn(codePage: number, bytes: Uint8Array): string {
  const decoder = bytePages[codePage] === undefined ? decoderOf(codePage) : undefined;
  if (decoder !== undefined) return decoder.decode(bytes);
  const upper = bytePages[codePage] ?? bytePages[WESTERN.ansi]!;
  return Array.from(bytes, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : upper.charAt(byte - 128),
  ).join('');
}

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(LABELS[codePage] ?? `windows-${codePage}`);
  } catch {
    return undefined; // A code page that nobody here knows.
  }
}
