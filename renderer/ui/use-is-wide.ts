import { useSyncExternalStore } from 'react';

/** Width from which the list and the page of a server fit side by side. */
const WIDE = '(min-width: 1600px)';

/** Whether the app window is wide enough for the list beside the page. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => false,
  );

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
