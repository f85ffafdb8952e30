import { Duplex } from 'node:stream';

/** A connection that `node:http` takes for a socket, and that is none: it has nothing to set. */
export class HttpSocket extends Duplex {
  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setTimeout(_ms: number): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
