import type { PanelEvent } from './events.ts';

/** Whether an event is one of a further process of its server, which has an end of its own and no restarts. */
export const isOfExtraProcess = ({ detail }: Pick<PanelEvent, 'detail'>): boolean =>
  detail.instance !== undefined;
