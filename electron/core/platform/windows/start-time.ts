/** From the year 1, where ticks of .NET begin, to 1601, where FILETIME begins; both count 100 ns. */
const TICKS_AT_1601 = 504_911_232_000_000_000n;
const TICKS_AT_1970 = 621_355_968_000_000_000n;
/** CIM tells microseconds, the kernel 100 ns. */
const UNITS_PER_MICROSECOND = 10n;
const TICKS_PER_MS = 10_000n;

/** A start that the kernel tells, as PowerShell prints it, because a panel may have to know what another reader has recorded. */
export function startTimeOfFileTime(fileTime: bigint): string {
  const whole = fileTime - (fileTime % UNITS_PER_MICROSECOND);
  return String(whole + TICKS_AT_1601);
}

/** The moment of a start time, in epoch milliseconds. */
export function epochMsOfTicks(ticks: string): number {
  return Number((BigInt(ticks) - TICKS_AT_1970) / TICKS_PER_MS);
}
