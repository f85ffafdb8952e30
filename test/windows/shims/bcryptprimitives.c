/*
 * bcryptprimitives.dll for wine 8, which has none. Addons written in Rust import ProcessPrng from it for their hash
 * seeds, and do not load without it.
 */
#include <windows.h>

/* RtlGenRandom: advapi32 exports the generator under this name alone. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
  while (length > 0) {
    ULONG part = length > 0x10000000 ? 0x10000000 : (ULONG)length;
    if (!SystemFunction036(buffer, part)) return FALSE;
    buffer += part;
    length -= part;
  }
  return TRUE;
}
