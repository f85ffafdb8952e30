import { shownState, stateWords } from '../../shared/server-states.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatAgo } from '../format/durations.ts';
import { errorAsText } from '../format/error-words.ts';
import { formatMoment } from '../format/moments.ts';
import { describeTrouble } from '../format/state-phrases.ts';
import { focusServer } from '../commands/focus-server.ts';
import { hrefOf, serverHref } from '../store/route-store.ts';
import { useNow, usePendingAction, useServer, useServices } from '../services.ts';
import styles from './attention-list.module.css';

/**
 * Servers that need attention, each with the trouble and the remedy, pinned above the others. One line each,
 * so that the list cannot grow under the pointer.
 */
export function AttentionList({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section className={styles.group} aria-label="Needs attention">
      <h2 className={styles.title}>Needs attention</h2>
      <ul className={styles.list}>
        {names.map((name) => (
          <AttentionItem key={name} name={name} />
        ))}
      </ul>
    </section>
  );
}

function AttentionItem({ name }: { readonly name: string }) {
  const server = useServer(name);
  const story = useNow((now) => (server === undefined ? '' : describeTrouble(server, now)));
  if (server === undefined) return null;
  const { state, lastError } = server;
  const kind = shownState(server);
  return (
    <li className={styles.item}>
      <StateShape kind={kind} />
      <a
        className={styles.name}
        href={serverHref(name)}
        aria-label={`Look into ${name}`}
        data-tip={name}
        data-tip-if-cut
      >
        {name}
      </a>
      <span className={styles.word}>{stateWords[kind]}</span>
      <span
        className={styles.story}
        data-tip={[story, lastError?.remedy].filter(Boolean).join('\n')}
        data-tip-if-cut
      >
        {story === '' ? 'no reason is known' : story}
        {lastError?.remedy !== undefined && <span className={styles.remedy}> {lastError.remedy}</span>}
      </span>
      <Since at={state.since} />
      {state.kind === 'failed' && <TryAgain name={name} />}
      <a
        className={styles.link}
        href={hrefOf({ view: 'server', name, tab: 'logs' })}
        aria-label={`Logs of ${name}`}
      >
        Logs
      </a>
      <span className={styles.copy}>
        {lastError !== undefined && (
          <CopyButton name={`Copy the error of ${name}`} text={errorAsText(lastError, name)} />
        )}
      </span>
    </li>
  );
}

function Since({ at }: { readonly at: number }) {
  const words = useNow((now) => formatAgo(now - at));
  return (
    <time
      className={styles.since}
      dateTime={new Date(at).toISOString()}
      data-tip={`since ${formatMoment(at)}`}
    >
      {words}
    </time>
  );
}

/** Button to try again, named apart from the start button in the server's row. */
function TryAgain({ name }: { readonly name: string }) {
  const { actions } = useServices();
  const isBusy = usePendingAction(name) !== undefined;
  return (
    <TextButton
      look="link"
      isBusy={isBusy}
      aria-label={`Try ${name} again`}
      onClick={(event) => {
        // Focus moves on after a key press because the entry is about to go, and would drop it.
        if (event.detail === 0) focusServer(name);
        void actions.run('start', name);
      }}
    >
      Try again
    </TextButton>
  );
}
