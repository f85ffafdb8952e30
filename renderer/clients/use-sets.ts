import { useEffect } from 'react';
import type { ServerSet } from '../../shared/gateway.ts';
import { useServices } from '../services.ts';
import { useTask } from '../use-task.ts';

/** Sets of servers, read anew when `changes` is another number. */
export function useSets(changes = 0): readonly ServerSet[] {
  const { api } = useServices();
  const { status, run } = useTask<ServerSet[]>();
  useEffect(() => void run(() => api.getSets()), [api, run, changes]);
  return status?.phase === 'done' ? status.value : [];
}
