import { useEffect } from 'react';
import { useServices } from '../services.ts';

/** What has a menu of its own, or that of text. */
const OTHERS = 'input, textarea, select, a[href], [contenteditable="true"]';
const ROWS = 'tr, [role="row"], li, dt, dd, code, pre';
/** Parts of a row that are copied apart, with tabs between them. */
const CELLS = ':scope > :is(th, td, [role="cell"], span, time)';
/** A longer text is not one row, but a list within it. */
const LONGEST = 20_000;

/** Text of the row or value at an element, its cells apart; undefined where there is none to copy. */
export function rowTextAt(target: Element): string | undefined {
  if (target.closest(OTHERS) !== null) return undefined;
  const row = target.closest<HTMLElement>(ROWS);
  if (row === null) return undefined;
  const cells = [...row.querySelectorAll<HTMLElement>(CELLS)];
  const text = (cells.length === 0 ? [row] : cells)
    .map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim())
    .filter((words) => words !== '')
    .join('\t');
  return text === '' || text.length > LONGEST ? undefined : text;
}

/** Shows the menu of the system at a right click on a row or a value. Fields and selected text have theirs without the page. */
export function useRowMenu(): void {
  const { api } = useServices();
  useEffect(() => {
    const open = (event: MouseEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      const text = rowTextAt(event.target);
      if (text === undefined) return;
      event.preventDefault();
      const hasSelection = (document.getSelection()?.toString() ?? '') !== '';
      void api.showRowMenu({ text, hasSelection }).catch(() => undefined);
    };
    document.addEventListener('contextmenu', open);
    return () => document.removeEventListener('contextmenu', open);
  }, [api]);
}
