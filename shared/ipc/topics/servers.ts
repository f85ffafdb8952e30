import { call, named } from '../call.ts';

/** Commands to servers. */
export const serversCalls = {
  startServer: call({ method: 'start', args: named }),
  stopServer: call({ method: 'stop', args: named }),
  restartServer: call({ method: 'restart', args: named }),
  sleepServer: call({ method: 'sleep', args: named }),
};
