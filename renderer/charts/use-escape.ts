import { useEffect } from 'react';

/** Charts whose Escape is theirs even while something in them has the focus. */
const CHARTS_ATTRIBUTE = 'data-charts';

/**
 * Acts on Escape while `isActive`, before it leaves the view. Whatever has the focus elsewhere keeps its own
 * Escape.
 */
export function useEscape(isActive: boolean, act: () => void): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      const isOurs =
        target === document.body ||
        (target instanceof Element && target.closest(`[${CHARTS_ATTRIBUTE}]`) !== null);
      if (event.key !== 'Escape' || !isOurs || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      act();
    };
    // Capturing comes before the shortcuts of the window, which pass over a key that was taken.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [isActive, act]);
}
