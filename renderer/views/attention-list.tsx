import { useState, type ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { Instability } from '../../shared/instability.ts';
import { markWords, shownMark, shownState, type StateKind } from '../../shared/server-states.ts';
import { unplannedWords } from '../../shared/unplanned-words.ts';
import { errorAsText } from '../format/error-words.ts';
import { formatAgo } from '../format/durations.ts';
import { formatCount } from '../format/figures.ts';
import { formatDate, formatMoment } from '../format/moments.ts';
import { describeTrouble } from '../format/state-phrases.ts';
import { focusServer } from '../commands/focus-server.ts';
import { hrefOf, serverHref } from '../store/route-store.ts';
import { useNow, usePendingAction, useServer, useServices } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { likeliestDialog } from './edit-place.ts';
import type { Folds } from './folds.ts';

const lists: Readonly<Record<Folds['problems'], string>> = {
  // A single card gets the available width up to a readable maximum. Two cards are side by side if the window is wide enough.
  cards: 'grid-cols-[minmax(0,720px)] min-[930px]:not-data-[count=1]:grid-cols-2',
  chips: 'auto-cols-[minmax(0,480px)] grid-flow-col',
};

interface AttentionListProps {
  readonly names: readonly string[];
  readonly look: Folds['problems'];
  /** Number of chips that fit in one line. */
  readonly places: number;
}

/** Servers that need attention: a few as cards, more as chips in one line, each of which opens its card below. */
export function AttentionList({ names, look, places }: AttentionListProps) {
  const { view } = useServices();
  const [open, setOpen] = useState<string>();
  if (names.length === 0) return null;
  const shown = look === 'cards' ? names : names.slice(0, places);
  const more = names.length - shown.length;
  return (
    <section className="flex items-center gap-8 flex-none px-16 pb-8" aria-label="Needs attention">
      <ul className={`grid flex-1 gap-8 min-w-0 ${lists[look]}`} data-count={shown.length}>
        {shown.map((name, position) =>
          look === 'cards' ? (
            <li key={name} className="card flex flex-col gap-6 min-w-0 px-12 py-8">
              <Card name={name} />
            </li>
          ) : (
            <Chip
              key={name}
              name={name}
              isOpen={open === name}
              onOpen={setOpen}
              isAtEnd={position > 0 && position === shown.length - 1}
            />
          ),
        )}
      </ul>
      {more > 0 && (
        <TextButton
          aria-label={`All ${formatCount(names.length)} that need attention`}
          onClick={() => view.setState({ filter: 'attention' })}
        >
          + {formatCount(more)}
        </TextButton>
      )}
    </section>
  );
}

interface ChipProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onOpen: (name: string | undefined) => void;
  /** True for the last of several chips. Its card is aligned to its right edge, so that it stays within the window. */
  readonly isAtEnd: boolean;
}

/** Chip with the state shape, the name and the start of the cause. A press on it opens its card; Escape closes the card. */
function Chip({ name, isOpen, onOpen, isAtEnd }: ChipProps) {
  const server = useServer(name);
  const words = useNow((now) => server && causeWords(server, now));
  if (server === undefined) return null;
  return (
    <li
      className="relative"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) onOpen(undefined);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.querySelector('button')?.focus();
        onOpen(undefined);
      }}
    >
      <button
        type="button"
        className="flex items-center gap-6 w-full h-32 px-8 border border-line rounded-md bg-raised hover:bg-hover aria-expanded:bg-hover"
        aria-expanded={isOpen}
        aria-label={`${name}: ${markWords[shownMark(server)]}`}
        data-tip={isOpen ? undefined : words}
        onClick={() => onOpen(isOpen ? undefined : name)}
      >
        <StateShape kind={shownMark(server)} />
        <span className="flex-none max-w-[55%] min-w-0 text-14/20 font-semibold hover:link">
          <MiddleCut name={name} />
        </span>
        <span className="truncate min-w-0 text-12 text-dim">{words}</span>
      </button>
      {isOpen && (
        <div
          className={`absolute z-4 top-[calc(100%+4px)] w-[max(100%,340px)] ${isAtEnd ? 'right-0' : 'left-0'}`}
          tabIndex={-1}
        >
          <div className="card flex flex-col gap-6 px-12 py-8 [box-shadow:var(--shadow-pop)]">
            <Card name={name} />
          </div>
        </div>
      )}
    </li>
  );
}

const causeWords = (server: ServerView, now: number): string => {
  const { unstable } = server;
  return unstable !== undefined && shownMark(server) === 'unstable'
    ? unplannedWords(unstable)
    : describeTrouble(server, now);
};

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

