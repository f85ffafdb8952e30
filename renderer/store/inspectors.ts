import type { CallProgress } from '../../shared/domain.ts';
import type { InspectorStore } from './inspector-store.ts';

/** Inspectors of all servers whose tools were opened. */
export interface Inspectors {
  of(server: string): InspectorStore;
  progressed(progress: CallProgress): void;
}

export function createInspectors(create: (server: string) => InspectorStore): Inspectors {
  const byServer = new Map<string, InspectorStore>();
  return {
    of(server) {
      const inspector = byServer.get(server) ?? create(server);
      byServer.set(server, inspector);
      return inspector;
    },
    progressed(progress) {
      for (const inspector of byServer.values()) inspector.progressed(progress);
    },
  };
}
