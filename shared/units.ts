/** A MiB, in which limits on memory are set and memory is shown. */
export const BYTES_PER_MIB = 1024 * 1024;
