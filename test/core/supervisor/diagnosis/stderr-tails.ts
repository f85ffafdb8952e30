/** Tail of stderr of a real program that cannot go on, and what would mend it. */
interface GivenTail {
  readonly name: string;
  /** Text in which `» ` stands before the line that says why, where it is one of several. */
  readonly tail: string;
  /** Absent where it is that line, as it stands. */
  readonly cause?: string;
  /** Kind of the fix; absent where nothing is known. */
  readonly fix?: string;
  readonly remedy?: string;
}

const nodeTails: readonly GivenTail[] = [
  {
    name: 'hubspot: an uncaught Error',
    tail: String.raw`file:///home/ada/.npm/_npx/1a2b3c4d5e6f7081/node_modules/@hubspot/mcp-server/dist/utils/client.js:12
      throw new Error('HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN environment variable.');
            ^

» Error: HubSpot access token is required. Set PRIVATE_APP_ACCESS_TOKEN environment variable.
    at new HubspotClient (file:///home/ada/.npm/_npx/1a2b3c4d5e6f7081/node_modules/@hubspot/mcp-server/dist/utils/client.js:12:13)
    at file:///home/ada/.npm/_npx/1a2b3c4d5e6f7081/node_modules/@hubspot/mcp-server/dist/tools/index.js:4:16
    at ModuleJob.run (node:internal/modules/esm/module_job:345:25)
    at async onImport.tracePromise.__proto__ (node:internal/modules/esm/loader:665:26)

Node.js v24.21.0
`,
    fix: 'set-variable',
    remedy: "Set PRIVATE_APP_ACCESS_TOKEN in the server's environment.",
  },
  {
    name: 'slack-mcp-server: a Go program behind a wrapper of Node',
    tail: String.raw`2026-08-31T08:31:02.114Z	FATAL	slack-mcp-server/main.go:71	Authentication required: Either SLACK_MCP_XOXP_TOKEN, SLACK_MCP_XOXB_TOKEN, or both SLACK_MCP_XOXC_TOKEN and SLACK_MCP_XOXD_TOKEN environment variables must be provided	{"context": "console"}
node:internal/errors:985
  const err = new Error(message);
              ^

Error: Command failed: /home/ada/.npm/_npx/9f/node_modules/slack-mcp-server-linux-amd64/bin/slack-mcp-server-linux-amd64 --transport stdio
    at genericNodeError (node:internal/errors:985:15)
    at wrappedFn (node:internal/errors:539:14)
    at checkExecSyncError (node:child_process:920:11)
    at Object.execFileSync (node:child_process:956:15)
    at Object.<anonymous> (/home/ada/.npm/_npx/9f/node_modules/slack-mcp-server/bin/index.js:44:14) {
  status: 1,
  signal: null,
  output: [ null, null, null ],
  pid: 21042,
  stdout: null,
  stderr: null
}

Node.js v24.21.0
npm notice
npm notice New minor version of npm available! 11.6.2 -> 11.9.0
npm notice To update run: npm install -g npm@11.9.0
npm notice
`,
    cause:
      'FATAL slack-mcp-server/main.go:71 Authentication required: Either SLACK_MCP_XOXP_TOKEN, SLACK_MCP_XOXB_TOKEN, or both SLACK_MCP_XOXC_TOKEN and SLACK_MCP_XOXD_TOKEN environment variables must be provided',
    fix: 'set-variable',
    remedy:
      "Set SLACK_MCP_XOXP_TOKEN, SLACK_MCP_XOXB_TOKEN or SLACK_MCP_XOXC_TOKEN in the server's environment.",
  },
  {
    name: 'slack of the reference servers: a sentence and nothing else',
    tail: 'Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables\n',
    fix: 'set-variable',
    remedy: "Set SLACK_BOT_TOKEN and SLACK_TEAM_ID in the server's environment.",
  },
  {
    name: 'svelte: an unhandled rejection whose cause has the address',
    tail: String.raw`node:internal/process/promises:394
      triggerUncaughtException(err, true /* fromPromise */);
      ^

TypeError: fetch failed
    at node:internal/deps/undici/undici:16416:13
    at process.processTicksAndRejections (node:internal/process/task_queues:103:5)
    at async get_sections (file:///home/ada/.npm/_npx/77/node_modules/@sveltejs/mcp/dist/index.js:4211:22) {
  [cause]: Error: getaddrinfo ENOTFOUND svelte.dev
      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
    errno: -3008,
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'svelte.dev'
  }
}

Node.js v24.21.0
`,
    cause: 'Error: getaddrinfo ENOTFOUND svelte.dev',
    fix: 'check-network',
    remedy: 'Check that this machine is online and that the address svelte.dev is right.',
  },
  {
    name: 'brave: the message, then a word about it',
    tail: `» Error: A Brave API key is required via --brave-api-key, BRAVE_API_KEY, or MCP_BRAVE_API_KEY
Invalid configuration
`,
    fix: 'set-variable',
    remedy: "Set BRAVE_API_KEY or MCP_BRAVE_API_KEY in the server's environment.",
  },
  {
    name: 'sentry: the message, then how to call it',
    tail: `» Error: No access token was provided. Run \`sentry-mcp auth login\` to authenticate, or pass one with --access-token or SENTRY_ACCESS_TOKEN.

Usage: sentry-mcp [options]

Examples:
  @sentry/mcp-server --access-token=[redacted]
  @sentry/mcp-server --access-token=[redacted] --agent-provider=openrouter
`,
    fix: 'set-variable',
    remedy: "Set SENTRY_ACCESS_TOKEN in the server's environment.",
  },
  {
    name: 'mcp-remote: a fatal error with a cause, ended by braces',
    tail: String.raw`[14804] Using automatically selected callback port: 24602
[14804] Discovering OAuth server configuration...
[14804] [14804] Connecting to remote server: https://mcp.linear.app/mcp
[14804] Using transport strategy: http-first
[14804] Connection error: TypeError: fetch failed
    at node:internal/deps/undici/undici:16416:13
    at process.processTicksAndRejections (node:internal/process/task_queues:103:5)
    at async StreamableHTTPClientTransport.send (file:///home/ada/.npm/_npx/70/node_modules/mcp-remote/dist/chunk-65X3S4HB.js:12466:24) {
  [cause]: Error: getaddrinfo ENOTFOUND mcp.linear.app
      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
    errno: -3008,
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'mcp.linear.app'
  }
}
[14804] Fatal error: TypeError: fetch failed
    at node:internal/deps/undici/undici:16416:13
    at process.processTicksAndRejections (node:internal/process/task_queues:103:5) {
  [cause]: Error: getaddrinfo ENOTFOUND mcp.linear.app
      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
    errno: -3008,
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'mcp.linear.app'
  }
}
`,
    cause: 'Error: getaddrinfo ENOTFOUND mcp.linear.app',
    fix: 'check-network',
  },
  {
    name: 'stripe: logs its fatal error',
    tail: '🚨  Error initializing Stripe MCP server:\n\n  fetch failed: getaddrinfo ENOTFOUND mcp.stripe.com\n',
    cause: 'fetch failed: getaddrinfo ENOTFOUND mcp.stripe.com',
    fix: 'check-network',
  },
  {
    name: 'a script that is not there',
    tail: String.raw`node:internal/modules/cjs/loader:1228
  throw err;
  ^

» Error: Cannot find module '/home/ada/servers/weather/build/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:173:12)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`,
    fix: 'check-path',
    remedy:
      'Check that /home/ada/servers/weather/build/index.js is there, and that its path in the configuration is right.',
  },
  {
    name: 'a placeholder of another client in a path',
    tail: String.raw`node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/home/ada/\${workspaceFolder}/tool.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`.replace('\\$', '$'),
    cause: "Error: Cannot find module '/home/ada/${workspaceFolder}/tool.js'",
    fix: 'replace-placeholder',
    remedy: 'Put the value itself in the place of ${workspaceFolder} in its configuration.',
  },
  {
    name: 'a placeholder of another client as a URL',
    tail: String.raw`node:internal/url:816
    href = bindingUrl.parse(input, base, true);
                      ^

TypeError: Invalid URL
    at new URL (node:internal/url:816:25)
    at Object.<anonymous> (/srv/pg/index.js:9:21) {
  code: 'ERR_INVALID_URL',
  input: '$[input:pg-url]'
}

Node.js v20.20.2
`.replace('$[input:pg-url]', '${input:pg-url}'),
    cause: "TypeError: Invalid URL (input: '${input:pg-url}')",
    fix: 'replace-placeholder',
  },
  {
    name: 'several variables in a list',
    tail: String.raw`file:///srv/notion/index.mjs:1
throw new Error("Missing required environment variables:\n- NOTION_TOKEN\n- NOTION_DB_ID")
      ^

Error: Missing required environment variables:
- NOTION_TOKEN
- NOTION_DB_ID
    at file:///srv/notion/index.mjs:1:7
    at ModuleJob.run (node:internal/modules/esm/module_job:343:25)

Node.js v24.21.0
`,
    cause: 'Error: Missing required environment variables: NOTION_TOKEN',
    fix: 'set-variable',
    remedy: "Set NOTION_TOKEN and NOTION_DB_ID in the server's environment.",
  },
  {
    name: 'an error with a cause, which says what it was about',
    tail: String.raw`file:///srv/app/index.mjs:1
try { JSON.parse("{bad") } catch (e) { throw new Error("cannot read the configuration", { cause: e }) }
                                             ^

Error: cannot read the configuration
    at file:///srv/app/index.mjs:1:46
    at async node:internal/modules/esm/loader:639:26 {
  [cause]: SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)
      at JSON.parse (<anonymous>)
      at file:///srv/app/index.mjs:1:12
}

Node.js v24.21.0
`,
    cause:
      "Error: cannot read the configuration: SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
  },
  {
    name: 'a package that is not installed (ESM)',
    tail: String.raw`node:internal/modules/package_json_reader:266
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

» Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/weather/server.js
    at Object.getPackageJSONURL (node:internal/modules/package_json_reader:266:9)
    at packageResolve (node:internal/modules/esm/resolve:767:81) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v22.17.0
`,
    fix: 'install-module',
    remedy: 'Install zod where the server runs, or correct its command.',
  },
  {
    name: 'a package that is not installed (CommonJS), with what asked for it',
    tail: String.raw`node:internal/modules/cjs/loader:1404
  const err = new Error(message);
              ^

» Error: Cannot find module 'express'
Require stack:
- /srv/old/lib/app.js
- /srv/old/server.js
    at Function._resolveFilename (node:internal/modules/cjs/loader:1404:15)
    at defaultResolveImpl (node:internal/modules/cjs/loader:1058:19) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/srv/old/lib/app.js', '/srv/old/server.js' ]
}

Node.js v22.17.0
`,
    fix: 'install-module',
  },
  {
    name: 'a rejection with no Error',
    tail: String.raw`node:internal/process/promises:394
      triggerUncaughtException(err, true /* fromPromise */);
      ^

[UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "no token".] {
  code: 'ERR_UNHANDLED_REJECTION'
}

Node.js v22.17.0
`,
    cause: 'no token',
  },
  {
    name: 'a thrown text',
    tail: String.raw`/srv/thrown.js:3
  throw "the index is damaged";
  ^
» the index is damaged
(Use ${'`node --trace-uncaught ...`'} to show where the exception was thrown)

Node.js v22.17.0
`,
  },
  {
    name: 'a syntax error',
    tail: String.raw`/srv/broken/server.js:14
  const reply = ;
                ^

» SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1638:18)
    at Module._compile (node:internal/modules/cjs/loader:1680:20)
    at node:internal/main/run_main_module:36:49

Node.js v22.17.0
`,
  },
  {
    name: 'a port in use',
    tail: String.raw`node:events:502
      throw er; // Unhandled 'error' event
      ^

» Error: listen EADDRINUSE: address already in use 127.0.0.1:3000
    at Server.setupListenHandle [as _listen2] (node:net:1937:16)
    at listenInCluster (node:net:1994:12)
    at node:net:2203:7
Emitted 'error' event on Server instance at:
    at emitErrorNT (node:net:1973:8)
    at process.processTicksAndRejections (node:internal/process/task_queues:90:21) {
  code: 'EADDRINUSE',
  errno: -98,
  syscall: 'listen',
  address: '127.0.0.1',
  port: 3000
}

Node.js v22.17.0
`,
    fix: 'free-port',
    remedy: 'Another program uses port 3000: end it, or give the server another port.',
  },
  {
    name: 'a database that is not there, tried at two addresses',
    tail: String.raw`AggregateError [ECONNREFUSED]:
    at internalConnectMultiple (node:net:1139:18)
    at afterConnectMultiple (node:net:1712:7) {
  code: 'ECONNREFUSED',
  [errors]: [
    Error: connect ECONNREFUSED ::1:5432
        at createConnectionError (node:net:1675:14)
        at afterConnectMultiple (node:net:1705:16) {
      errno: -111,
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '::1',
      port: 5432
    },
    » Error: connect ECONNREFUSED 127.0.0.1:5432
        at createConnectionError (node:net:1675:14)
        at afterConnectMultiple (node:net:1705:16) {
      errno: -111,
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '127.0.0.1',
      port: 5432
    }
  ]
}

Node.js v22.17.0
`,
    fix: 'check-service',
  },
  {
    name: 'zod: a list of issues',
    tail: String.raw`file:///srv/app/config.js:8
const config = schema.parse(process.env);
                      ^

ZodError: [
  {
    "code": "invalid_type",
    "expected": "string",
    "received": "undefined",
    "path": [
      "NOTION_TOKEN"
    ],
    "message": "Required"
  }
]
    at get error [as error] (file:///srv/app/node_modules/zod/v3/types.js:39:31)
    at file:///srv/app/config.js:8:23 {
  issues: [
    {
      code: 'invalid_type',
      expected: 'string'
    }
  ]
}

Node.js v22.17.0
`,
    cause: 'ZodError: NOTION_TOKEN: Required',
    fix: 'set-variable',
  },
  {
    name: 'too little memory',
    tail: String.raw`
<--- Last few GCs --->

[4021:0x5581d0]    41872 ms: Mark-Compact 2046.1 (2083.9) -> 2045.3 (2084.1) MB, pooled: 0 MB, 812.34 / 0.00 ms  (average mu = 0.087, current mu = 0.011) allocation failure; scavenge might not succeed


<--- JS stacktrace --->

» FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0xaaae2f node::Abort() [node]
 2: 0xb64f9e v8::Utils::ReportOOMFailure(v8::internal::Isolate*, char const*, v8::OOMDetails const&) [node]
`,
    fix: 'free-memory',
  },
  {
    name: 'a runtime that is too old',
    tail: String.raw`node:internal/modules/cjs/loader:1145
      throw new ERR_UNKNOWN_BUILTIN_MODULE(id);
            ^

» Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite
    at Module._load (node:internal/modules/cjs/loader:1145:13)
    at require (node:internal/modules/helpers:182:18) {
  code: 'ERR_UNKNOWN_BUILTIN_MODULE'
}

Node.js v20.20.2
`,
    fix: 'update-runtime',
  },
];