/** Head of a card: the shape and name of the state, the server's name as a link, and the time at which the state began. */
function Head({ server, since }: { readonly server: ServerView; readonly since: number }) {
  const { name } = server;
  const mark = shownMark(server);
  return (
    <p className="flex items-center gap-8 whitespace-nowrap">
      <StateShape kind={mark} />
      <a
        className="min-w-0 text-14/20 font-semibold hover:link"
        href={serverHref(name)}
        aria-label={`Details of ${name}`}
        data-tip={name}
      >
        <MiddleCut name={name} />
      </a>
      <span className="flex-none font-medium">{markWords[mark]}</span>
      <Since at={since} isLasting={mark === 'unstable'} />
    </p>
  );
}

interface UnstableCardProps {
  readonly server: ServerView;
  readonly unstable: Instability;
}

/** Cuts the cause after two lines. The tooltip and the page of the server show all of it. */
const causeLook = 'line-clamp-2 wrap-anywhere';
/** Row of actions that may solve the problem, at the bottom of the card. */
const ways = 'flex items-center gap-12 mt-auto';

/** Card of a running server that keeps ending: how often, how recently, and a link to the reasons. */
function UnstableCard({ server, unstable }: UnstableCardProps) {
  const { name } = server;
  const last = useNow((now) => formatAgo(now - unstable.lastEndAt));
  return (
    <>
      <Head server={server} since={unstable.since} />
      <p className={causeLook}>
        {unplannedWords(unstable)}.{' '}
        <span className="text-dim">
          It runs now; the last stop was <span className="whitespace-nowrap">{last}</span>.
        </span>
      </p>
      <div className={ways}>
        <a
          className="quiet-link"
          href={hrefOf({ view: 'server', name, tab: 'restarts' })}
          aria-label={`Why did ${name} restart?`}
        >
          Why did it restart?
        </a>
        <LogsLink name={name} />
      </div>
    </>
  );
}

function TroubleCard({ server }: { readonly server: ServerView }) {
  const story = useNow((now) => describeTrouble(server, now));
  const { name, lastError, state, failingSince = state.since } = server;
  const kind = shownState(server);
  const cause = story === '' ? 'No reason is known.' : asSentence(story, kind);
  const remedy = lastError?.remedy;
  return (
    <>
      <Head server={server} since={failingSince} />
      <p className={causeLook} data-tip={[cause, remedy].filter(Boolean).join('\n')} data-tip-if-cut>
        {cause} {remedy !== undefined && <span className="text-dim">{remedy}</span>}
      </p>
      <WaysOut server={server} isDown={state.kind === 'failed' || state.kind === 'backoff'}>
        {lastError !== undefined && (
          <CopyButton name={`Copy the error of ${name}`} text={errorAsText(lastError, name)} />
        )}
      </WaysOut>
    </>
  );
}

/** Capitalizes the text if the panel wrote it. Text of a server or a program stays as written. */
const asSentence = (story: string, kind: StateKind): string =>
  kind === 'stalled' || kind === 'suspect' ? story.charAt(0).toUpperCase() + story.slice(1) : story;

interface WaysOutProps {
  readonly server: ServerView;
  /** True if the server is not running, so that it can be started. */
  readonly isDown: boolean;
  readonly children: ReactNode;
}

function WaysOut({ server, isDown, children }: WaysOutProps) {
  const { manage } = useServices();
  const { name } = server;
  return (
    <div className={ways}>
      <TextButton aria-label={`Fix ${name}…`} onClick={() => manage.open(likeliestDialog(server))}>
        Fix…
      </TextButton>
      {isDown && <TryAgain name={name} />}
      <LogsLink name={name} />
      <span className="w-28 ml-auto">{children}</span>
    </div>
  );
}

function LogsLink({ name }: { readonly name: string }) {
  return (
    <a
      className="quiet-link"
      href={hrefOf({ view: 'server', name, tab: 'logs' })}
      aria-label={`Logs of ${name}`}
    >
      Logs
    </a>
  );
}

interface SinceProps {
  readonly at: number;
  /** True if the state that began at `at` lasts while the server runs. Then "5 d ago" would sound as if the state had ended. */
  readonly isLasting: boolean;
}

function Since({ at, isLasting }: SinceProps) {
  const words = useNow((now) => (isLasting ? `since ${formatDate(at)}` : formatAgo(now - at)));
  return (
    <time
      className="flex-none ml-auto text-12 text-faint"
      dateTime={new Date(at).toISOString()}
      data-tip={`since ${formatMoment(at)}`}
    >
      {words}
    </time>
  );
}

/** Button that starts the server again. Its accessible name differs from that of the start button in the row. */
function TryAgain({ name }: { readonly name: string }) {
  const { actions } = useServices();
  const isBusy = usePendingAction(name) !== undefined;
  return (
    <TextButton
      isBusy={isBusy}
      aria-label={`Try ${name} again`}
      onClick={(event) => {
        // After a key press the focus moves to the server's row, because it would be lost when the card disappears.
        if (event.detail === 0) focusServer(name);
        void actions.run('start', name);
      }}
    >
      Try again
    </TextButton>
  );
}
