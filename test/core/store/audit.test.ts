import { expect, it } from 'vitest';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { readAudit } from '../../../electron/core/store/file/audit.ts';
import type { AuditEntry } from '../../../electron/core/store/store-messages.ts';
import { batch, DAY_MS, openHistory, START, tidyForTwoDays } from './history-fixture.ts';

const call = (at: number, tool = 'echo'): AuditEntry => ({
  at,
  ...{ client: 'editor', server: 'one', tool, outcome: 'result', durationMs: 5 },
});
const all = (file: HistoryFile) => readAudit(file.db, { sinceMs: 0, limit: 1000 });

function kept(): HistoryFile {
  const file = openHistory();
  file.write(batch(START, { audit: [call(START, 'a'), call(START + 1, 'b')] }));
  file.write(batch(START + 1000, { audit: [call(START + 2, 'c')] }));
  return file;
}

it('the list of calls has the newest first, by time and by text', () => {
  const file = kept();
  expect(all(file)).toMatchObject({ isIntact: true, hasMore: false });
  expect(all(file).rows.map(({ tool }) => tool)).toEqual(['c', 'b', 'a']);
  expect(readAudit(file.db, { sinceMs: START + 2, limit: 10 }).rows).toHaveLength(1);
  expect(readAudit(file.db, { sinceMs: 0, limit: 2 })).toMatchObject({ hasMore: true });
  expect(readAudit(file.db, { sinceMs: 0, text: 'EDIT', limit: 10 }).rows).toHaveLength(3);
  expect(readAudit(file.db, { sinceMs: 0, text: '_', limit: 10 }).rows).toHaveLength(0);
  // Words of the form in which a row is kept are no part of it.
  expect(readAudit(file.db, { sinceMs: 0, text: 'tool', limit: 10 }).rows).toHaveLength(0);
});

it.each([
  ['taken out', "DELETE FROM audit WHERE json_extract(detail, '$.tool') = 'b'"],
  ['taken out at the end', 'DELETE FROM audit WHERE id = 3'],
  ['changed', `UPDATE audit SET detail = replace(detail, '"b"', '"x"')`],
  ['put back in time', 'UPDATE audit SET at = at - 1 WHERE id = 3'],
])('the list of calls says when a row was %s', (_how, sql) => {
  const file = kept();
  file.db.exec(sql);
  expect(all(file).isIntact).toBe(false);
});

it('calls go after ninety days, the oldest first, and the rest stays whole', () => {
  const file = kept();
  const at = START + 91 * DAY_MS;
  tidyForTwoDays(file, at, { audit: [call(at, 'd')] });
  expect(all(file)).toMatchObject({ rows: [{ tool: 'd' }], isIntact: true });
});
