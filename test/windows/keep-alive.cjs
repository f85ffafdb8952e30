// Loaded into every Node under wine 8, where a socket on which keep-alive is asked for before it is connected cannot be
// connected any more ("connect UNKNOWN"); Node's own `fetch` does so. Asked for once it is connected, it does no harm.
const { Socket } = require('node:net');

const { setKeepAlive } = Socket.prototype;

Socket.prototype.setKeepAlive = function (...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args);
  this.once('connect', () => setKeepAlive.apply(this, args));
  return this;
};
