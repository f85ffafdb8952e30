/** Bytes of a MiB, the unit in which memory is limited and shown. */
export const BYTES_PER_MIB = 1024 * 1024;
