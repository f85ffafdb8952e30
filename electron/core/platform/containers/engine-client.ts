import { z } from 'zod';
import type { ContainerEngine } from '../../../../shared/container-run.ts';
import type { Clock } from '../../clock.ts';
import { holdsWithin } from '../../wait.ts';
import type { EngineApi } from './engine-api.ts';
import type { RunCommand } from '../run-command.ts';

/** How to call a container engine's client (`docker`, `podman`) to reach the engine on which a container was started. */
export interface EngineClient {
  readonly engine: ContainerEngine;
  /** Program of the engine client, with its full path if that is known. */
  readonly file: string;
  /** Arguments before the subcommand, which specify the engine: `-H …`, `--context …`. */
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
}

/** Filter for the engine's list of containers: by container id, or by a label `name=value`. */
export type ContainerFilter = { readonly id: string } | { readonly label: string };

interface RemoveOptions {
  /** True if anonymous volumes are removed as well, as `--rm` does. */
  readonly withVolumes: boolean;
}

export interface ContainerState {
  readonly isRunning: boolean;
  readonly isPaused: boolean;
  /** Pid of the container's first process on the engine's machine; 0 while the container is not running. */
  readonly pid: number;
  /** True if the kernel killed a process of the container because memory ran out. */
  readonly isOutOfMemory: boolean;
  /** Exit code of the container's first process; 0 while it runs. */
  readonly exitCode: number;
  /** Memory limit in bytes that the engine enforces for the container; undefined without a limit. */
  readonly memoryLimitBytes?: number;
}

export interface EngineClientDeps {
  readonly run: RunCommand;
  readonly clock: Clock;
}

/**
 * Maximum ms for all attempts to remove containers. One attempt may not be enough, because an engine refuses to remove a
 * container while an earlier removal of it is still in progress.
 */
const REMOVAL_LIMIT_MS = 20_000;
const POLL_MS = 500;
/** Maximum milliseconds for one call of the client. Without this limit, the client of a hanging engine would never return. */
const CLIENT_TIMEOUT_MS = 15_000;
const FULL_ID = /^[0-9a-f]{64}$/;

export const isContainerId = (text: string): boolean => FULL_ID.test(text);

/**
 * Kills the containers that match the filter, in any state, and removes them. @returns the ids of the removed containers, and
 * whether all of them are gone @throws CommandError when the client does not reach its engine
 */
export async function removeContainers(
  deps: EngineClientDeps,
  client: EngineClient,
  filter: ContainerFilter,
  options: RemoveOptions,
): Promise<{ readonly ids: readonly string[]; readonly isGone: boolean }> {
  const ids = new Set<string>();
  const areGone = async () => {
    const listed = await listContainers(deps, client, filter);
    for (const id of listed) ids.add(id);
    const removals = listed.map((id) => removeOne(deps, client, id, options));
    return (await Promise.all(removals)).every((isRemoved) => isRemoved);
  };
  const isGone = await holdsWithin(deps.clock, areGone, { limitMs: REMOVAL_LIMIT_MS, intervalMs: POLL_MS });
  return { ids: [...ids], isGone };
}

/** Returns the state of a container; undefined if the engine has none with that id. @throws CommandError as `removeContainers` */
export async function inspectContainer(
  { run }: EngineClientDeps,
  client: EngineClient,
  id: string,
): Promise<ContainerState | undefined> {
  const told = await call(run, client, ['container', 'inspect', id]);
  const [found]: readonly unknown[] = JSON.parse(told) as unknown[];
  return containerStateOf(found);
}

/** Like `inspectContainer`, through the engine's HTTP API. Also returns undefined if the API is not reached. Never rejects. */
export const inspectByApi = (api: EngineApi | undefined, id: string): Promise<ContainerState | undefined> =>
  Promise.resolve(api?.ask('GET', `/containers/${id}/json`)).then(
    (answer) => containerStateOf(answer?.body),
    () => undefined,
  );

const inspectedSchema = z.object({
  State: z.object({
    Running: z.boolean(),
    Paused: z.boolean().catch(false),
    Pid: z.number().catch(0),
    OOMKilled: z.boolean().catch(false),
    ExitCode: z.number().catch(0),
  }),
  HostConfig: z.object({ Memory: z.number() }).partial().catch({}),
});

/** Parses an engine's description of one container. Undefined for anything else. */
export function containerStateOf(inspected: unknown): ContainerState | undefined {
  const read = inspectedSchema.safeParse(inspected);
  if (!read.success) return undefined;
  const { State: state, HostConfig: host } = read.data;
  return {
    isRunning: state.Running,
    isPaused: state.Paused,
    pid: state.Pid,
    isOutOfMemory: state.OOMKilled,
    exitCode: state.ExitCode,
    ...(host.Memory && { memoryLimitBytes: host.Memory }),
  };
}

/** Returns the full ids of the containers that match the filter, in any state. @throws CommandError as `removeContainers` */
export async function listContainers(
  { run }: EngineClientDeps,
  client: EngineClient,
  filter: ContainerFilter,
): Promise<readonly string[]> {
  const by = 'id' in filter ? `id=${filter.id}` : `label=${filter.label}`;
  const listed = await call(run, client, ['ps', '--all', '--quiet', '--no-trunc', '--filter', by]);
  const ids = listed.split(/\s+/).filter(isContainerId);
  // Some engines treat the id in the filter as a prefix, so their list may contain other containers.
  return 'id' in filter ? ids.filter((id) => id === filter.id) : ids;
}

/** Removes one container. Returns false when the engine refuses, for example because a removal is under way. */
async function removeOne(
  { run }: EngineClientDeps,
  client: EngineClient,
  id: string,
  { withVolumes }: RemoveOptions,
): Promise<boolean> {
  // `podman rm` would first ask the server to stop, and wait 10 s, so the container is killed first.
  if (client.engine === 'podman') await call(run, client, ['kill', id]).catch(() => '');
  const removal = ['rm', '--force', ...(withVolumes ? ['--volumes'] : []), id];
  return call(run, client, removal).then(
    () => true,
    () => false,
  );
}

function call(
  run: RunCommand,
  { file, options, env, cwd }: EngineClient,
  words: readonly string[],
): Promise<string> {
  return run(file, [...options, ...words], { env, cwd, timeoutMs: CLIENT_TIMEOUT_MS });
}
