/*
 * taskkill.exe for wine, whose own knows no /T. Ends the process of /PID and, with /T, what descends from it.
 * Exit codes as of Windows: 0 when ended, 128 when there is no such process, 1 otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <tlhelp32.h>

#define MAX_PROCESSES 8192
#define EXIT_NOT_FOUND 128

typedef struct {
  DWORD pid;
  DWORD parentPid;
} Entry;

static Entry entries[MAX_PROCESSES];
static int entryCount = 0;

static void readEntries(void) {
  HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
  PROCESSENTRY32 process = {.dwSize = sizeof process};
  BOOL hasMore = Process32First(snapshot, &process);
  for (; hasMore && entryCount < MAX_PROCESSES; hasMore = Process32Next(snapshot, &process)) {
    entries[entryCount].pid = process.th32ProcessID;
    entries[entryCount].parentPid = process.th32ParentProcessID;
    entryCount++;
  }
  CloseHandle(snapshot);
}

static BOOL exists(DWORD pid) {
  for (int i = 0; i < entryCount; i++) {
    if (entries[i].pid == pid) return TRUE;
  }
  return FALSE;
}

static BOOL endOne(DWORD pid) {
  HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, pid);
  if (process == NULL) return FALSE;
  BOOL isEnded = TerminateProcess(process, 1);
  CloseHandle(process);
  return isEnded;
}

/* Children first: a parent that is gone first could be asked for no children by a second call. */
static void endDescendants(DWORD pid, int depth) {
  if (depth > 64) return;
  for (int i = 0; i < entryCount; i++) {
    if (entries[i].parentPid != pid || entries[i].pid == pid) continue;
    endDescendants(entries[i].pid, depth + 1);
    endOne(entries[i].pid);
  }
}

int main(int argumentCount, char **arguments) {
  BOOL withTree = FALSE;
  BOOL isForced = FALSE;
  DWORD pid = 0;
  for (int i = 1; i < argumentCount; i++) {
    if (_stricmp(arguments[i], "/T") == 0) withTree = TRUE;
    if (_stricmp(arguments[i], "/F") == 0) isForced = TRUE;
    if (_stricmp(arguments[i], "/PID") == 0 && i + 1 < argumentCount) pid = strtoul(arguments[++i], NULL, 10);
  }
  readEntries();
  if (pid == 0 || !exists(pid)) {
    fprintf(stderr, "ERROR: The process \"%lu\" not found.\r\n", pid);
    return EXIT_NOT_FOUND;
  }
  /* Windows asks windows to close then; a program without one can only be ended by force. */
  if (!isForced) {
    fprintf(stderr, "ERROR: The process with PID %lu could not be terminated.\r\n", pid);
    return 1;
  }
  if (withTree) endDescendants(pid, 0);
  return endOne(pid) ? 0 : 1;
}
