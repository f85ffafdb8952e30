import { eventKinds, toldEvent, type PanelEvent } from '../../../../shared/events.ts';
import type { PastEventsQuery, PastEventsReply } from '../../../../shared/history.ts';
import type { Database } from './open-file.ts';

/** Returns the newest events of the span, oldest first. Unknown kinds are left out. */
export function readPastEvents(db: Database, query: PastEventsQuery): PastEventsReply {
  const { server, kinds = eventKinds, before, limit, from, to } = query;
  const conditions = ['at >= ?', 'at < ?', 'kind IN (SELECT value FROM json_each(?))'];
  const values: (string | number)[] = [from, to, JSON.stringify(kinds)];
  if (server === null) conditions.push('server IS NULL');
  else if (server !== undefined) {
    conditions.push('server = ?');
    values.push(server);
  }
  const counted = db
    .prepare(`SELECT count(*) AS total FROM events WHERE ${conditions.join(' AND ')}`)
    .get(...values) as { readonly total: number };
  if (before !== undefined) {
    conditions.push('id < ?');
    values.push(before);
  }
  // One more than requested is read, to find out whether there are older ones.
  const rows = db
    .prepare(
      `SELECT id, at, server, kind, detail FROM events WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`,
    )
    .all(...values, limit + 1) as readonly EventRow[];
  return { events: rows.slice(0, limit).reverse().map(toEvent), hasMore: rows.length > limit, ...counted };
}

type EventRow = Omit<PanelEvent, 'detail'> & { readonly detail: string };

const toEvent = ({ kind, detail, ...head }: EventRow): PanelEvent => ({
  ...head,
  ...toldEvent(kind, parsed(detail)),
});

/** Returns the parsed JSON, or the text itself when it is invalid JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
