import type { ServerConfig } from '../../../shared/server-config.ts';
import { programName } from '../platform/wrapper-programs.ts';

const DEBUG_FLAG = /^--inspect(-brk|-wait)?(=|$)/;
const DEBUG_PROGRAM = /^(dlv|debugpy|debugpy-adapter)$/;

/**
 * The server is run under a debugger that stops it whenever its developer likes: Node's inspector flags, debugpy,
 * Delve. A tracer that attaches later is seen in the process table instead.
 */
export function runsUnderDebugger(config: ServerConfig): boolean {
  if (config.transport !== 'stdio') return false;
  const words = [programName(config.command), ...config.args];
  const nodeOptions = config.env['NODE_OPTIONS']?.split(/\s+/) ?? [];
  return (
    words.some((word) => DEBUG_PROGRAM.test(word) || DEBUG_FLAG.test(word)) ||
    nodeOptions.some((word) => DEBUG_FLAG.test(word))
  );
}
