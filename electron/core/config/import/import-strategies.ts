import { claudeCode } from './claude-code.ts';
import type { ImportStrategy } from './import-strategy.ts';
import { claudeDesktop, cursor, windsurf } from './mcp-servers-client.ts';
import { vsCode } from './vs-code.ts';

/** Every client whose servers can be taken over, in the order in which they are offered. */
export const importStrategies: readonly ImportStrategy[] = [
  claudeDesktop,
  claudeCode,
  vsCode,
  cursor,
  windsurf,
];
