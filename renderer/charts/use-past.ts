import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Span } from '../../shared/history.ts';
import { pastKeyOf, type PastAnswer, type PastStore } from '../store/past-store.ts';

const unknown: PastAnswer<never> = { reply: undefined, error: undefined };

/**
 * Returns the answer to a query of the history, and keeps it up to date while the component is mounted. While the answer for
 * another time span is loading, the previous answer is kept, because a chart that turns blank at every step is worse than an
 * old one. @param query must be the same object while its content is the same; undefined requests nothing @param subject key of
 * the data's owner; the previous answer is dropped when the subject changes
 */
export function usePast<Query extends Span, Reply>(
  store: PastStore<Query, Reply>,
  query: Query | undefined,
  subject: string,
): PastAnswer<Reply> {
  useEffect(() => (query === undefined ? undefined : store.follow(query)), [store, query]);
  const answer = useStore(store.state, (answers) =>
    query === undefined ? undefined : answers.get(pastKeyOf(query)),
  );
  const [last, setLast] = useState<{ readonly subject: string; readonly reply: Reply }>();
  const { reply, error } = answer ?? unknown;
  const before = query !== undefined && last?.subject === subject ? last.reply : undefined;
  if (reply !== undefined && (last?.reply !== reply || last.subject !== subject)) setLast({ subject, reply });
  return { reply: reply ?? before, error };
}
