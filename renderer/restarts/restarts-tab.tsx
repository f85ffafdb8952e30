import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { EventKind, PanelEvent, ServerView } from '../../shared/domain.ts';
import type { Pattern, RestartStory, RunEnd } from '../../shared/restart-story.ts';
import { describePattern } from '../format/pattern-words.ts';
import { formatCount, formatPlural, restartsMeaning } from '../format/figures.ts';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import { usePanel, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { EndRow } from './end-row.tsx';
import { KEPT_DAYS } from '../../shared/retention.ts';

interface RestartsTabProps {
  readonly server: ServerView;
  /** Id of a run's end that a link leads to, or of an event in its chain. That end is opened, loading older pages if needed. */
  readonly asked: string | undefined;
}

/** Reasons why a server restarted: patterns among the ends of its runs, and each end with all details. */
export function RestartsTab({ server, asked }: RestartsTabProps) {
  const { name } = server;
  const { stories } = useServices();
  useEffect(() => stories.follow(name), [stories, name]);
  const latest = usePanel((state) => latestOf(state.events, name));
  useEffect(() => {
    if (latest !== undefined) stories.refresh();
  }, [stories, latest]);
  const { story, error, server: of } = useStore(stories.state);
  const isRead = story !== undefined && of === name;
  return (
    <div className="flex flex-col gap-16 max-w-1440 p-16">
      {error !== undefined && (
        <ErrorNote
          error={error}
          server={name}
          lead={isRead ? 'Not up to date' : 'Its restarts could not be read'}
        />
      )}
      {!isRead && error === undefined && <p className="text-dim">Reading what happened…</p>}
      {isRead && story.total === 0 && <NoEnds server={server} from={story.covered.from} />}
      {isRead && story.total > 0 && <Story server={server} story={story} asked={asked} />}
    </div>
  );
}

interface StoryProps extends RestartsTabProps {
  readonly story: RestartStory;
}

function Story({ server, story, asked }: StoryProps) {
  const [pattern, setPattern] = useState<string>();
  const { patterns, hasMore } = story;
  const chosen = patterns.find((one) => describePattern(one) === pattern);
  const ends = useMemo(() => shownEnds(story.ends, chosen), [story.ends, chosen]);
  const target = useAskedEnd(story, asked);
  return (
    <>
      {patterns.length > 0 && <PatternList patterns={patterns} chosen={pattern} onChoose={setPattern} />}
      <section aria-label="Stops and restarts" className="card flex-none">
        <Head server={server} story={story} chosen={chosen} onAll={() => setPattern(undefined)} />
        {ends.length === 0 ? (
          <p className="px-16 py-12 text-dim">
            {chosen === undefined
              ? 'Nothing went wrong: each run ended on request.'
              : 'They are among the older ones.'}
          </p>
        ) : (
          <ol className="pb-8">
            {ends.map((end, position) => (
              <EndRow
                key={end.id}
                server={server}
                end={end}
                isAsked={end.id === target}
                before={ends[position - 1]?.at}
              />
            ))}
          </ol>
        )}
        {hasMore && <Older />}
      </section>
    </>
  );
}

function Older() {
  const { stories } = useServices();
  const isAsking = useStore(stories.state, ({ isAskingOlder }) => isAskingOlder);
  return (
    <div className="px-16 pt-8 pb-12">
      <TextButton isBusy={isAsking} onClick={() => stories.askOlder()}>
        Show older ones
      </TextButton>
    </div>
  );
}

interface HeadProps {
  readonly server: ServerView;
  readonly story: RestartStory;
  readonly chosen: Pattern | undefined;
  readonly onAll: () => void;
}

function Head({ server, story: { total, troubles, covered }, chosen, onAll }: HeadProps) {
  const { stories } = useServices();
  const isTroubleOnly = useStore(stories.state, (state) => state.isTroubleOnly);
  return (
    <div className="flex items-center flex-wrap gap-x-12 gap-y-8 py-8 pr-12 pl-16 border-b border-line">
      <h2 className="text-14/20 font-semibold">Stops and restarts</h2>
      <span className="text-dim">
        since {formatDay(covered.from)} ·{' '}
        <span data-tip={restartsMeaning}>{formatPlural(server.restarts24h ?? 0, 'restart')} in 24 h</span>
      </span>
      {chosen !== undefined && (
        <TextButton look="link" onClick={onAll}>
          Only those of one pattern. Show all
        </TextButton>
      )}
      <span className="flex-1" />
      <Segments
        name="Ends shown"
        value={isTroubleOnly ? 'trouble' : 'all'}
        choices={[
          { value: 'all', label: `All ${formatCount(total)}` },
          { value: 'trouble', label: `Problems ${formatCount(troubles)}` },
        ]}
        onChange={(value) => stories.setTroubleOnly(value === 'trouble')}
      />
    </div>
  );
}

function shownEnds(ends: readonly RunEnd[], chosen: Pattern | undefined): readonly RunEnd[] {
  if (chosen === undefined) return ends;
  const ids = new Set(chosen.ends);
  return ends.filter(({ id }) => ids.has(id));
}

/** Id of the end that a link leads to; undefined until that end is loaded. Loads older pages until then. */
function useAskedEnd({ ends, hasMore }: RestartStory, asked: string | undefined): string | undefined {
  const { stories } = useServices();
  const found = asked === undefined ? undefined : ends.find((end) => isOf(end, asked))?.id;
  const isMissing = asked !== undefined && found === undefined && hasMore;
  useEffect(() => {
    if (isMissing) stories.askOlder();
  }, [stories, isMissing, ends]);
  return found;
}

const isOf = ({ id, chain }: RunEnd, asked: string): boolean =>
  id === asked || chain.some(({ eventId }) => eventId === asked);

/**
 * Kinds of events that start or end a run, or report what followed an end. After such an event, the list of ends is read again.
 */
const telling: ReadonlySet<EventKind> = new Set([
  'started',
  'restarted',
  'stopped',
  'slept',
  'woken',
  'ended',
  'crashed',
  'stalled',
  'start-failed',
  'restart-scheduled',
  'gave-up',
]);

const latestOf = (events: readonly PanelEvent[], server: string): string | undefined =>
  events.findLast((event) => event.server === server && telling.has(event.kind))?.id;

interface NoEndsProps {
  readonly server: Pick<ServerView, 'name' | 'runningSince' | 'generation'>;
  /** Time of the oldest stored event. */
  readonly from: number;
}

/** Text for a server whose runs have not ended. It says how long the server has been running, and since when events are kept. */
function NoEnds({ server: { runningSince, generation }, from }: NoEndsProps) {
  const since = runningSince;
  return (
    <div className="flex flex-col gap-4 max-w-640">
      <h2 className="text-14/20 font-semibold">
        {since !== undefined && `Has not restarted since ${moment(since)}`}
        {since === undefined && (generation === 0 ? 'It has not run yet' : 'No run of it has ended')}
      </h2>
      <p className="text-dim">
        Each end of a run is listed here for {KEPT_DAYS} days: its cause, what the server used, its last
        output, and the lost calls. Events are kept since {moment(from)}.
      </p>
    </div>
  );
}

const moment = (at: number): string => `${formatDay(at)}, ${formatHourMinute(at)}`;

interface PatternListProps {
  readonly patterns: readonly Pattern[];
  /** Sentence of the pattern whose ends are shown; undefined if all ends are shown. */
  readonly chosen: string | undefined;
  readonly onChoose: (sentence: string | undefined) => void;
}

/** Features that several ends share, one sentence each. Clicking a sentence shows the ends that share the feature. */
function PatternList({ patterns, chosen, onChoose }: PatternListProps) {
  return (
    <section aria-label="Patterns" className="card flex-none pt-12 pb-8">
      <h2 className="px-16 pb-4 text-14/20 font-semibold">Why did it restart?</h2>
      <ul>
        {patterns.map((pattern) => {
          const sentence = describePattern(pattern);
          const isChosen = sentence === chosen;
          return (
            <li key={sentence}>
              <button
                type="button"
                className={`flex items-center gap-12 w-full min-h-28 px-16 py-4 text-left -outline-offset-2 ${isChosen ? 'bg-accent-soft' : 'hover:bg-hover'}`}
                aria-pressed={isChosen}
                data-tip={isChosen ? 'Show all ends again' : 'Show only these'}
                onClick={() => onChoose(isChosen ? undefined : sentence)}
              >
                {/* Bar that shows at a glance in what share of all ends the pattern occurs; the sentence states the share in
                    numbers. */}
                <span
                  className="block flex-none w-48 h-6 overflow-hidden rounded-sm bg-line"
                  aria-hidden="true"
                >
                  <span
                    className="block h-full bg-backoff"
                    style={{ width: `${Math.round((pattern.count / pattern.of) * 100)}%` }}
                  />
                </span>
                {sentence}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
