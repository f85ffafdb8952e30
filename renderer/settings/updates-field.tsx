import { useEffect, useState } from 'react';
import type { UpdateState, UpdateStep } from '../../shared/updates.ts';
import { TextButton } from '../ui/text-button.tsx';
import { toReport } from '../control-panel.ts';
import { useServices } from '../services.ts';
import { updateWords } from './update-words.ts';
import styles from './updates-field.module.css';

/** What is known of newer versions, and the next step. */
export function UpdatesField() {
  const { api } = useServices();
  const [state, setState] = useState<UpdateState>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    api.getUpdateState().then(setState, () => setState({ kind: 'off' }));
  }, [api]);

  const take = async (step: UpdateStep) => {
    setBusy(true);
    setFailure(undefined);
    await api.takeUpdateStep(step).then(setState, (reason: unknown) => setFailure(toReport(reason).message));
    setBusy(false);
  };
  if (state === undefined) return null;
  const { text, button } = updateWords(state);
  return (
    <div className={styles.line}>
      <span className={styles.words} role="status">
        {failure ?? text}
      </span>
      {button !== undefined && (
        <TextButton isBusy={isBusy} onClick={() => void take(button.step)}>
          {isBusy ? button.busyLabel : button.label}
        </TextButton>
      )}
    </div>
  );
}
