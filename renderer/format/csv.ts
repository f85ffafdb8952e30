/** Digits behind the point that say more than noise. */
const DECIMALS = 3;

/** Rows of cells as CSV by RFC 4180. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

/** A figure as it was measured, not as it is best read; empty where it was not. */
export const csvNumber = (figure: number | null | undefined): string =>
  figure == null ? '' : String(Number(figure.toFixed(DECIMALS)));

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
