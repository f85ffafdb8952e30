import type { WorkloadPlace } from '../../../../shared/panel-settings.ts';
import { workloadNameOf } from '../../../../shared/run-host.ts';
import { EngineApi } from '../containers/engine-api.ts';
import { clusterAccessOf, type ClusterAccessDeps } from './cluster-access.ts';
import { RESTARTED_AT } from './pod-status.ts';
import { missing, refusal, RIGHTS } from './workload-resource.ts';

/**
 * Restarts the pods of a Deployment, as `kubectl rollout restart` does; the pods of anything else have another owner.
 * @returns what was done, as a line @throws PanelError START_FAILED; another error where the cluster is not reached
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
  const { access, agents, namespace } = await clusterAccessOf(place, deps);
  const api = new EngineApi(agents, deps.clock, access);
  const at = now.toISOString().replace(/\.\d+/, '');
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
    if (status !== 200) throw refusal(place, RIGHTS.restart, words, status);
    return `${name}: its pods are restarted (${RESTARTED_AT}: ${at})`;
  } finally {
    api.cut();
  }
}