const installerTails: readonly GivenTail[] = [
  {
    name: 'npx: a typo in the package',
    tail: `npm error code E404
» npm error 404 Not Found - GET https://registry.npmjs.org/@modelcontextprotocol%2fserver-evrything - Not found
npm error 404
npm error 404  The requested resource '@modelcontextprotocol/server-evrything@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'check-package',
    remedy:
      'Check the name and version of the package @modelcontextprotocol/server-evrything in its arguments.',
  },
  {
    name: 'npx: a version that does not exist',
    tail: `npm error code ETARGET
» npm error notarget No matching version found for mcp-remote@99.0.0.
npm error notarget In most cases you or one of your dependencies are requesting
npm error notarget a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'check-package',
  },
  {
    name: 'npx: no network',
    tail: `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
» npm error network request to https://registry.npmjs.org/mcp-remote failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org
npm error network This is a problem related to network connectivity.
npm error network In most cases you are behind a proxy or have bad network settings.
npm error network
npm error network If you are behind a proxy, please make sure that the
npm error network 'proxy' config is set properly.  See: 'npm help config'
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'check-network',
  },
  {
    name: 'npx: files of root in the cache',
    tail: `npm error code EACCES
npm error syscall mkdir
npm error path /home/ada/.npm/_cacache/content-v2/sha512/8e
npm error errno EACCES
npm error
» npm error Your cache folder contains root-owned files, due to a bug in
npm error previous versions of npm which has since been addressed.
npm error
npm error To permanently fix this problem, please run:
npm error   sudo chown -R 1000:1000 "/home/ada/.npm"
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'allow-access',
  },
  {
    name: 'npx: a damaged cache',
    tail: `npm warn tarball tarball data for zod@https://registry.npmjs.org/zod/-/zod-3.25.76.tgz (sha512-gzUt==) seems to be corrupted. Trying again.
npm error code EINTEGRITY
» npm error sha512-gzUt/qt81nXsFGKIFcC3YnfEAx5NkunCfnDlvuBSSFS02bcXu4Lmea0AFIUwbLWxWPx3d9p8S5QoaujKcNQxcQ== integrity checksum failed when using sha512: wanted sha512-gzUt/qt81nXsFGKI== but got sha512-z4PhNX7vuL3xVChQ1m2AB9Yg==. (1 bytes)
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'repair-cache',
  },
  {
    name: 'npx: a full disk',
    tail: `npm error code ENOSPC
npm error syscall write
npm error errno ENOSPC
» npm error nospc ENOSPC: no space left on device, write
npm error nospc There appears to be insufficient space on your system to finish.
npm error nospc Clear up some disk space and try again.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'free-disk',
  },
  {
    name: 'npx: a package without a program',
    tail: `» npm ERR! could not determine executable to run

npm ERR! A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'check-package',
  },
  {
    name: 'npx: an install script that says why',
    tail: String.raw`npm error code 1
npm error path /home/ada/.npm/_npx/8f/node_modules/puppeteer
npm error command failed
npm error command sh -c node install.mjs
npm error **INFO** Skipping Firefox download as instructed.
» npm error Error: ERROR: Failed to set up chrome v131.0.6778.108! Set "PUPPETEER_SKIP_DOWNLOAD" env variable to skip download.
npm error     at downloadBrowser (file:///home/ada/.npm/_npx/8f/node_modules/puppeteer/lib/esm/puppeteer/node/install.js:26:15)
npm error     at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-08-31T08_40_21_311Z-debug-0.log
`,
    fix: 'set-variable',
  },
  {
    name: 'pnpm dlx: a package that does not exist',
    tail: ` ERR_PNPM_FETCH_404  GET https://registry.npmjs.org/server-evrything: Not Found - 404

This error happened while installing a direct dependency of /home/ada/.cache/pnpm/dlx/4d

server-evrything is not in the npm registry, or you have no permission to fetch it.

No authorization header was set for the request.
`,
    cause: 'ERR_PNPM_FETCH_404 GET https://registry.npmjs.org/server-evrything: Not Found - 404',
    fix: 'check-package',
  },
  {
    name: 'bunx: a package that does not exist',
    tail: `Resolving dependencies
Resolved, downloaded and extracted [2]
» error: GET https://registry.npmjs.org/server-evrything - 404
`,
    fix: 'check-package',
  },
  {
    name: 'uvx: a typo in the package',
    tail: `  × No solution found when resolving tool dependencies:
  ╰─▶ Because mcp-server-fech was not found in the package registry and you
      require mcp-server-fech, we can conclude that your requirements are
      unsatisfiable.
`,
    cause:
      'No solution found when resolving tool dependencies: Because mcp-server-fech was not found in the package registry and you require mcp-server-fech, we can conclude that your requirements are unsatisfiable.',
    fix: 'check-package',
  },
  {
    name: 'uvx: a program that the package does not hold',
    tail: `Installed 12 packages in 41ms
» An executable named \`mcp-git\` is not provided by package \`mcp-server-git\`.
The following executables are available:
- mcp-server-git

Use \`uvx --from mcp-server-git mcp-server-git\` instead.
`,
    fix: 'check-package',
  },
  {
    name: 'uvx: no network',
    tail: `⠋ Resolving dependencies...
error: Failed to fetch: \`https://pypi.org/simple/mcp-server-fetch/\`
  Caused by: Request failed after 3 retries
  Caused by: error sending request for url (https://pypi.org/simple/mcp-server-fetch/)
  Caused by: client error (Connect)
  Caused by: dns error
  Caused by: failed to lookup address information: Temporary failure in name resolution
`,
    cause:
      'error: Failed to fetch: `https://pypi.org/simple/mcp-server-fetch/`: failed to lookup address information: Temporary failure in name resolution',
    fix: 'check-network',
  },
  {
    name: 'uv run: a program that is not there',
    tail: `error: Failed to spawn: \`weather-server\`
  Caused by: No such file or directory (os error 2)
`,
    cause: 'error: Failed to spawn: `weather-server`: No such file or directory (os error 2)',
    fix: 'install-command',
  },
  {
    name: 'pip: a build that fails',
    tail: `  error: subprocess-exited-with-error

  × python setup.py egg_info did not run successfully.
  │ exit code: 1
  ╰─> [4 lines of output]
      Traceback (most recent call last):
        File "<string>", line 2, in <module>
        File "/tmp/pip-install-2/psycopg2/setup.py", line 18, in <module>
          import pg_config
      » ModuleNotFoundError: No module named 'pg_config'
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
error: metadata-generation-failed

× Encountered error while generating package metadata.
╰─> See above for output.
`,
    fix: 'install-module',
  },
];

const pythonTails: readonly GivenTail[] = [
  {
    name: 'a module that is not installed',
    tail: `Traceback (most recent call last):
  File "/srv/weather/server.py", line 3, in <module>
    from mcp.server.fastmcp import FastMCP
» ModuleNotFoundError: No module named 'mcp'
`,
    fix: 'install-module',
    remedy: 'Install mcp where the server runs, or correct its command.',
  },
  {
    name: 'a variable that is not set, by its KeyError',
    tail: `Traceback (most recent call last):
  File "/srv/jira/server.py", line 11, in <module>
    TOKEN = os.environ["JIRA_API_TOKEN"]
            ~~~~~~~~~~^^^^^^^^^^^^^^^^^^
  File "<frozen os>", line 714, in __getitem__
» KeyError: 'JIRA_API_TOKEN'
`,
    fix: 'set-variable',
    remedy: "Set JIRA_API_TOKEN in the server's environment.",
  },
  {
    name: 'an exception that follows another one',
    tail: `Traceback (most recent call last):
  File "/srv/db/server.py", line 8, in load
    return settings["dsn"]
KeyError: 'dsn'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/db/server.py", line 21, in <module>
    main()
  File "/srv/db/server.py", line 15, in main
    raise ValueError("DATABASE_URL environment variable is required") from None
» ValueError: DATABASE_URL environment variable is required
`,
    fix: 'set-variable',
    remedy: "Set DATABASE_URL in the server's environment.",
  },
  {
    name: 'FastMCP: an exception in a group',
    tail: `  + Exception Group Traceback (most recent call last):
  |   File "/srv/api/server.py", line 40, in <module>
  |     mcp.run()
  |   File "/srv/api/.venv/lib/python3.12/site-packages/anyio/_backends/_asyncio.py", line 772, in __aexit__
  |     raise BaseExceptionGroup(
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/srv/api/server.py", line 22, in lifespan
    |     await connect()
    |   File "/srv/api/db.py", line 9, in connect
    |     raise ConnectionError("the database at db.internal:5432 does not answer")
    | ConnectionError: the database at db.internal:5432 does not answer
    +------------------------------------
`,
    cause: 'ConnectionError: the database at db.internal:5432 does not answer',
  },
  {
    name: 'FastMCP: a traceback that rich has drawn',
    tail: `╭─────────────────────────── Traceback (most recent call last) ───────────────────────────╮
│ /srv/api/server.py:12 in <module>                                                       │
│                                                                                         │
│    9                                                                                    │
│   10 mcp = FastMCP("api")                                                               │
│ ❱ 12 raise RuntimeError("cannot read the catalogue")                                    │
╰─────────────────────────────────────────────────────────────────────────────────────────╯
» RuntimeError: cannot read the catalogue
`,
  },
  {
    name: 'pydantic: settings that are missing',
    tail: `Traceback (most recent call last):
  File "/srv/notes/server.py", line 14, in <module>
    settings = Settings()
               ^^^^^^^^^^
  File "/srv/notes/.venv/lib/python3.12/site-packages/pydantic/main.py", line 253, in __init__
    validated_self = self.__pydantic_validator__.validate_python(data, self_instance=self)
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings
api_key
  Field required [type=missing, input_value={}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.11/v/missing
`,
    cause:
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings: api_key: Field required',
  },
  {
    name: 'argparse: an option that is missing',
    tail: `usage: mcp-server-git [-h] --repository REPOSITORY
» mcp-server-git: error: the following arguments are required: --repository
`,
    fix: 'check-arguments',
  },
  {
    name: 'click: an option that is missing, in a box',
    tail: `Usage: server.py [OPTIONS]
Try 'server.py --help' for help.
╭─ Error ──────────────────────────────────────────────────────────╮
│ Missing option '--api-key'.                                      │
╰──────────────────────────────────────────────────────────────────╯
`,
    cause: "Missing option '--api-key'.",
    fix: 'check-arguments',
  },
  {
    name: 'a script that is not there',
    tail: "python3: can't open file '/home/ada/weather.py': [Errno 2] No such file or directory\n",
    fix: 'check-path',
  },
  {
    name: 'log lines before the end',
    tail: `2026-08-31 08:31:01,201 - mcp.server - INFO - starting
2026-08-31 08:31:01,377 - mcp.server - WARNING - CACHE_DIR not set, using the default
2026-08-31 08:31:02,001 - mcp.server - ERROR - the index /srv/index.db is damaged
2026-08-31 08:31:02,002 - mcp.server - INFO - shutting down
`,
    cause: 'mcp.server - ERROR - the index /srv/index.db is damaged',
  },
];

const containerTails: readonly GivenTail[] = [
  {
    name: 'docker: the engine does not run',
    tail: `» docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

Run 'docker run --help' for more information
`,
    fix: 'start-engine',
    remedy: 'Start Docker, then start the server.',
  },
  {
    name: 'docker: the engine does not run (Windows)',
    tail: `» docker: error during connect: Head "http://%2F%2F.%2Fpipe%2FdockerDesktopLinuxEngine/_ping": open //./pipe/dockerDesktopLinuxEngine: The system cannot find the file specified.

Run 'docker run --help' for more information
`,
    fix: 'start-engine',
  },
  {
    name: 'docker: no permission for the socket',
    tail: `» docker: permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: Head "http://%2Fvar%2Frun%2Fdocker.sock/_ping": dial unix /var/run/docker.sock: connect: permission denied.
See 'docker run --help'.
`,
    fix: 'allow-engine',
  },
  {
    name: 'docker: an image that does not exist',
    tail: `Unable to find image 'mcp/githubb:latest' locally
» docker: Error response from daemon: pull access denied for mcp/githubb, repository does not exist or may require 'docker login': denied: requested access to the resource is denied

Run 'docker run --help' for more information
`,
    fix: 'check-image',
  },
  {
    name: 'docker: a name that is taken',
    tail: `» docker: Error response from daemon: Conflict. The container name "/pg" is already in use by container "2bd1c5b8a2f0". You have to remove (or rename) that container to be able to reuse that name.

Run 'docker run --help' for more information
`,
    fix: 'remove-container',
    remedy: 'Remove the container pg, or take "--name" out of the arguments.',
  },
  {
    name: 'docker: a tag that does not exist, after some pulling',
    tail: `Unable to find image 'ghcr.io/github/github-mcp-server:v99' locally
v99: Pulling from github/github-mcp-server
0b3ab9a1a2f0: Pulling fs layer
» docker: Error response from daemon: manifest unknown

Run 'docker run --help' for more information
`,
    fix: 'check-image',
  },
  {
    name: 'github in docker: a variable that is not handed on',
    tail: 'Error: GITHUB_PERSONAL_ACCESS_TOKEN not set\nUsage:\n  server stdio [flags]\n\nFlags:\n  -h, --help   help for stdio\n\n',
    cause: 'Error: GITHUB_PERSONAL_ACCESS_TOKEN not set',
    fix: 'set-variable',
    remedy: "Set GITHUB_PERSONAL_ACCESS_TOKEN in the server's environment.",
  },
  {
    name: 'podman: the machine does not run',
    tail: `Cannot connect to Podman. Please verify your connection to the Linux system using \`podman system connection list\`, or try \`podman machine init\` and \`podman machine start\` to manage a new Linux VM
» Error: unable to connect to Podman socket: failed to connect: dial tcp 127.0.0.1:51234: connect: connection refused
`,
    fix: 'start-engine',
  },
  {
    name: 'podman-mcp-server: a panic of Go',
    tail: `» panic: no podman implementation available

goroutine 1 [running]:
github.com/manusa/podman-mcp-server/pkg/mcp.NewServer()
	/home/runner/src/podman-mcp-server/pkg/mcp/mcp.go:31 +0x2c5
github.com/manusa/podman-mcp-server/pkg/podman-mcp-server/cmd.init.func1(0xc000248300?, {0x9a5b4d?, 0x4?, 0x9a5b51?})
	/home/runner/src/podman-mcp-server/pkg/podman-mcp-server/cmd/root.go:44 +0x4f
github.com/spf13/cobra.(*Command).execute(0xd2d7a0, {0xc000012110, 0x0, 0x0})
	/home/runner/go/pkg/mod/github.com/spf13/cobra@v1.9.1/command.go:1019 +0xa91
main.main()
	/home/runner/src/podman-mcp-server/cmd/podman-mcp-server/main.go:6 +0x1b
`,
    fix: 'install-command',
  },
];

const otherTails: readonly GivenTail[] = [
  {
    name: 'Go: a nil pointer',
    tail: `2026/08/31 08:31:02 Booting provider...
» panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6b2a10]

goroutine 1 [running]:
main.(*server).load(...)
	/src/main.go:52
main.main()
	/src/main.go:20 +0x1d
exit status 2
`,
  },
  {
    name: 'Go: log.Fatal about a variable',
    tail: '2026/08/31 08:31:02 GRAFANA_URL must be set\nexit status 1\n',
    cause: 'GRAFANA_URL must be set',
    fix: 'set-variable',
  },
  {
    name: 'Go: a line of slog',
    tail: `time=2026-08-31T08:31:02.114Z level=INFO msg="starting server"
time=2026-08-31T08:31:02.301Z level=ERROR msg="failed to open store" err="open /var/lib/mem/store.db: permission denied"
`,
    cause: 'ERROR: failed to open store: open /var/lib/mem/store.db: permission denied',
    fix: 'allow-access',
  },
  {
    name: 'Java: the innermost of several causes',
    tail: `Exception in thread "main" java.lang.IllegalStateException: Failed to start the server
	at com.example.mcp.Server.start(Server.java:41)
	at com.example.mcp.Main.main(Main.java:12)
Caused by: java.lang.RuntimeException: no connection to the database
	at com.example.mcp.Db.open(Db.java:88)
	... 1 more
Caused by: java.net.ConnectException: Connection refused
	at java.base/sun.nio.ch.Net.pollConnect(Native Method)
	at java.base/sun.nio.ch.NioSocketImpl.connect(NioSocketImpl.java:592)
	... 3 more
`,
    cause: 'java.net.ConnectException: Connection refused',
    fix: 'check-service',
  },
  {
    name: 'Java: a file that is not there',
    tail: 'Error: Unable to access jarfile /opt/mcp/server.jar\n',
    fix: 'check-path',
  },
  {
    name: 'Rust: a panic',
    tail: `
thread 'main' panicked at src/main.rs:31:10:
called \`Result::unwrap()\` on an \`Err\` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
`,
    cause:
      'panic: called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }',
  },
  {
    name: 'Rust: anyhow',
    tail: `Error: could not open the workspace

Caused by:
    0: reading /srv/ws/config.toml
    1: Permission denied (os error 13)
`,
    cause: 'Error: could not open the workspace: Permission denied (os error 13)',
    fix: 'allow-access',
  },
  {
    name: 'Rust: clap',
    tail: `error: the following required arguments were not provided:
  --database <PATH>

Usage: sqlite-mcp --database <PATH>

For more information, try '--help'.
`,
    cause: 'error: the following required arguments were not provided: --database <PATH>',
    fix: 'check-arguments',
  },
  {
    name: '.NET: an unhandled exception',
    tail: `» Unhandled exception. System.InvalidOperationException: AZURE_CLIENT_ID is not set
   at Azure.Mcp.Program.Main(String[] args) in /src/Program.cs:line 21
   at Azure.Mcp.Program.<Main>(String[] args)
`,
    fix: 'set-variable',
  },
  {
    name: '.NET: an inner exception',
    tail: `Unhandled exception. System.AggregateException: One or more errors occurred.
 ---> System.Net.Http.HttpRequestException: Name or service not known (login.example.com:443)
   at System.Net.Http.ConnectHelper.ConnectAsync(String host, Int32 port)
   --- End of inner exception stack trace ---
   at Program.<Main>$(String[] args) in /src/Program.cs:line 9
`,
    cause: 'System.Net.Http.HttpRequestException: Name or service not known (login.example.com:443)',
    fix: 'check-network',
  },
  {
    name: '.NET: the runtime is missing',
    tail: `» You must install or update .NET to run this application.

App: /home/ada/.dotnet/tools/mcp-tool
Architecture: x64
Framework: 'Microsoft.NETCore.App', version '9.0.0' (x64)
`,
    fix: 'update-runtime',
  },
  {
    name: 'Ruby: a raised error',
    tail: `/srv/rb/server.rb:7:in 'Object#token': no token was given (ArgumentError)
	from /srv/rb/server.rb:12:in '<main>'
`,
    cause: 'no token was given (ArgumentError)',
  },
  {
    name: 'Ruby: a gem that is not installed',
    tail: `<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in \`require': cannot load such file -- mcp (LoadError)
	from <internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in \`require'
	from /srv/rb/server.rb:1:in \`<main>'
`,
    cause: 'cannot load such file -- mcp (LoadError)',
    fix: 'install-module',
  },
  {
    name: 'Deno: a permission that was not given',
    tail: `» error: Uncaught (in promise) NotCapable: Requires env access to "WEATHER_API_KEY", run again with the --allow-env flag
const key = Deno.env.get("WEATHER_API_KEY");
                     ^
    at Object.getEnv (ext:deno_os/30_os.js:124:10)
    at file:///srv/deno/server.ts:3:22
`,
    fix: 'set-variable',
  },
  {
    name: 'Deno: a module that is not there',
    tail: 'error: Module not found "file:///srv/deno/server.ts".\n',
    fix: 'check-path',
  },
  {
    name: 'Bun: a thrown error',
    tail: `3 | const key = process.env.LINEAR_API_KEY;
4 | if (!key) {
5 |   throw new Error("LINEAR_API_KEY is not set");
            ^
» error: LINEAR_API_KEY is not set
      at /srv/bun/server.ts:5:9

Bun v1.2.20 (Linux x64)
`,
    fix: 'set-variable',
  },
  {
    name: 'sh: a command that does not exist',
    tail: 'sh: 1: mcp-server-weather: not found\n',
    fix: 'install-command',
    remedy: 'Install mcp-server-weather, or give its full path.',
  },
  {
    name: 'bash: a command that does not exist',
    tail: 'bash: line 1: uvx: command not found\n',
    fix: 'install-command',
    remedy: 'Install uvx, or give its full path.',
  },
  {
    name: 'sh: a file that may not be run',
    tail: 'sh: 1: /srv/run.sh: Permission denied\n',
    fix: 'allow-access',
    remedy: 'Allow this user to use /srv/run.sh.',
  },
  {
    name: 'env: the interpreter of a script that does not exist',
    tail: 'env: ‘node’: No such file or directory\n',
    fix: 'install-command',
  },
  {
    name: 'cmd: a command that does not exist',
    tail: "'uvx' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n",
    cause: "'uvx' is not recognized as an internal or external command,",
    fix: 'install-command',
  },
  {
    name: 'cmd: a file that may not be run',
    tail: 'Access is denied.\r\n',
    fix: 'allow-access',
    remedy: 'Allow this user to use what it names.',
  },
  {
    name: 'Windows: the python that leads to the Store',
    tail: 'Python was not found; run without arguments to install from the Microsoft Store, or disable this shortcut from Settings > Manage App Execution Aliases.\r\n',
    fix: 'install-command',
    remedy: 'Install Python: the "python" that comes with Windows only leads to the Microsoft Store.',
  },
  {
    name: 'PowerShell: a script that the policy forbids',
    tail: 'File C:\\srv\\run.ps1 cannot be loaded because running scripts is disabled on this system. For more information, see about_Execution_Policies at https://go.microsoft.com/fwlink/?LinkID=135170.\r\n',
    fix: 'allow-access',
  },
  {
    name: 'colours and a logger',
    tail: '\u001b[90m08:31:02.114\u001b[0m \u001b[31mERROR\u001b[39m the vault /srv/vault does not exist\n',
    cause: 'ERROR the vault /srv/vault does not exist',
  },
  {
    name: 'a logger that writes JSON',
    tail: `{"level":"info","time":"2026-08-31T08:31:02Z","msg":"starting"}
{"level":"error","time":"2026-08-31T08:31:02Z","msg":"cannot start","error":"LINEAR_API_KEY is required"}
`,
    cause: 'ERROR: cannot start: LINEAR_API_KEY is required',
    fix: 'set-variable',
  },
];

export const allTails = [
  ...nodeTails,
  ...installerTails,
  ...pythonTails,
  ...containerTails,
  ...otherTails,
].map(({ tail, cause = (tail.split('» ')[1] ?? tail).trim().split('\n', 1)[0]!, ...rest }) => ({
  ...rest,
  tail: tail.replace('» ', ''),
  cause: cause.trim(),
}));
