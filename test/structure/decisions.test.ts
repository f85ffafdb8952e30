import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../../docs/decisions');
const files = readdirSync(folder).toSorted();

it.each(files)('the decision %s has its number, its status and a date', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const [title = '', , status = ''] = text.split('\n');
  expect(title).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S`));
  expect(status).toMatch(/^\*\*Status\.\*\* (Accepted|Superseded).* \d{4}-\d\d-\d\d/);
});

it('no two decisions have one number', () => {
  expect(files.length).toBeGreaterThan(0);
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
});
