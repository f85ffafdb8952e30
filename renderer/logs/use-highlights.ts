import { useEffect, useLayoutEffect, type RefObject } from 'react';
import './highlights.css';
import type { LineMatcher } from './line-query.ts';

const HIT = 'log-hit';
const CURRENT = 'log-current-hit';

/**
 * Marks what matches in the lines that are in the page, without touching them, so that a selection of text
 * lives on while a search is typed.
 */
export function useHighlights(
  scroller: RefObject<HTMLElement | null>,
  matcher: LineMatcher | undefined,
  currentId: number | undefined,
): void {
  // After every rendering, because scrolling brings other rows.
  useLayoutEffect(() => {
    if (typeof Highlight === 'undefined') return;
    const hits = matcher === undefined || scroller.current === null ? [] : hitsIn(scroller.current, matcher);
    const isCurrent = ({ id }: Hit) => id === currentId;
    CSS.highlights.set(HIT, new Highlight(...hits.map(({ range }) => range)));
    const current = new Highlight(...hits.filter(isCurrent).map(({ range }) => range));
    current.priority = 1;
    CSS.highlights.set(CURRENT, current);
  });
  useEffect(
    () => () => {
      if (typeof Highlight === 'undefined') return;
      CSS.highlights.delete(HIT);
      CSS.highlights.delete(CURRENT);
    },
    [],
  );
}

interface Hit {
  readonly id: number;
  readonly range: Range;
}

function hitsIn(log: HTMLElement, matcher: LineMatcher): Hit[] {
  return [...log.querySelectorAll('[data-text]')].flatMap((element) => {
    const node = element.firstChild;
    if (!(node instanceof Text)) return [];
    const id = Number(element.closest('[data-line]')?.getAttribute('data-line'));
    return matcher.spans(node.data).map(([start, end]) => {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, end);
      return { id, range };
    });
  });
}
