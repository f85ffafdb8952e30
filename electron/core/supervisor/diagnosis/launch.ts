import type { StdioServerConfig } from '../../../../shared/server-config.ts';

/** What was started, as far as it tells why it ended. */
export interface Launch extends Pick<StdioServerConfig, 'command' | 'args' | 'env'> {
  /** All that the process was given, the entry's `env` included. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
