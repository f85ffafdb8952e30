import type { SharingView } from '../../../shared/domain.ts';
import { stateToolsIn } from './state-tools.ts';

interface User {
  readonly id: string;
  readonly name: string;
}

type Meeting = NonNullable<SharingView['secondClient']>;

/** Which servers a second client has come to use in this run of the panel, and who the first two were. */
export class ClientMeetings {
  /** First users, by server. */
  readonly #first = new Map<string, User>();
  readonly #meetings = new Map<string, Meeting>();

  /** A client has called. Returns whether it is the second one. @param toolNames the server's, read for the second one alone */
  called(server: string, user: User, toolNames: () => readonly string[]): boolean {
    const first = this.#first.get(server);
    if (!first) this.#first.set(server, user);
    if (!first || first.id === user.id || this.#meetings.has(server)) return false;
    const stateTools = [...stateToolsIn(toolNames())];
    this.#meetings.set(server, {
      first: first.name,
      second: user.name,
      ...(stateTools.length > 0 && { stateTools }),
    });
    return true;
  }

  view(server: string): Meeting | undefined {
    return this.#meetings.get(server);
  }
}
