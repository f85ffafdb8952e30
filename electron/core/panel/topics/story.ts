import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { storyCalls } from '../../../../shared/ipc/topics/story.ts';
import type { RestartStory, StoryQuery } from '../../../../shared/restart-story.ts';
import type { HistorySource } from '../../store/history-source.ts';
import { restartStory } from '../../story/restart-story.ts';
import { readStoryEvents } from '../../story/story-events.ts';

/** Why servers restarted. A server that nobody knows has no story, which is no error. */
export class StoryTopic implements CallAnswers<typeof storyCalls> {
  readonly #source: HistorySource;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  async restarts(query: StoryQuery): Promise<RestartStory> {
    return restartStory(query, await readStoryEvents(this.#source, query), minuteOfDay);
  }
}

/** Minutes since midnight in the time zone of the machine, because "at 3 a.m." is a person's time. */
function minuteOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * 60 + date.getMinutes();
}
