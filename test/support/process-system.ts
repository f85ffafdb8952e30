import {
  kernelProcessSystem,
  type ProcessSystem,
  processTableForPlatform,
} from '../../electron/core/platform/process-system.ts';
import { loadNativeApi } from '../../electron/core/platform/windows/native-api.ts';

const windowsApi = process.platform === 'win32' ? await loadNativeApi() : undefined;

/**
 * Process access of the app on this machine. On Windows it uses the kernel, because figures of the PowerShell
 * fallback come every five seconds. The caller disposes the table.
 */
export function processSystemHere(): ProcessSystem {
  if (windowsApi !== undefined) return kernelProcessSystem(windowsApi);
  return { table: processTableForPlatform(), holding: (spawn) => spawn };
}
