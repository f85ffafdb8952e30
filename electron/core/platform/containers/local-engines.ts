import { connect } from 'node:net';
import { agentsBy, EngineApi } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { dockerEvents, EngineLink, type EngineLinkOptions } from './engine-link.ts';
import { findEngineSocket } from './engine-socket.ts';

interface LocalEnginesOptions extends Pick<EngineLinkOptions, 'clock'> {
  /** Label `name=value` of the containers whose events are wanted. */
  readonly label: string;
  readonly onLost: (engine: string, reason: string) => void;
  readonly onBack: (engine: string, lostMs: number) => void;
}

/** Links to the engines that client programs on this machine reach: one link per engine, however many containers run on it. */
export class LocalEngines {
  readonly #options: LocalEnginesOptions;
  readonly #links = new Map<string, EngineLink>();

  constructor(options: LocalEnginesOptions) {
    this.#options = options;
  }

  /** Returns the link to the client program's engine; undefined if plain HTTP does not reach that engine. Never rejects. */
  async linkTo(client: EngineClient): Promise<EngineLink | undefined> {
    const socket = await findEngineSocket(client);
    if (socket === undefined) return undefined;
    const key = JSON.stringify(socket);
    const known = this.#links.get(key);
    if (known) return known;
    const { clock, label, onLost, onBack } = this.#options;
    const place = 'socketPath' in socket ? { path: socket.socketPath } : socket;
    const { engine: name } = client;
    const link = new EngineLink({
      ...{ name, clock, events: dockerEvents(label) },
      api: new EngineApi(
        agentsBy(() => connect(place)),
        clock,
      ),
      onLost: (reason) => onLost(name, reason),
      onBack: (lostMs) => onBack(name, lostMs),
    });
    this.#links.set(key, link);
    return link;
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
  }
}
