/** Ticks (100 ns) from the year 1, the epoch of .NET, to 1601, the epoch of FILETIME. */
const TICKS_AT_1601 = 504_911_232_000_000_000n;
const TICKS_AT_1970 = 621_355_968_000_000_000n;
/** Units of 100 ns, the resolution of the kernel, in a microsecond, the resolution of CIM. */
const UNITS_PER_MICROSECOND = 10n;
const TICKS_PER_MS = 10_000n;

/** Converts the kernel's start time to PowerShell's form, because either reader may have recorded the process. */
export function startTimeOfFileTime(fileTime: bigint): string {
  const whole = fileTime - (fileTime % UNITS_PER_MICROSECOND);
  return String(whole + TICKS_AT_1601);
}

/** Converts a start time to epoch milliseconds. */
export function epochMsOfTicks(ticks: string): number {
  return Number((BigInt(ticks) - TICKS_AT_1970) / TICKS_PER_MS);
}
