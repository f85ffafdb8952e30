/** Place where a server with a command line runs: on this machine, in a container, or in a pod of a cluster. */
export interface RunHost {
  readonly kind: 'process' | 'container' | 'pod';
}
