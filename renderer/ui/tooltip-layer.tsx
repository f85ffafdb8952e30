import { useEffect, useState } from 'react';

/**
 * DOM event that shows the tooltip of an element with `data-tip`. It is sent by drawings that track the pointer and the
 * keyboard themselves, when either reaches another element of the drawing.
 */
export const SHOW_TIP = 'show-tip';

interface Tip {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly isBelow: boolean;
}

const MAX_WIDTH_PX = 330;
/** Estimated width of a character, rounded up, because the width of the tooltip is unknown before it is drawn. */
const CHARACTER_PX = 7;
const PADDING_PX = 24;
const GAP_PX = 6;
const TIP =
  'fixed z-100 max-w-330 px-8 py-4 rounded-md bg-text text-ground [box-shadow:var(--shadow-pop)] pointer-events-none ' +
  'text-12/16 wrap-anywhere whitespace-pre-wrap -translate-x-1/2 animate-tip';

/**
 * Shows one tooltip at a time for the whole app window, because a tooltip component per button would mean three hundred of them
 * in a list of a hundred servers. Elements with `data-tip` show the tooltip on hover and on keyboard focus. Elements that also
 * have `data-tip-if-cut` show it only if their text is cut by an ellipsis.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>();

  useEffect(() => {
    const enter = (event: Event) => setTip(tipFor(event));
    const leave = () => setTip(undefined);
    const leaveByKey = (event: KeyboardEvent) => event.key === 'Escape' && leave();
    const listening = new AbortController();
    const { signal } = listening;
    for (const kind of ['pointerover', 'focusin', SHOW_TIP])
      document.addEventListener(kind, enter, { signal });
    for (const kind of ['pointerdown', 'focusout']) document.addEventListener(kind, leave, { signal });
    document.addEventListener('scroll', leave, { capture: true, signal });
    document.addEventListener('keydown', leaveByKey, { signal });
    return () => listening.abort();
  }, []);

  if (tip === undefined) return null;
  return (
    <div
      // A new key restarts the fade when the text changes.
      key={`${tip.text}@${tip.x}`}
      className={`${TIP} ${tip.isBelow ? '' : '-translate-y-full'}`}
      style={{ left: tip.x, top: tip.y }}
      aria-hidden="true"
    >
      {tip.text}
    </div>
  );
}

function tipFor(event: Event): Tip | undefined {
  const holder = event.target instanceof Element ? event.target.closest('[data-tip]') : null;
  const text = holder?.getAttribute('data-tip') ?? '';
  if (holder === null || text === '') return undefined;
  if (event.type === 'focusin' && !holder.matches(':focus-visible')) return undefined;
  // A tooltip that only repeats a fully visible text is not shown.
  if (holder.hasAttribute('data-tip-if-cut') && holder.scrollWidth <= holder.clientWidth) return undefined;
  const box = holder.getBoundingClientRect();
  const reach = halfWidthOf(text);
  const isBelow = box.top < window.innerHeight / 2;
  return {
    text,
    x: Math.min(Math.max(box.left + box.width / 2, reach), window.innerWidth - reach),
    y: isBelow ? Math.min(box.bottom, box.top + 40) + GAP_PX : box.top - GAP_PX,
    isBelow,
  };
}

/** Half of a tooltip's estimated width in px, plus a gap. A tooltip centred closer to the window's edge would be cut off. */
function halfWidthOf(text: string): number {
  const longestLine = Math.max(...text.split('\n').map((line) => line.length));
  return Math.min(MAX_WIDTH_PX, longestLine * CHARACTER_PX + PADDING_PX) / 2 + GAP_PX;
}
