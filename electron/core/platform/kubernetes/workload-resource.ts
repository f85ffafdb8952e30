import { z } from 'zod';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { WorkloadPlace } from '../../../../shared/panel-settings.ts';
import { nameOfPlace, workloadNameOf } from '../../../../shared/run-host.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import { clusterApiOf, type ClusterAccessDeps } from './cluster-access.ts';
import { RESTARTED_AT, type PodState } from './pod-status.ts';

/** Right in the cluster that a Role must grant to the panel's account. */
interface Right {
  readonly verb: 'get' | 'list' | 'create' | 'patch';
  /** API group; empty for the core group. */
  readonly group: string;
  readonly resource: string;
}

export const RIGHTS = {
  deployment: { verb: 'get', group: 'apps', resource: 'deployments' },
  restart: { verb: 'patch', group: 'apps', resource: 'deployments' },
  service: { verb: 'get', group: '', resource: 'services' },
  pods: { verb: 'list', group: '', resource: 'pods' },
  create: { verb: 'create', group: '', resource: 'pods' },
  log: { verb: 'get', group: '', resource: 'pods/log' },
  forward: { verb: 'create', group: '', resource: 'pods/portforward' },
} satisfies Record<string, Right>;

const labels = z.record(z.string(), z.string());
const deploymentSchema = z.object({
  spec: z.object({
    replicas: z.number().optional(),
    selector: z.object({
      matchLabels: labels.optional(),
      matchExpressions: z
        .array(z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).optional() }))
        .optional(),
    }),
    template: z.object({ metadata: z.object({ annotations: labels.optional() }).optional() }).optional(),
  }),
});
const serviceSchema = z.object({
  spec: z.object({
    selector: labels.optional(),
    ports: z
      .array(z.object({ port: z.number(), targetPort: z.union([z.number(), z.string()]).optional() }))
      .optional(),
  }),
});
const customSchema = z.object({
  status: z.object({ phase: z.string().optional(), message: z.string().optional() }).optional(),
});
const discoverySchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      versions: z.array(
        z.object({
          version: z.string(),
          resources: z
            .array(
              z.object({
                resource: z.string(),
                responseKind: z.object({ kind: z.string() }).optional(),
              }),
            )
            .optional(),
        }),
      ),
    }),
  ),
});
/** Media type that requests one list of all resources of the cluster; clusters before 1.27 do not support it. */
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The properties of a Deployment, Service or MCPServer that determine which pods belong to it. */
export interface WorkloadResource {
  /** Selector for the labels of its pods, in the notation of an API request. */
  readonly selector: string;
  /** Number of pods that the Deployment is meant to have. */
  readonly replicas?: number | undefined;
  /** Time of the last restart that a user requested. Pods created before it have another value in their own `restartedAt`. */
  readonly restartedAt?: string | undefined;
  /** State of an MCPServer as its operator reports it. */
  readonly words?: string | undefined;
  /** Returns the pod's port to which the port in `runOn` leads; undefined if the pod has no port with the required name. */
  portIn(pod: PodState): number | undefined;
}

/** Finds the resource that `runOn` names. @throws PanelError START_FAILED; another error if the cluster is not reached */
export async function findWorkload(
  api: EngineApi,
  place: WorkloadPlace,
  namespace: string,
): Promise<WorkloadResource> {
  const where = `namespaces/${namespace}`;
  const read = (path: string, right: Right) => readResource(api, place, path, right);
  if ('service' in place) {
    const found = await read(`/api/v1/${where}/services/${place.service}`, RIGHTS.service);
    const { selector = {}, ports = [] } = serviceSchema.parse(found ?? missing(place)).spec;
    const words = selectorOf(selector);
    if (words === '')
      throw new PanelError('START_FAILED', `${workloadNameOf(place)} picks no pods: it has no selector.`, {
        remedy: 'Name the Deployment behind it in "runOn", or remove "runOn".',
      });
    const { targetPort = place.port } = ports.find(({ port }) => port === place.port) ?? {};
    const portIn = (pod: PodState) =>
      typeof targetPort === 'string' ? pod.ports.get(targetPort) : targetPort;
    return { selector: words, portIn };
  }
  const custom = 'mcpServer' in place ? await findCustom(api, place, where) : undefined;
  const name = 'mcpServer' in place ? place.mcpServer : place.deployment;
  const found = await read(`/apis/apps/v1/${where}/deployments/${name}`, RIGHTS.deployment);
  const { replicas, selector, template } = deploymentSchema.parse(
    found ??
      missing(place, custom === undefined ? undefined : `its operator has made no Deployment "${name}"`),
  ).spec;
  return {
    selector: selectorOf(selector.matchLabels, selector.matchExpressions),
    replicas,
    restartedAt: template?.metadata?.annotations?.[RESTARTED_AT],
    words: custom,
    portIn: () => place.port,
  };
}

