import { claudeCode } from './claude-code.ts';
import type { ImportStrategy } from './import-strategy.ts';
import { claudeDesktop, cursor, windsurf } from './mcp-servers-client.ts';
import { vsCode } from './vs-code.ts';

/** All clients with importable servers, in the order in which they are offered. */
export const importStrategies: readonly ImportStrategy[] = [
  claudeDesktop,
  claudeCode,
  vsCode,
  cursor,
  windsurf,
];
