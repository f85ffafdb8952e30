import type { CallHandlers } from '../../shared/ipc-contract.ts';
import type { ControlPanel } from '../core/control-panel-api.ts';
import type { Updates } from './updates/updates.ts';

/** What the page may ask of the panel. Calls that come before the panel is ready wait for it. */
export function callHandlers(panel: Promise<ControlPanel>, updates: Updates): CallHandlers {
  const command = async (run: (ready: ControlPanel) => Promise<void>): Promise<undefined> => {
    await run(await panel);
    return undefined;
  };
  return {
    getSnapshot: async () => (await panel).getSnapshot(),
    startServer: (name) => command((ready) => ready.startServer(name)),
    stopServer: (name) => command((ready) => ready.stopServer(name)),
    restartServer: (name) => command((ready) => ready.restartServer(name)),
    putServer: (entry, basis) => command((ready) => ready.putServer(entry, basis)),
    removeServer: (name) => command((ready) => ready.removeServer(name)),
    getEntry: async (name) => (await panel).manage.entry(name),
    setEnabled: (name, isEnabled) => command((ready) => ready.manage.setEnabled(name, isEnabled)),
    parseSnippet: async (text) => (await panel).manage.parseSnippet(text),
    testConnection: async (entry) => (await panel).manage.testConnection(entry),
    getSettings: async () => ({ settings: (await panel).settings.current.settings }),
    putSettings: (patch) => command((ready) => ready.settings.update(patch)),
    findImports: async () => (await panel).manage.findImports(),
    disputeVerdict: (name) => command((ready) => ready.disputeVerdict(name)),
    setLimits: (name, limits) => command((ready) => ready.manage.setLimits(name, limits)),
    setHealth: (name, health) => command((ready) => ready.manage.setHealth(name, health)),
    getOutput: async (name, afterId) => [...(await panel).getOutput(name, afterId)],
    getEarlierOutput: async (name) => [...(await (await panel).getEarlierOutput(name))],
    getSessions: async (name) => (await panel).getSessions(name),
    evictSession: (name, generation) => command((ready) => ready.evictSession(name, generation)),
    setSharing: (name, mode) => command((ready) => ready.setSharing(name, mode)),
    getOffer: async (name) => (await panel).getOffer(name),
    callServer: async (call) => (await panel).callServer(call),
    cancelCall: (callId) => command((ready) => Promise.resolve(ready.cancelCall(callId))),
    getUpdateState: () => Promise.resolve(updates.state),
    takeUpdateStep: (step) => updates.take(step),
    getHistory: async (name, sinceMs) => [...(await panel).getHistory(name, sinceMs)],
  };
}
