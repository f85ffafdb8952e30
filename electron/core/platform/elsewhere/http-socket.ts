import { Duplex } from 'node:stream';

/** A connection that `node:http` uses like a socket. It is not one, so socket options have no effect. */
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
