import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { storyCalls } from '../../../../shared/ipc/topics/story.ts';
import type { HistorySource } from '../../store/history-source.ts';
import { restartStory } from '../../story/restart-story.ts';
import { readStoryEvents } from '../../story/story-events.ts';
import type { TrendBook } from '../../story/trend-book.ts';

/** Restarts and trends of servers. For an unknown server the result is empty, not an error. */
export const storyTopic = (source: HistorySource, trends: TrendBook): CallAnswers<typeof storyCalls> => ({
  restarts: async (query) => restartStory(query, await readStoryEvents(source, query), minuteOfDay),
  trend: (server) => trends.read(server),
});

/** Minutes since midnight in the time zone of the machine, because users mean local time by "at 3 a.m.". */
function minuteOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * 60 + date.getMinutes();
}