/**
 * Restarts the pods of a Deployment, as `kubectl rollout restart` does. The pods of a Service or MCPServer are not restarted,
 * because a Deployment or an operator owns them, and not the resource that `runOn` names.
 * @returns one line for users that says what was done
 * @throws PanelError START_FAILED; another error if the cluster is not reached
 */
export async function restartWorkload(
  place: WorkloadPlace,
  deps: ClusterAccessDeps,
  now: Date,
): Promise<string> {
  const name = workloadNameOf(place);
  if (!('deployment' in place)) {
    const owner = 'service' in place ? 'the Deployment behind it' : 'its operator';
    return `${name}: only the session is opened again, because ${owner} makes its pods`;
  }
  const { api, namespace } = await clusterApiOf(place, deps);
  const at = `${now.toISOString().slice(0, 19)}Z`;
  try {
    const { status, words } = await api.ask(
      'PATCH',
      `/apis/apps/v1/namespaces/${namespace}/deployments/${place.deployment}`,
      {
        body: { spec: { template: { metadata: { annotations: { [RESTARTED_AT]: at } } } } },
        headers: { 'Content-Type': 'application/merge-patch+json' },
      },
    );
    if (status === 404) missing(place);
    if (status !== 200) throw clusterRefusal(nameOfPlace(place), RIGHTS.restart, words, status);
    return `${name}: its pods are restarted (${RESTARTED_AT}: ${at})`;
  } finally {
    api.cut();
  }
}

/** Returns the error for a refused request. If the Role of the panel's account does not allow it, the missing right is named. */
export function clusterRefusal(
  cluster: string,
  { group, resource, verb }: Right,
  words: string,
  status: number | undefined,
): PanelError {
  if (status !== 401 && status !== 403)
    return new PanelError('START_FAILED', `The cluster ${cluster} refused ${resource}: ${words}`);
  return new PanelError(
    'START_FAILED',
    `The Role of ${cluster} lacks the right "${verb}" on ${resource}: ${words}`,
    {
      remedy: `Add { apiGroups: ["${group}"], resources: [${resource}], verbs: [${verb}] } to the Role that docs/configuration.md shows.`,
    },
  );
}

/** Reads a resource; undefined if it does not exist. @throws PanelError START_FAILED */
async function readResource(
  api: EngineApi,
  place: WorkloadPlace,
  path: string,
  right: Right,
): Promise<unknown> {
  const { status, body, words } = await api.ask('GET', path);
  if (status === 404) return undefined;
  if (status !== 200) throw clusterRefusal(nameOfPlace(place), right, words, status);
  return body;
}

/** Finds the MCPServer. Any API group of the cluster may define that kind. @returns the state that its operator reports */
async function findCustom(
  api: EngineApi,
  place: WorkloadPlace & { mcpServer: string },
  where: string,
): Promise<string> {
  const { body } = await api.ask('GET', '/apis', { headers: { Accept: DISCOVERY } });
  const groups = discoverySchema.safeParse(body).data?.items ?? [];
  const kinds = groups.flatMap(({ metadata: { name: group }, versions }) => {
    // The cluster lists its preferred version first, so the first version with that kind is used.
    for (const { version, resources = [] } of versions) {
      const kind = resources.find(({ responseKind }) => responseKind?.kind === 'MCPServer');
      if (kind) return [{ group, version, resource: kind.resource }];
    }
    return [];
  });
  let problem: unknown;
  for (const { group, version, resource } of kinds) {
    const path = `/apis/${group}/${version}/${where}/${resource}/${place.mcpServer}`;
    const right: Right = { verb: 'get', group, resource };
    const found = await readResource(api, place, path, right).catch((error: unknown) => {
      problem = error;
    });
    const { phase, message } = customSchema.safeParse(found).data?.status ?? {};
    if (found !== undefined) return [phase, message].filter(Boolean).join(': ');
  }
  if (problem !== undefined) throw problem as Error;
  return missing(place, kinds.length === 0 ? 'the cluster has no resource of that kind' : undefined);
}

function selectorOf(
  matchLabels: Readonly<Record<string, string>> = {},
  expressions: z.infer<typeof deploymentSchema>['spec']['selector']['matchExpressions'] = [],
): string {
  const words = expressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  return [...Object.entries(matchLabels).map(([name, value]) => `${name}=${value}`), ...words].join(',');
}

function missing(place: WorkloadPlace, why = 'there is none'): never {
  throw new PanelError('START_FAILED', `${workloadNameOf(place)} is not in ${nameOfPlace(place)}: ${why}.`, {
    remedy: 'Correct "runOn" in the configuration.',
  });
}
