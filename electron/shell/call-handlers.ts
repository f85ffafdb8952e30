import type { CallHandlers } from '../../shared/ipc-contract.ts';
import type { ControlPanel } from '../core/panel/control-panel.ts';
import type { AppUsage } from './app-usage.ts';
import type { Updates } from './updates/updates.ts';

/** What the page may ask of the panel. Calls that come before the panel is ready wait for it. */
export function callHandlers(
  panel: Promise<ControlPanel>,
  updates: Updates,
  appUsage: () => AppUsage,
): CallHandlers {
  const command = async (run: (ready: ControlPanel) => Promise<void>): Promise<undefined> => {
    await run(await panel);
    return undefined;
  };
  return {
    getSnapshot: async () => (await panel).getSnapshot(),
    startServer: (name) => command((ready) => ready.servers.start(name)),
    stopServer: (name) => command((ready) => ready.servers.stop(name)),
    restartServer: (name) => command((ready) => ready.servers.restart(name)),
    putServer: (entry, basis) => command((ready) => ready.entries.put(entry, basis)),
    removeServer: (name) => command((ready) => ready.entries.remove(name)),
    getEntry: async (name) => (await panel).entries.get(name),
    setEnabled: (name, isEnabled) => command((ready) => ready.entries.setEnabled(name, isEnabled)),
    parseSnippet: async (text) => (await panel).entries.parseSnippet(text),
    testConnection: async (entry) => (await panel).entries.testConnection(entry),
    getPanelFigures: async () => ({ ...appUsage(), loop: (await panel).loopLateness() }),
    getSettings: async () => ({ settings: (await panel).settings.current }),
    putSettings: (patch) => command((ready) => ready.settings.update(patch)),
    findImports: async () => (await panel).entries.findImports(),
    disputeVerdict: (name) => command((ready) => ready.entries.disputeVerdict(name)),
    setLimits: (name, limits) => command((ready) => ready.entries.setLimits(name, limits)),
    setHealth: (name, health) => command((ready) => ready.entries.setHealth(name, health)),
    getOutput: async (name, afterId) => [...(await panel).output.since(name, afterId)],
    getEarlierOutput: async (name) => [...(await (await panel).output.earlier(name))],
    getSessions: async (name) => (await panel).sessions.view(name),
    evictSession: (name, generation) => command((ready) => ready.sessions.evict(name, generation)),
    setSharing: (name, mode) => command((ready) => ready.entries.setSharing(name, mode)),
    getOffer: async (name) => (await panel).sessions.offer(name),
    callServer: async (call) => (await panel).sessions.call(call),
    cancelCall: (callId) => command((ready) => Promise.resolve(ready.sessions.cancel(callId))),
    getUpdateState: () => Promise.resolve(updates.state),
    takeUpdateStep: (step) => updates.take(step),
    getHistory: async (name, sinceMs) => [...(await panel).output.history(name, sinceMs)],
  };
}
