import { useEffect, useState } from 'react';
import type { SystemState } from '../../shared/system-state.ts';
import { useServices } from '../services.ts';

/**
 * What the system allows the app; undefined until it is known. Asked again when `reason` changes, and when the window comes
 * to the front, because a person may have been in the system's settings meanwhile.
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
