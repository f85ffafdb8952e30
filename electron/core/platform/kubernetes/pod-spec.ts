import { refusedOption, type CreateBody } from '../elsewhere/container-spec.ts';

/** Name of the only container in a pod that the panel creates. */
export const CONTAINER = 'server';

const MAX_NAME_PART = 40;
const MAX_LABEL = 63;
const NANO_PER_MILLI = 1e6;

/**
 * Returns the pod that corresponds to a `docker run`. Its input stays open when a connection ends. Its processes share a
 * namespace, because a server that is the first process of its namespace would ignore SIGTERM. The pod has no rights in the
 * cluster.
 * @throws PanelError CONFIG_INVALID for options that the panel cannot apply to a pod
 */
export function podOf(
  body: CreateBody,
  { server, token }: { server: string; token: string },
  labels: object,
) {
  const { Image, Cmd, Entrypoint, WorkingDir, Env, HostConfig } = body;
  const { Memory, NanoCpus } = HostConfig;
  const limits = {
    ...(Memory !== undefined && { memory: String(Memory) }),
    ...(NanoCpus !== undefined && { cpu: `${Math.round(NanoCpus / NANO_PER_MILLI)}m` }),
  };
  const mounts = foldersOf(body);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podNameOf(server, token), labels: { ...body.Labels, ...labels } },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      shareProcessNamespace: true,
      volumes: mounts.map((_, index) => ({ name: `v${index}`, emptyDir: {} })),
      containers: [
        {
          name: CONTAINER,
          image: Image,
          stdin: true,
          stdinOnce: false,
          ...(Entrypoint && { command: Entrypoint }),
          ...(Cmd && { args: Cmd }),
          ...(WorkingDir !== undefined && { workingDir: WorkingDir }),
          env: Env.map((word) => {
            const at = word.indexOf('=');
            // `$(` is escaped, because a cluster would otherwise replace `$(NAME)` with the value of the variable `NAME`.
            return { name: word.slice(0, at), value: word.slice(at + 1).replaceAll('$(', '$$$$(') };
          }),
          resources: { limits },
          securityContext: securityOf(body),
          volumeMounts: mounts.map((mountPath, index) => ({ name: `v${index}`, mountPath })),
        },
      ],
    },
  };
}

/** Returns the name of a run's pod. It is always the same, so that a second attempt to create the pod cannot create another. */
function podNameOf(server: string, token: string): string {
  const word = server.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  return `mcp-${word.slice(0, MAX_NAME_PART)}-${token.slice(0, 12).toLowerCase()}`;
}

/**
 * Shortens a text to a valid value of a label, which must not begin or end with some characters, and has a lower maximum length
 * than the name of a server.
 */
export const labelValue = (text: string): string =>
  text
    .slice(0, MAX_LABEL)
    .replace(/^[._-]+/, '')
    .replace(/[._-]$/, '');

/** Paths at which the pod gets an empty folder. */
function foldersOf({ Volumes, HostConfig: { Binds, NetworkMode } }: CreateBody): readonly string[] {
  if (NetworkMode !== undefined) throw refused(`--network ${NetworkMode}`, 'is decided by network policies');
  const named = Binds.map((bind) => {
    const [source = '', path = ''] = bind.split(':');
    if (source.startsWith('/')) throw refused(`-v ${bind}`, 'names a folder of a node');
    return path;
  });
  return [...Object.keys(Volumes), ...named];
}

function securityOf({ User, HostConfig }: CreateBody): object {
  const { CapDrop, ReadonlyRootfs, SecurityOpt } = HostConfig;
  const [user, group] = User === undefined ? [] : User.split(':');
  for (const id of [user, group])
    if (id !== undefined && !/^\d+$/.test(id)) throw refused(`--user ${User ?? ''}`, 'needs numbers');
  for (const option of SecurityOpt)
    if (!/^no-new-privileges(?:[:=]true)?$/.test(option))
      throw refused(`--security-opt ${option}`, 'is not one that the panel passes on');
  return {
    ...(user !== undefined && { runAsUser: Number(user) }),
    ...(group !== undefined && { runAsGroup: Number(group) }),
    ...(ReadonlyRootfs !== undefined && { readOnlyRootFilesystem: ReadonlyRootfs }),
    ...(CapDrop.length > 0 && { capabilities: { drop: CapDrop } }),
    ...(SecurityOpt.length > 0 && { allowPrivilegeEscalation: false }),
  };
}

const refused = (option: string, why: string) => refusedOption(option, `${why} on a cluster`);
