import { useEffect, useState } from 'react';
import type { UpdateState, UpdateStep } from '../../shared/updates.ts';
import { TextButton } from '../ui/text-button.tsx';
import { useServices } from '../services.ts';
import { updateWords } from './update-words.ts';
import { useTask } from '../use-task.ts';
import styles from './updates-field.module.css';

/** Field with the state of updates, and the next step. */
export function UpdatesField() {
  const { api } = useServices();
  const [state, setState] = useState<UpdateState>();
  const { status, run } = useTask<void>();
  useEffect(() => {
    api.getUpdateState().then(setState, () => setState({ kind: 'off' }));
  }, [api]);

  const take = (step: UpdateStep) => run(() => api.takeUpdateStep(step).then(setState));
  if (state === undefined) return null;
  const { text, button } = updateWords(state);
  const isBusy = status?.phase === 'pending';
  return (
    <div className={styles.line}>
      <span className={styles.words} role="status">
        {status?.phase === 'failed' ? status.error.message : text}
      </span>
      {button !== undefined && (
        <TextButton isBusy={isBusy} onClick={() => void take(button.step)}>
          {isBusy ? button.busyLabel : button.label}
        </TextButton>
      )}
    </div>
  );
}
