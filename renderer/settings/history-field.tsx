import { useEffect, useState } from 'react';
import type { PastState } from '../../shared/history.ts';
import { historyWords } from '../format/history-words.ts';
import { Icon } from '../ui/icon.tsx';
import { useServices } from '../services.ts';
import styles from './history-field.module.css';

/** Location and size of the history; read again when the app window gets the focus. */
export function HistoryField() {
  const { api } = useServices();
  const [state, setState] = useState<PastState>();
  useEffect(() => {
    const ask = () => {
      api.getHistoryState().then(setState, () => setState(undefined));
    };
    ask();
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [api]);
  if (state === undefined) return <span className={styles.words}>Not known yet.</span>;
  return (
    <>
      <span className={styles.words}>{historyWords(state)}</span>
      {state.path !== undefined && <span className={styles.path}>{state.path}</span>}
      {state.problem !== undefined && (
        <p className={styles.problem} role="status">
          <Icon name="warning" size={14} />
          {state.problem}
        </p>
      )}
    </>
  );
}
