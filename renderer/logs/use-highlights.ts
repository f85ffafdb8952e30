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
    const nodes = textNodesIn(element);
    const id = Number(element.closest('[data-line]')?.getAttribute('data-line'));
    return matcher.spans(nodes.map(({ data }) => data).join('')).flatMap(([from, to]) => {
      const start = placeIn(nodes, from, false);
      const end = placeIn(nodes, to, true);
      if (start === undefined || end === undefined) return [];
      const [startContainer, startOffset, endContainer, endOffset] = [...start, ...end];
      // Static ranges are marked, because the browser looks after live ones at every change of the page.
      return { id, range: new StaticRange({ startContainer, startOffset, endContainer, endOffset }) };
    });
  });
}

/** Texts of a line, of which there are several where it has colours. */
function textNodesIn(element: Element): Text[] {
  return [...element.childNodes].flatMap((node) => {
    const text = node instanceof Text ? node : node.firstChild;
    return text instanceof Text ? text : [];
  });
}

/** The node of an offset in the whole text, and the offset in it. Between two nodes an end belongs to the first one. */
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
