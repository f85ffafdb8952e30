import { createHash } from 'node:crypto';

/** Label `name=value` of the containers of one home folder, which tells them from those of other panels. */
export const homeLabelOf = (home: string): string =>
  `mcp-control-panel.home=${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
