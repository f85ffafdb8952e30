import { useState } from 'react';

/** Items of a view that are ticked or opened, initially none, and the functions that change them. */
export function useToggles<T>() {
  const [on, setOn] = useState<ReadonlySet<T>>(new Set());
  const toggle = (one: T) => {
    const next = new Set(on);
    if (!next.delete(one)) next.add(one);
    setOn(next);
  };
  return { on, toggle, clear: () => setOn(new Set()) };
}
