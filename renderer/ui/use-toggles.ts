import { useState } from 'react';

/** Things of a view that are ticked or opened, none at first, and what changes them. */
export function useToggles<T>() {
  const [on, setOn] = useState<ReadonlySet<T>>(new Set());
  const toggle = (one: T) => {
    const next = new Set(on);
    if (!next.delete(one)) next.add(one);
    setOn(next);
  };
  return { on, toggle, clear: () => setOn(new Set()) };
}
