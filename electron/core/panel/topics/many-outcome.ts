import { PanelError } from '../../../../shared/error-codes.ts';

/** What became of a command to many servers. */
export interface ManyOutcome {
  /** Servers that were told, in the order of the configuration. */
  readonly servers: readonly string[];
  /** Those whose command failed, and why. A server that was told something else meanwhile is none of them. */
  readonly failures: readonly { readonly server: string; readonly error: unknown }[];
}

/** Gives the command to all servers at once and waits for each. Never rejects, because one server's failure is no one else's. */
export async function commandMany(
  servers: readonly string[],
  command: (server: string) => Promise<void>,
): Promise<ManyOutcome> {
  const failures = await Promise.all(
    servers.map((server) =>
      command(server).then(
        () => [],
        (error: unknown) => (isSuperseded(error) ? [] : [{ server, error }]),
      ),
    ),
  );
  return { servers, failures: failures.flat() };
}

const isSuperseded = (error: unknown): boolean => error instanceof PanelError && error.code === 'SUPERSEDED';
