/** Formats rows of cells as CSV (RFC 4180). */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Characters that begin a spreadsheet formula. An apostrophe in front of one makes a spreadsheet read the cell as text. */
const FORMULA = new Set(['=', '+', '-', '@', '\t', '\r']);

/** Returns the text of a cell. An apostrophe in front keeps a spreadsheet from running outside text as a formula. */
export function csvCell(value: string | number | undefined): string {
  const text = String(value ?? '');
  return typeof value === 'string' && FORMULA.has(text.charAt(0)) ? `'${text}` : text;
}
