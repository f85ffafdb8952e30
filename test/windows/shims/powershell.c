/*
 * powershell.exe for wine, whose own does nothing. It runs no script: for every line on stdin it prints the process
 * table as electron/core/platform/windows/helper-script.ts lets the real one print it, and ends with its stdin.
 * The figures come from NtQuerySystemInformation, because wine's GetProcessTimes of another process tells the caller's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <winternl.h>

/* A FILETIME counts 100 ns since 1601, a tick of .NET since the year 1. */
#define TICKS_AT_1601 504911232000000000ULL
#define STATUS_TOO_SHORT ((NTSTATUS)0xC0000004)

/* What winternl.h calls Reserved, by the offsets of 64-bit Windows. */
typedef struct {
  ULONG nextOffset;
  ULONG threadCount;
  LARGE_INTEGER reserved[3];
  ULONGLONG created;
  ULONGLONG userTime;
  ULONGLONG kernelTime;
  UNICODE_STRING name;
  ULONG_PTR basePriority;
  ULONG_PTR pid;
  ULONG_PTR parentPid;
  ULONG handleCount;
  ULONG sessionId;
  ULONG_PTR uniqueProcessKey;
  SIZE_T peakVirtualSize;
  SIZE_T virtualSize;
  ULONG pageFaultCount;
  SIZE_T peakWorkingSetSize;
  SIZE_T workingSetSize;
  SIZE_T quotas[4];
  SIZE_T pagefileUsage;
  SIZE_T peakPagefileUsage;
  SIZE_T privatePageCount;
  LARGE_INTEGER readOperations;
  LARGE_INTEGER writeOperations;
  LARGE_INTEGER otherOperations;
  LARGE_INTEGER bytesRead;
  LARGE_INTEGER bytesWritten;
} ProcessRecord;

static BYTE *buffer = NULL;
static ULONG bufferBytes = 1 << 18;

static BOOL readTable(void) {
  for (;;) {
    buffer = realloc(buffer, bufferBytes);
    if (buffer == NULL) return FALSE;
    ULONG neededBytes = 0;
    NTSTATUS status = NtQuerySystemInformation(SystemProcessInformation, buffer, bufferBytes, &neededBytes);
    if (status != STATUS_TOO_SHORT) return status == 0;
    bufferBytes *= 2;
  }
}

static void printRow(const ProcessRecord *process, BOOL isFirst) {
  char name[512] = "";
  WideCharToMultiByte(CP_UTF8, 0, process->name.Buffer, process->name.Length / sizeof(WCHAR), name, sizeof name - 1,
                      NULL, NULL);
  printf("%s\"%llu\\t%llu\\t%llu\\t%llu\\t%llu\\t%lu\\t%llu\\t%llu\\t%llu\\t%s\"", isFirst ? "" : ",",
         (ULONGLONG)process->pid, (ULONGLONG)process->parentPid, process->created + TICKS_AT_1601,
         (ULONGLONG)process->workingSetSize, (ULONGLONG)process->privatePageCount, process->handleCount,
         process->userTime, process->kernelTime, (ULONGLONG)process->bytesWritten.QuadPart, name);
}

static void printTable(const char *id) {
  if (!readTable()) {
    printf("{\"id\":\"%s\",\"error\":\"NtQuerySystemInformation failed\"}\n", id);
    return;
  }
  printf("{\"id\":\"%s\",\"rows\":[", id);
  const BYTE *at = buffer;
  for (BOOL isFirst = TRUE;; isFirst = FALSE) {
    const ProcessRecord *process = (const ProcessRecord *)at;
    printRow(process, isFirst);
    if (process->nextOffset == 0) break;
    at += process->nextOffset;
  }
  printf("]}\n");
}

int main(void) {
  char id[256];
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  while (fgets(id, sizeof id, stdin) != NULL) {
    id[strcspn(id, "\r\n")] = '\0';
    printTable(id);
    fflush(stdout);
  }
  return 0;
}
