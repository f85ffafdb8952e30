import { bytePages } from './byte-pages.ts';

/** The two code pages of a Windows system: one for consoles and cmd.exe, one for programs without Unicode. */
export interface CodePages {
  readonly console: number;
  readonly ansi: number;
}

/** Code pages of Western European and American systems; elsewhere they only show wrong letters. */
export const WESTERN: CodePages = { console: 850, ansi: 1252 };

/** TextDecoder labels of code pages whose label is not `windows-…`. */
const LABELS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
};

/** Decodes bytes that are not UTF-8 in a code page; in the Western European one where it is unknown. */
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
    return undefined; // Unknown code page.
  }
}
