import { kernelProcessSystem, type ProcessSystem } from '../../electron/core/platform/process-system.ts';
import { processTableForPlatform } from '../../electron/core/platform/process-table-for-platform.ts';
import { loadNativeApi } from '../../electron/core/platform/windows/native-api.ts';

const windowsApi = process.platform === 'win32' ? await loadNativeApi() : undefined;

/**
 * What the app looks at processes with and holds them together by on this machine; on Windows the kernel, because figures
 * of the PowerShell that stands in for it come every five seconds. The caller disposes the table.
 */
export function processSystemHere(): ProcessSystem {
  if (windowsApi !== undefined) return kernelProcessSystem(windowsApi);
  return { table: processTableForPlatform(), holding: (spawn) => spawn };
}
