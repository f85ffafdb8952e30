import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { storyCalls } from '../../../../shared/ipc/topics/story.ts';
import type { RestartStory, StoryQuery } from '../../../../shared/restart-story.ts';
import type { HistorySource } from '../../store/history-source.ts';
import { restartStory } from '../../story/restart-story.ts';
import { readStoryEvents } from '../../story/story-events.ts';

/** Restart history of servers. An unknown server has no restarts, which is no error. */
export class StoryTopic implements CallAnswers<typeof storyCalls> {
  readonly #source: HistorySource;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  async restarts(query: StoryQuery): Promise<RestartStory> {
    return restartStory(query, await readStoryEvents(this.#source, query), minuteOfDay);
  }
}

/** Minutes since midnight in the time zone of the machine, because users mean local time by "at 3 a.m.". */
function minuteOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * 60 + date.getMinutes();
}
