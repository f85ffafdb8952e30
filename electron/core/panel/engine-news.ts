import type { Journal } from '../journal/journal.ts';
import { isContainerId } from '../platform/containers/engine-client.ts';
import { shortId } from '../supervisor/custody/container-custody.ts';
import type { EngineHostOptions } from '../supervisor/host/engine-host.ts';

/** Writes the events about engines, here and elsewhere. */
export const engineNews = (journal: Journal): Pick<EngineHostOptions, 'onAdopted' | 'onBack' | 'onLost'> => ({
  onLost: (engine, reason) => journal.append(null, 'engine-lost', { engine, reason }),
  onBack: (engine, lostMs) => journal.append(null, 'engine-reached', { engine, lostMs }),
  onAdopted: (server, engine, id, { calls = [], generation: formerGeneration }) => {
    const container = isContainerId(id) ? shortId(id) : id;
    journal.append(server, 'adopted', { engine, container, calls, formerGeneration });
  },
});
