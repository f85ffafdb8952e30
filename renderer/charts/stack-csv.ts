import { csvNumber, csvText } from '../format/csv.ts';
import type { StackTable, TableColumn } from './stack-table.ts';

/** A table as CSV by RFC 4180: times by ISO 8601 in UTC, a column for each figure with its unit, empty where nothing was measured. */
export function stackCsv({ times, columns }: StackTable): string {
  const head = ['time', ...columns.flatMap(headsOf)];
  const lines = times.map((time, index) => [
    new Date(time).toISOString(),
    ...columns.flatMap((column) => cellsOf(column, index)),
  ]);
  return csvText([head, ...lines]);
}

function headsOf({ figure, parts }: TableColumn): readonly string[] {
  const unit = `(${figure.unit})`;
  if (parts === undefined) return [`${figure.title} ${unit}`];
  return [parts.average, ...(parts.least === undefined ? [] : [parts.least]), parts.most].map(
    (part) => `${figure.title} ${part} ${unit}`,
  );
}

function cellsOf({ parts, rows }: TableColumn, index: number): readonly string[] {
  const row = rows[index];
  const average = csvNumber(row?.average);
  if (parts === undefined) return [average];
  const least = parts.least === undefined ? [] : [csvNumber(row?.least)];
  return [average, ...least, csvNumber(row?.most)];
}
