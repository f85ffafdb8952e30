import type { ProcessId } from '../../shared/processes.ts';
import { useServices } from '../services.ts';
import { Question } from '../ui/question.tsx';
import { endNow } from './end-process.ts';
import styles from './processes.module.css';

interface EndProcessDialogProps {
  readonly server: string;
  readonly process: ProcessId;
  readonly command: string;
  /** Whether the process is the root that the panel started, with which its server ends. */
  readonly isFirst: boolean;
}

/** Question before a process is ended, because its current work is lost. */
export function EndProcessDialog({ server, process, command, isFirst }: EndProcessDialogProps) {
  const services = useServices();
  const { manage } = services;
  const end = () => {
    manage.close();
    endNow(services, server, process);
  };
  return (
    <Question
      title={`End process ${process.pid}?`}
      no="Keep it"
      yes={`End process ${process.pid}`}
      onNo={() => manage.close()}
      onYes={end}
    >
      <code className={styles.asked}>{command}</code>
      <p>
        {isFirst
          ? `${server} ends with it, and is then restarted or not as after any crash.`
          : `It is a part of ${server}, which may fail without it. Processes that it started live on.`}{' '}
        It is asked to end, and ended by force when it does not.
      </p>
    </Question>
  );
}
