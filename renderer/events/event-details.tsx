import { lazy, type ReactNode, Suspense } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import type { EventFact } from '../format/event-sentences.ts';
import { describeEvent, eventLine, markOf, type EventStory } from '../format/event-words.ts';
import { headlineOf } from '../format/incident-words.ts';
import { breachIn } from '../format/limit-sentences.ts';
import { endingKinds } from '../format/run-end-words.ts';
import type { LogEntry } from '../format/incidents.ts';
import { formatMoment } from '../format/moments.ts';
import { useServer } from '../services.ts';
import { MomentButton } from '../commands/moment-menu.tsx';
import { hrefOf } from '../store/route-store.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { RaiseLimit } from './way-out.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { ClockTime } from './event-time.tsx';

// The charts and the code that reads an entry are in separate chunks, because no event is open at the first paint.
const DisputeVerdict = lazy(() =>
  import('./dispute-verdict.tsx').then((module) => ({ default: module.DisputeVerdict })),
);
const EventCurves = lazy(() =>
  import('../charts/moment-curves.tsx').then((module) => ({ default: module.EventCurves })),
);

interface EventDetailsProps {
  readonly id: string;
  readonly entry: LogEntry;
  readonly story: EventStory;
}

/** Details of an event or an incident: the events of the incident, further details by term, the server's output, and remedies. */
export function EventDetailTable({ id, entry, story }: EventDetailsProps) {
  const { facts, output, advice } = story;
  const { server, at } = headlineOf(entry);
  const view = useServer(server ?? '');
  const over = entry.events.find(({ kind }) => kind === 'limit-breached' || kind === 'high-cpu');
  const breach = over && breachIn(over);
  const stall = entry.events.find((event) => event.kind === 'stalled');
  return (
    <div
      id={id}
      role="group"
      aria-label={`Details: ${describeEvent(headlineOf(entry)).title}`}
      className="relative flex flex-col gap-8 pt-4 pr-44 pb-12 pl-102 select-text"
    >
      {entry.events.length > 1 && <Steps events={entry.events} />}
      <dl className="flex flex-col gap-4 max-w-860">
        {facts.map((fact) => (
          <LinesFact key={fact.term} {...fact} />
        ))}
        {output !== undefined && (
          <Fact term={output.term}>
            <pre
              className="max-h-130 px-8 py-6 border border-line rounded-md bg-ground"
              tabIndex={0}
              aria-label={output.term}
            >
              {output.text}
            </pre>
          </Fact>
        )}
        {advice !== undefined && <Fact term="What to do">{advice}</Fact>}
      </dl>
      {over && breach && server !== null && <RaiseLimit eventId={over.id} breach={breach} server={server} />}
      {stall !== undefined && String(stall.detail.row) !== '10' && server !== null && (
        <Suspense fallback={null}>
          <DisputeVerdict event={stall} server={server} />
        </Suspense>
      )}
      {view !== undefined && (entry.outcome !== undefined || over !== undefined) && (
        <Suspense fallback={null}>
          <EventCurves server={view} at={at} />
        </Suspense>
      )}
      {server !== null && tellsAnEnd(entry) && (
        <a
          className="self-start quiet-link"
          href={hrefOf({ view: 'server', name: server, tab: 'restarts', end: headlineOf(entry).id })}
        >
          Why did it restart?
        </a>
      )}
      <div>
        <MomentButton at={at} label="This moment in…" {...(server !== null && { server })} />
      </div>
      <span className="absolute top-2 right-12">
        <CopyButton name="Copy the details" text={asText(entry, story)} />
      </span>
    </div>
  );
}

const tellsAnEnd = ({ events }: LogEntry): boolean => events.some(({ kind }) => endingKinds.has(kind));

const Fact = ({ term, children }: { readonly term: string; readonly children: ReactNode }) => (
  <div className="flex gap-12">
    <dt className="flex-none w-128 text-faint">{term}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
);

const LinesFact = ({ term, lines }: EventFact) => (
  <Fact term={term}>
    {lines.map((line, index) => (
      <span key={index} className="block">
        {line}
      </span>
    ))}
  </Fact>
);

/** Events of an incident in order, one line for each. */
function Steps({ events }: { readonly events: readonly PanelEvent[] }) {
  return (
    <ol className="flex flex-col gap-4 max-w-860" aria-label="Steps">
      {events.map((event) => (
        <li key={event.id} className="flex items-center gap-8">
          <ClockTime at={event.at} />
          <StateShape kind={markOf(event.kind)} size={12} />
          <span className="min-w-0 wrap-anywhere">{eventLine(event)}</span>
        </li>
      ))}
    </ol>
  );
}

function asText({ events }: LogEntry, { facts, output, advice }: EventStory): string {
  const steps = events.map(
    (event) => `${formatMoment(event.at)} ${event.server ?? 'panel'}: ${eventLine(event)}`,
  );
  const lines = facts.map((fact) => `${fact.term}: ${fact.lines.join('; ')}`);
  if (output !== undefined) lines.push(`${output.term}:`, output.text);
  if (advice !== undefined) lines.push(`What to do: ${advice}`);
  return [...steps, ...lines].join('\n');
}
