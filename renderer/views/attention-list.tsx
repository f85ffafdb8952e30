import type { ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { Instability } from '../../shared/instability.ts';
import { markWords, shownMark, shownState, type StateKind } from '../../shared/server-states.ts';
import { unplannedWords } from '../../shared/unplanned-words.ts';
import { errorAsText } from '../format/error-words.ts';
import { formatAgo } from '../format/durations.ts';
import { formatCount } from '../format/figures.ts';
import { lastWords } from '../format/last-words.ts';
import { formatMoment } from '../format/moments.ts';
import { describeTrouble } from '../format/state-phrases.ts';
import { focusServer } from '../commands/focus-server.ts';
import { hrefOf, serverHref } from '../store/route-store.ts';
import { useNow, usePendingAction, useServer, useServices } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { likeliestDialog } from './edit-place.ts';
import styles from './attention-list.module.css';

/** Maximum cards shown by default, so that the servers keep most of the room. */
const MOST_CARDS = 3;

interface AttentionListProps {
  readonly names: readonly string[];
  /** Whether every server that needs attention has a card. */
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
}

/** Names of the servers that have a card; the rows of the others show their reasons. */
export const namesOnCards = ({ names, isWhole }: Pick<AttentionListProps, 'names' | 'isWhole'>) =>
  isWhole ? names : names.slice(0, MOST_CARDS);

/** Servers that need attention, one card each: the full reason, the last output, and remedies. */
export function AttentionList({ names, isWhole, onWhole }: AttentionListProps) {
  if (names.length === 0) return null;
  const more = names.length - MOST_CARDS;
  return (
    <section className={styles.group} aria-label="Needs attention">
      <h2 className={styles.title}>
        Needs attention
        {more > 0 && (
          <TextButton look="link" aria-expanded={isWhole} onClick={() => onWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `+ ${formatCount(more)} more`}
          </TextButton>
        )}
      </h2>
      <ul className={styles.list} data-count={Math.min(names.length, MOST_CARDS)}>
        {namesOnCards({ names, isWhole }).map((name) => (
          <Card key={name} name={name} />
        ))}
      </ul>
    </section>
  );
}

function Card({ name }: { readonly name: string }) {
  const server = useServer(name);
  if (server === undefined) return null;
  const { unstable } = server;
  return unstable !== undefined && shownMark(server) === 'unstable' ? (
    <UnstableCard server={server} unstable={unstable} />
  ) : (
    <TroubleCard server={server} />
  );
}

/** Head of a card: the shape and word of the state, the name as a link, and the time since when. */
function Head({ server, since }: { readonly server: ServerView; readonly since: number }) {
  const { name } = server;
  const mark = shownMark(server);
  return (
    <p className={styles.head}>
      <StateShape kind={mark} />
      <a className={styles.name} href={serverHref(name)} aria-label={`Look into ${name}`} data-tip={name}>
        <MiddleCut name={name} />
      </a>
      <span className={styles.word}>{markWords[mark]}</span>
      <Since at={since} />
    </p>
  );
}

interface UnstableCardProps {
  readonly server: ServerView;
  readonly unstable: Instability;
}

/** Card of a running server that ends again and again: how often, how recently, and a link to the reasons. */
function UnstableCard({ server, unstable }: UnstableCardProps) {
  const { name } = server;
  const last = useNow((now) => formatAgo(now - unstable.lastEndAt));
  return (
    <li className={styles.card} style={{ borderTopColor: 'var(--state-suspect)' }}>
      <Head server={server} since={unstable.since} />
      <div className={styles.cause}>
        <p>{unplannedWords(unstable)}.</p>
        <p className={styles.remedy}>It runs now; the last stop was {last}.</p>
      </div>
      <div className={styles.ways}>
        <a
          className={styles.link}
          href={hrefOf({ view: 'server', name, tab: 'restarts' })}
          aria-label={`Why did ${name} restart?`}
        >
          Why did it restart?
        </a>
        <LogsLink name={name} />
      </div>
    </li>
  );
}

function TroubleCard({ server }: { readonly server: ServerView }) {
  const story = useNow((now) => describeTrouble(server, now));
  const { name, lastError, state, failingSince = state.since } = server;
  const kind = shownState(server);
  const lines = lastError === undefined ? [] : lastWords(lastError);
  return (
    <li className={styles.card} style={{ borderTopColor: `var(--state-${kind})` }}>
      <Head server={server} since={failingSince} />
      <div className={styles.cause}>
        <p>{story === '' ? 'No reason is known.' : asSentence(story, kind)}</p>
        {lastError?.remedy !== undefined && <p className={styles.remedy}>{lastError.remedy}</p>}
      </div>
      {lines.length > 0 && (
        <pre className={styles.lines} aria-label={`Last of stderr of ${name}`}>
          {lines.map((line, index) => (
            <span key={index} data-tip={line} data-tip-if-cut>
              {line}
            </span>
          ))}
        </pre>
      )}
      <WaysOut server={server} isDown={state.kind === 'failed' || state.kind === 'backoff'}>
        {lastError !== undefined && (
          <CopyButton name={`Copy the error of ${name}`} text={errorAsText(lastError, name)} />
        )}
      </WaysOut>
    </li>
  );
}

/** Text with a capital at the start if the panel wrote it; text of a server or a program stays as written. */
const asSentence = (story: string, kind: StateKind): string =>
  kind === 'stalled' || kind === 'suspect' ? story.charAt(0).toUpperCase() + story.slice(1) : story;

interface WaysOutProps {
  readonly server: ServerView;
  /** Whether the server is not running, so that it can be started. */
  readonly isDown: boolean;
  readonly children: ReactNode;
}

function WaysOut({ server, isDown, children }: WaysOutProps) {
  const { manage } = useServices();
  const { name } = server;
  return (
    <div className={styles.ways}>
      <TextButton aria-label={`Fix ${name}…`} onClick={() => manage.open(likeliestDialog(server))}>
        Fix…
      </TextButton>
      {isDown && <TryAgain name={name} />}
      <LogsLink name={name} />
      <span className={styles.copy}>{children}</span>
    </div>
  );
}

function LogsLink({ name }: { readonly name: string }) {
  return (
    <a
      className={styles.link}
      href={hrefOf({ view: 'server', name, tab: 'logs' })}
      aria-label={`Logs of ${name}`}
    >
      Logs
    </a>
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

/** Button that starts the server again; its name differs from that of the start button in the row. */
function TryAgain({ name }: { readonly name: string }) {
  const { actions } = useServices();
  const isBusy = usePendingAction(name) !== undefined;
  return (
    <TextButton
      isBusy={isBusy}
      aria-label={`Try ${name} again`}
      onClick={(event) => {
        // Focus moves on after a key press, because it would be lost when the card disappears.
        if (event.detail === 0) focusServer(name);
        void actions.run('start', name);
      }}
    >
      Try again
    </TextButton>
  );
}
