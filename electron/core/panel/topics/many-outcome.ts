import { PanelError } from '../../../../shared/error-codes.ts';

/** Result of a command to many servers. */
export interface ManyOutcome {
  /** Servers that got the command, in the order of the configuration. */
  readonly servers: readonly string[];
  /** Servers whose command failed, with the errors. A superseded command is no failure. */
  readonly failures: readonly { readonly server: string; readonly error: unknown }[];
}

/** Sends the command to all servers at once and waits for all of them. Never rejects, because servers are independent. */
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
