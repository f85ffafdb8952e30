import type { SessionsView } from '../../shared/domain.ts';
import { formatAgo, formatDuration } from '../format/durations.ts';
import { useAsk, useNow, useServer, useServices } from '../services.ts';
import { TextButton } from '../ui/text-button.tsx';
import { useLeaseHolder } from './session-clients.tsx';
import { costWords, secondClientWords, turnWords } from './sharing-words.ts';
import styles from './sessions.module.css';

interface SharingAdviceProps {
  readonly name: string;
  readonly view: SessionsView;
}

/** Observed behaviour of a server that matters for sharing it, the cost of a process per client, and the setting. */
export function SharingAdvice({ name, view }: SharingAdviceProps) {
  const memoryBytes = useServer(name)?.sample?.memoryBytes;
  const { sharing, givenUp = [] } = view;
  const isChosen = sharing.setting !== 'auto' || sharing.mode === 'exclusive';
  const second = isChosen ? undefined : secondClientWords(sharing);
  const words = [turnWords(sharing), second].filter((one) => one !== undefined);
  if (words.length === 0 && givenUp.length === 0) return null;
  return (
    <section className={styles.advice} aria-label="Advice on sharing">
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {words.length > 0 && sharing.mode === 'shared' && (
        <p>
          <span className={styles.dim}>{costWords(view, memoryBytes)}</span>{' '}
          {second !== undefined && <Choose name={name} mode="shared" label="Share one process" />}{' '}
          <Choose name={name} mode="exclusive" label="Give each client a process" />
        </p>
      )}
      {givenUp.map((lost) => (
        <GivenUp key={`${lost.contextId} ${lost.at}`} {...lost} />
      ))}
    </section>
  );
}

interface ChooseProps {
  readonly name: string;
  readonly mode: 'shared' | 'exclusive';
  readonly label: string;
}

function Choose({ name, mode, label }: ChooseProps) {
  const { asks, api, sessions } = useServices();
  const key = `sharing ${name}`;
  const status = useAsk(key);
  const choose = () => void asks.run(key, () => api.setSharing(name, mode)).then(() => sessions.refresh());
  return (
    <TextButton isBusy={status?.phase === 'pending'} onClick={choose}>
      {label}
    </TextButton>
  );
}

function GivenUp({ contextId, at, idleMs }: NonNullable<SessionsView['givenUp']>[number]) {
  const holder = useLeaseHolder(contextId);
  const ago = useNow((now) => formatAgo(now - at));
  return (
    <p className={styles.dim}>
      {ago} the process of {holder} was given to another client, after {formatDuration(idleMs)} without a
      call. What it held in memory is lost; {holder} gets a new one at its next call.
    </p>
  );
}
