/** Formats rows of cells as CSV (RFC 4180). */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Characters with which a spreadsheet formula begins. A spreadsheet reads a cell as text if an apostrophe precedes such a
 * character.
 */
const FORMULA = new Set(['=', '+', '-', '@', '\t', '\r']);

/**
 * Returns the text of a cell. A text that a spreadsheet would run as a formula gets an apostrophe in front, because texts come
 * from outside.
 */
export function csvCell(value: string | number | undefined): string {
  const text = String(value ?? '');
  return typeof value === 'string' && FORMULA.has(text.charAt(0)) ? `'${text}` : text;
}
