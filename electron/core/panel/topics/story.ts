import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { storyCalls } from '../../../../shared/ipc/topics/story.ts';
import type { HistorySource } from '../../store/history-source.ts';
import { restartStory } from '../../story/restart-story.ts';
import { readStoryEvents } from '../../story/story-events.ts';
import type { TrendBook } from '../../story/trend-book.ts';

/** Requests of the app window about the past restarts and the trends of servers. For an unknown server, the result is empty. */
export const storyTopic = (source: HistorySource, trends: TrendBook): CallAnswers<typeof storyCalls> => ({
  restarts: async (query) => restartStory(query, await readStoryEvents(source, query), minuteOfDay),
  trend: (server) => trends.read(server),
});

/** Returns the minutes since midnight in the machine's time zone, because users think in local time ("at 3 a.m."). */
function minuteOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * 60 + date.getMinutes();
}
