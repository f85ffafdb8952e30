import { useEffect, useLayoutEffect, type RefObject } from 'react';
import './highlights.css';
import type { LineMatcher } from '../../shared/line-query.ts';
import type { LogRow } from './log-rows.ts';

const HIT = 'log-hit';
const CURRENT = 'log-current-hit';

/** What to mark in a log. If `rows` or `open` changes, other text may be in the DOM, so the marks are set again. */
interface Marked {
  readonly matcher: LineMatcher | undefined;
  readonly currentId: number | undefined;
  readonly rows: readonly LogRow[];
  readonly open: ReadonlySet<number>;
}

/** Marks matches in the page's lines without changing its elements, so that a text selection survives typing a search. */
export function useHighlights(
  scroller: RefObject<HTMLElement | null>,
  { matcher, currentId, rows, open }: Marked,
): void {
  const ids = rows.map(({ id }) => id).join(' ');
  // Marks are set only if they changed, because the browser repaints every match each time they are set.
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
    const nodes = textNodesIn(element);
    const id = Number(element.closest('[data-line]')?.getAttribute('data-line'));
    return matcher.spans(nodes.map(({ data }) => data).join('')).flatMap(([from, to]) => {
      const start = placeIn(nodes, from, false);
      const end = placeIn(nodes, to, true);
      if (start === undefined || end === undefined) return [];
      const [startContainer, startOffset, endContainer, endOffset] = [...start, ...end];
      // Static ranges are used, because the browser updates live ones at every change of the page.
      return { id, range: new StaticRange({ startContainer, startOffset, endContainer, endOffset }) };
    });
  });
}

/** Returns the text nodes of a line; a line with colours has several. */
function textNodesIn(element: Element): Text[] {
  return [...element.childNodes].flatMap((node) => {
    const text = node instanceof Text ? node : node.firstChild;
    return text instanceof Text ? text : [];
  });
}

/**
 * Returns the text node that contains an offset in the whole text of a line, and the offset within that node. At the border of
 * two nodes, the end of a range belongs to the first node, and its start to the second.
 */
function placeIn(
  nodes: readonly Text[],
  offset: number,
  isEnd: boolean,
): readonly [Text, number] | undefined {
  let before = 0;
  for (const node of nodes) {
    const at = offset - before;
    if (at < node.length || (isEnd && at === node.length)) return [node, at];
    before += node.length;
  }
  return undefined;
}
