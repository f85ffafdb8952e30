import { useEffect, useMemo, useState } from 'react';
import { keepOrder } from '../format/list-order.ts';
import { orderNow, watchOrder } from '../store/server-order.ts';
import { usePanel, useServices, useView } from '../services.ts';

/** Names in the order shown: in order of name at once, in any other order as `watchOrder` allows changes. */
export function useServerOrder(): readonly string[] {
  const services = useServices();
  const names = usePanel((state) => state.names);
  const isByName = useView(({ sortBy }) => sortBy === 'name');
  const isDescending = useView((state) => state.isDescending);
  const [order, setOrder] = useState(() => orderNow(services));
  useEffect(() => watchOrder(services, isListInUse, setOrder), [services]);
  return useMemo(() => {
    if (isByName) return isDescending ? names.toReversed() : names;
    return keepOrder(order, names);
  }, [isByName, isDescending, order, names]);
}

const isListInUse = (): boolean =>
  document.querySelector('[data-server-list]')?.matches(':hover, :focus-within') === true;
