/** File name with characters that every file system allows: `diagnostics-memory-2026-01-31-09-05.md`. */
export function fileNameOf(at: number, server: string | undefined): string {
  const moment = new Date(at).toISOString().slice(0, 16).replaceAll(/[T:]/g, '-');
  return `diagnostics-${server === undefined ? '' : `${server}-`}${moment}.md`;
}
