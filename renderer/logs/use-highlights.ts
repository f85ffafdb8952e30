import { useEffect, useLayoutEffect, type RefObject } from 'react';
import './highlights.css';
import type { LineMatcher } from './line-query.ts';
import type { LogRow } from './log-rows.ts';

const HIT = 'log-hit';
const CURRENT = 'log-current-hit';

/** Hits to mark; rows and what is open of them say when other text came into the page. */
interface Marked {
  readonly matcher: LineMatcher | undefined;
  readonly currentId: number | undefined;
  readonly rows: readonly LogRow[];
  readonly open: ReadonlySet<number>;
}

/**
 * Marks what matches in the lines that are in the page, without touching them, so that a selection of text
 * lives on while a search is typed.
 */
export function useHighlights(
  scroller: RefObject<HTMLElement | null>,
  { matcher, currentId, rows, open }: Marked,
): void {
  const ids = rows.map(({ id }) => id).join(' ');
  // Only when there is something else to mark, because the browser paints every hit anew each time.
  useLayoutEffect(() => {
    if (typeof Highlight === 'undefined') return;
    const hits = matcher === undefined || scroller.current === null ? [] : hitsIn(scroller.current, matcher);
    const isCurrent = ({ id }: Hit) => id === currentId;
    CSS.highlights.set(HIT, new Highlight(...hits.map(({ range }) => range)));
    const current = new Highlight(...hits.filter(isCurrent).map(({ range }) => range));
    current.priority = 1;
    CSS.highlights.set(CURRENT, current);
  }, [scroller, matcher, currentId, ids, open]);
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
  readonly range: StaticRange;
}

function hitsIn(log: HTMLElement, matcher: LineMatcher): Hit[] {
  return [...log.querySelectorAll('[data-text]')].flatMap((element) => {
    const node = element.firstChild;
    if (!(node instanceof Text)) return [];
    const id = Number(element.closest('[data-line]')?.getAttribute('data-line'));
    // Static ranges are marked, because the browser looks after live ones at every change of the page.
    return matcher.spans(node.data).map(([startOffset, endOffset]) => ({
      id,
      range: new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }),
    }));
  });
}
