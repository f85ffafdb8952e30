import type { Clock } from '../../clock.ts';
import type { EngineApi } from '../../platform/containers/engine-api.ts';
import { holdsWithin } from '../../wait.ts';

const REMOVAL_LIMIT_MS = 20_000;
const POLL_MS = 500;

/** Ends and removes a container, in any state. @throws if it may remain */
export async function removeContainer(
  api: EngineApi,
  clock: Clock,
  id: string,
  withVolumes: boolean,
): Promise<void> {
  let why = '';
  const isGone = async () => {
    const { status, words } = await api.ask('DELETE', `/containers/${id}?force=1&v=${withVolumes ? 1 : 0}`);
    why = words;
    // An engine that is already removing it refuses another removal (409).
    return status === 404 || status === 204;
  };
  if (!(await holdsWithin(clock, isGone, { limitMs: REMOVAL_LIMIT_MS, intervalMs: POLL_MS })))
    throw new Error(why);
}
