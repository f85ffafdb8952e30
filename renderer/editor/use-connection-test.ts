import { useEffect, useRef, useState } from 'react';
import type { ConnectionTest } from '../../shared/manage.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import type { ManageApi } from '../store/manage-api.ts';
import { withKey, type RawEntry } from '../entry/raw-entry.ts';

type TestState =
  | { readonly phase: 'none' }
  | { readonly phase: 'running'; readonly since: number }
  /** `tested` tells whether what is edited is still what was tested. */
  | { readonly phase: 'done'; readonly tested: RawEntry; readonly outcome: ConnectionTest }
  | { readonly phase: 'refused'; readonly error: ErrorReport };

export type ConnectionTesting = TestState & {
  readonly run: (entry: { readonly name: string } & RawEntry) => Promise<void>;
};

/** Tries a server aside, without touching the one that may run. */
export function useConnectionTest(api: ManageApi): ConnectionTesting {
  const [state, setState] = useState<TestState>({ phase: 'none' });
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const run = async (named: { readonly name: string } & RawEntry) => {
    setState({ phase: 'running', since: Date.now() });
    const tested = withKey(named, 'name', undefined);
    const next = await api.testConnection(named).then(
      (outcome): TestState => ({ phase: 'done', tested, outcome }),
      (reason: unknown): TestState => ({ phase: 'refused', error: toReport(reason) }),
    );
    if (!isGone.current) setState(next);
  };
  return { ...state, run };
}
