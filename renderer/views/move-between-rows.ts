import type { KeyboardEvent } from 'react';

/** Moves the focus with arrow keys within a column: from one Stop button to the next, across groups. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const focused = event.target instanceof HTMLElement ? event.target : undefined;
  const row = focused?.closest<HTMLElement>('[data-server]');
  if (row === null || row === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"][data-server]')];
  const next = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  const control = focused?.dataset['control'];
  const same =
    control === undefined ? null : next.querySelector<HTMLButtonElement>(`[data-control="${control}"]`);
  const target = same?.disabled === false ? same : next.querySelector<HTMLElement>('[data-home]');
  event.preventDefault();
  target?.focus();
}
