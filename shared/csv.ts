/** Formats rows of cells as CSV (RFC 4180). */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Signs with which a spreadsheet begins a formula; behind an apostrophe they are text. */
const FORMULA = new Set(['=', '+', '-', '@', '\t', '\r']);

/** Text of a cell. A foreign text that would be a formula is kept as text. */
export function csvCell(value: string | number | undefined): string {
  const text = String(value ?? '');
  return typeof value === 'string' && FORMULA.has(text.charAt(0)) ? `'${text}` : text;
}
