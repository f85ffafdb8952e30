import { useEffect, useState } from 'react';
import type { SystemState } from '../../shared/system-state.ts';
import { useServices } from '../services.ts';

/**
 * Permissions that the operating system grants the app; undefined until they are known. Read again when `reason`
 * changes and when the window gets the focus, because the user may have changed them meanwhile.
 */
export function useSystemState(reason: unknown): SystemState | undefined {
  const { api } = useServices();
  const [state, setState] = useState<SystemState>();
  useEffect(() => {
    const ask = () => {
      api.getSystemState().then(setState, () => setState(undefined));
    };
    ask();
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [api, reason]);
  return state;
}
