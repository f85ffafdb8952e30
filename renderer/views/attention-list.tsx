import { CopyButton } from '../components/copy-button.tsx';
import { StateShape } from '../components/state-shape.tsx';
import { errorAsText } from '../format/error-words.ts';
import { describeState, shorten } from '../format/state-words.ts';
import { serverHref } from '../store/route-store.ts';
import { useNow, useServer } from '../store/services.ts';
import styles from './attention-list.module.css';

/** What is wrong and what to do about it, pinned above the servers. One line each, so that it cannot grow under the pointer. */
export function AttentionList({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section className={styles.group} aria-label="Needs attention">
      <h2 className={styles.title}>Needs attention</h2>
      <ul>
        {names.map((name) => (
          <AttentionItem key={name} name={name} />
        ))}
      </ul>
    </section>
  );
}

function AttentionItem({ name }: { readonly name: string }) {
  const server = useServer(name);
  const words = useNow((now) => (server === undefined ? '' : describeState(server, now)));
  if (server === undefined) return null;
  const { state, lastError } = server;
  // Why it was given up, or is started once more, is its last error; anything else goes on, and is told as of now.
  const isEnded = state.kind === 'failed' || state.kind === 'starting';
  const why = isEnded ? shorten(lastError?.message) : undefined;
  const story = startSentence(why ?? (state.kind === 'backoff' ? `restarts ${words}` : words));
  return (
    <li className={styles.item}>
      <StateShape kind={state.kind} />
      <a className={styles.name} href={serverHref(name)} aria-label={`Look into ${name}`}>
        {name}
      </a>
      <span
        className={styles.story}
        data-tip={[story, lastError?.remedy].filter(Boolean).join('\n')}
        data-tip-if-cut
      >
        {story === '' ? 'No reason is known.' : story}
        {lastError?.remedy !== undefined && <span className={styles.remedy}> {lastError.remedy}</span>}
      </span>
      {lastError !== undefined && (
        <CopyButton name={`Copy the error of ${name}`} text={errorAsText(lastError, name)} />
      )}
    </li>
  );
}

const startSentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
