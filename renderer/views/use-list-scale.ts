import { useMemo } from 'react';
import { listScale, type ListScale } from '../charts/list-scale.ts';
import { SPARK_SPAN_MS, SPARK_STEP_MS } from '../charts/sparkline-path.ts';
import { useNow, useServices } from '../services.ts';

/** Common scale of all rows. It is recomputed at each step of their curves, because they are then redrawn anyway. */
export function useListScale(): ListScale {
  const { history, panel } = useServices();
  const endAt = useNow((now) => Math.floor(now / SPARK_STEP_MS) * SPARK_STEP_MS);
  return useMemo(
    () =>
      listScale(
        [...panel.getState().servers.values()],
        (name) => history.since(name, endAt - SPARK_SPAN_MS),
        endAt,
      ),
    [history, panel, endAt],
  );
}
