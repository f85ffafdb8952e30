import type { StdioServerConfig } from '../../../../shared/server-config.ts';

/** Data of the started command that help to explain its end. */
export interface Launch extends Pick<StdioServerConfig, 'command' | 'args' | 'env'> {
  /** Whole environment of the process, including the entry's `env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
