import type { PanelEvent } from '../../shared/domain.ts';
import type { EventFact } from '../format/detail-fields.ts';
import type { EventStory } from '../format/event-story.ts';
import { describeEvent } from '../format/event-words.ts';
import { formatMoment } from '../format/moments.ts';
import { CopyButton } from './copy-button.tsx';
import { DisputeVerdict } from './dispute-verdict.tsx';
import styles from './event-details.module.css';

interface EventDetailsProps {
  readonly id: string;
  readonly event: PanelEvent;
  readonly story: EventStory;
}

/** What an event rests on, what the server said, and what can be done. */
export function EventDetails({ id, event, story }: EventDetailsProps) {
  const { facts, output, advice } = story;
  return (
    <div
      id={id}
      role="group"
      aria-label={`Details: ${describeEvent(event).title}`}
      className={styles.details}
    >
      <dl className={styles.facts}>
        {facts.map((fact) => (
          <Fact key={fact.term} {...fact} />
        ))}
        {output !== undefined && (
          <div className={styles.fact}>
            <dt>{output.term}</dt>
            <dd>
              <pre className={styles.output} tabIndex={0} aria-label={output.term}>
                {output.text}
              </pre>
            </dd>
          </div>
        )}
        {advice !== undefined && <Fact term="What to do" lines={[advice]} />}
      </dl>
      {event.kind === 'stalled' && event.server !== null && (
        <DisputeVerdict eventId={event.id} server={event.server} />
      )}
      <span className={styles.copy}>
        <CopyButton name="Copy the details" text={asText(event, story)} />
      </span>
    </div>
  );
}

function Fact({ term, lines }: EventFact) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>
        {lines.map((line, index) => (
          <span key={index} className={styles.line}>
            {line}
          </span>
        ))}
      </dd>
    </div>
  );
}

function asText(event: PanelEvent, { facts, output, advice }: EventStory): string {
  const { title, details } = describeEvent(event);
  const head = `${formatMoment(event.at)} ${event.server ?? 'panel'}: ${[title, ...details].join(' · ')}`;
  const lines = facts.map((fact) => `${fact.term}: ${fact.lines.join('; ')}`);
  if (output !== undefined) lines.push(`${output.term}:`, output.text);
  if (advice !== undefined) lines.push(`What to do: ${advice}`);
  return [head, ...lines].join('\n');
}
