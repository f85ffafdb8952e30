import { Duplex } from 'node:stream';

/** A stream that `node:http` uses as if it were a socket. The socket options do nothing, because there is no real socket. */
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
