import { useCallback, useState } from 'react';

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Returns the current size of an element, updated when it changes. @param expected size before the first layout; if it is
 * correct, nothing is rendered twice @returns the size, and the ref of the element
 */
export function useSize(
  expected: () => Size,
): readonly [Size, (element: HTMLElement | null) => (() => void) | undefined] {
  const [size, setSize] = useState(expected);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const take = () => {
      const { clientWidth: widthPx, clientHeight: heightPx } = element;
      setSize((before) =>
        before.widthPx === widthPx && before.heightPx === heightPx ? before : { widthPx, heightPx },
      );
    };
    take();
    const observer = new ResizeObserver(take);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [size, ref];
}
