/** Columns of a row in order, separated by tabs. See Win32_Process in Microsoft's reference of CIM classes. */
const COLUMNS = [
  'ProcessId',
  'ParentProcessId',
  'CreationDate',
  'WorkingSetSize',
  'PrivatePageCount',
  'HandleCount',
  'UserModeTime',
  'KernelModeTime',
  'WriteTransferCount',
  'Name',
] as const;

/**
 * PowerShell script that answers every line on stdin with one line of JSON on stdout, `{ "id": <the line>, "rows": [<row>, …] }`
 * or `{ "id", "error" }`, and ends with its stdin. CreationDate is printed in ticks (100 ns) of UTC.
 */
export const HELPER_SCRIPT = `
$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false
$columns = '${COLUMNS.join("','")}'
while ($null -ne ($id = [Console]::In.ReadLine())) {
  try {
    $rows = @(Get-CimInstance -ClassName Win32_Process -Property $columns | ForEach-Object {
      $process = $_
      ($columns | ForEach-Object {
        $value = $process.$_
        if ($value -is [DateTime]) { $value.ToUniversalTime().Ticks } else { $value }
      }) -join "\`t"
    })
    $reply = @{ id = $id; rows = $rows }
  } catch {
    $reply = @{ id = $id; error = [string]$_ }
  }
  [Console]::Out.WriteLine((ConvertTo-Json -Compress -InputObject $reply))
}
`;

/** Arguments for powershell.exe. The script is encoded, so that it needs no quoting. */
export const HELPER_ARGS = [
  '-NoLogo',
  '-NoProfile',
  '-NonInteractive',
  '-EncodedCommand',
  Buffer.from(HELPER_SCRIPT, 'utf16le').toString('base64'),
];
