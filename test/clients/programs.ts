import { join } from 'node:path';
import type { CommandLine } from '../fixtures/fixture-server.ts';
import type { Scenario } from './scenarios.ts';

/** How a program reaches the server, which it knows as `alpha`. */
export type Way =
  | { readonly kind: 'gateway'; readonly url: string; readonly token: string }
  | ({ readonly kind: 'stdio' } & CommandLine);

interface SpawnEnvironment {
  /** Address of its model. */
  readonly model: string;
  readonly way: Way;
}

/** How one real program is installed, set up and started for one conversation with a scripted model. */
export interface Program {
  readonly title: string;
  readonly package: string;
  readonly bin: string;
  /** Before the name of a tool, as its model sees it. */
  readonly prefix: string;
  readonly namespace?: string;
  /** Path of the file with its servers, below its home. */
  readonly config: string;
  /** Arguments that make the program add a server to that file, where it can. */
  readonly add?: (name: string, command: string, args: readonly string[]) => readonly string[];
  /** Its files by their paths below its home. */
  files(surroundings: SpawnEnvironment): Readonly<Record<string, string>>;
  environment(model: string): Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** A command that has to run once before. */
  readonly prepare?: (model: string) => readonly string[];
  /** The tool with which its model looks for those of servers, where it is not offered them at first. */
  readonly search?: string;
  /** What this program is known not to do, whatever serves it. */
  readonly cannot: readonly Scenario[];
}

export const SERVER = 'alpha';
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** `{ "mcpServers": { "alpha": … } }`, the most common form. */
function mcpServers({ way }: SpawnEnvironment, http: object, beside: object = {}): string {
  const stdio = way.kind === 'stdio' ? { command: way.command, args: way.args } : {};
  const entry = way.kind === 'gateway' ? { ...http, headers: bearer(way.token) } : { ...stdio };
  return json({ ...beside, mcpServers: { [SERVER]: entry } });
}

const urlOf = ({ way }: SpawnEnvironment) => (way.kind === 'gateway' ? way.url : '');

const claudeCode: Program = {
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  bin: 'claude',
  config: '.claude.json',
  add: (name, command, args) => ['mcp', 'add', '--scope', 'user', name, '--', command, ...args],
  cannot: [],
  prefix: `mcp__${SERVER}__`,
  files: (at) => ({
    '.claude.json': mcpServers(at, { type: 'http', url: urlOf(at) }, { hasCompletedOnboarding: true }),
  }),
  environment: (model) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  args: ['-p', 'go', '--output-format', 'stream-json', '--verbose', '--allowedTools', `mcp__${SERVER}`],
  search: 'ToolSearch',
};

const codex: Program = {
  title: 'Codex',
  package: '@openai/codex',
  bin: 'codex',
  config: '.codex/config.toml',
  add: (name, command, args) => ['mcp', 'add', name, '--', command, ...args],
  cannot: ['new tool announced'],
  prefix: '',
  namespace: `mcp__${SERVER}`,
  files: ({ model, way }) => ({
    '.codex/config.toml': [
      'model = "gpt-5"',
      'model_provider = "scripted"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${model}/v1"`,
      'wire_api = "responses"',
      `[mcp_servers.${SERVER}]`,
      'default_tools_approval_mode = "approve"',
      ...(way.kind === 'gateway'
        ? [`url = "${way.url}"`, `http_headers = { Authorization = "Bearer ${way.token}" }`]
        : [`command = ${JSON.stringify(way.command)}`, `args = ${JSON.stringify(way.args)}`]),
      '',
    ].join('\n'),
  }),
  environment: () => ({}),
  args: ['exec', '--skip-git-repo-check', '--json', 'go'],
};

const geminiCli: Program = {
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  bin: 'gemini',
  config: '.gemini/settings.json',
  add: (name, command, args) => ['mcp', 'add', '-s', 'user', name, command, ...args],
  cannot: [],
  prefix: `mcp_${SERVER}_`,
  files: (at) => ({
    '.gemini/settings.json': mcpServers(
      at,
      { httpUrl: urlOf(at) },
      {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      },
    ),
  }),
  environment: (model) => ({
    GEMINI_API_KEY: 'x',
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  args: ['-p', 'go', '--approval-mode', 'yolo', '-o', 'stream-json', '-m', 'gemini-2.5-pro'],
};

const opencode: Program = {
  title: 'opencode',
  package: 'opencode-ai',
  bin: 'opencode',
  config: '.config/opencode/opencode.json',
  cannot: [],
  prefix: `${SERVER}_`,
  files: ({ model, way }) => ({
    '.config/opencode/opencode.json': json({
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${model}/v1`, apiKey: 'x' },
          models: { scripted: { tool_call: true, limit: { context: 200_000, output: 8000 } } },
        },
      },
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      enabled_providers: ['scripted'],
      autoupdate: false,
      share: 'disabled',
      permission: { '*': 'allow' },
      mcp: {
        [SERVER]:
          way.kind === 'gateway'
            ? { type: 'remote', url: way.url, headers: bearer(way.token), oauth: false }
            : { type: 'local', command: [way.command, ...way.args] },
      },
    }),
  }),
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  args: ['run', '--format', 'json', 'go'],
};

const copilotCli: Program = {
  title: 'Copilot CLI',
  package: '@github/copilot',
  bin: 'copilot',
  config: '.copilot/mcp-config.json',
  cannot: [],
  prefix: `${SERVER}-`,
  files: ({ way }) => ({
    '.copilot/mcp-config.json': json({
      mcpServers: {
        [SERVER]:
          way.kind === 'gateway'
            ? { type: 'http', url: way.url, headers: bearer(way.token), tools: ['*'] }
            : { type: 'local', command: way.command, args: way.args, tools: ['*'] },
      },
    }),
  }),
  environment: (model) => ({
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'x',
    COPILOT_MODEL: 'gpt-4.1',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
  args: ['-p', 'go', '--allow-all-tools', '--disable-builtin-mcps', '--no-color'],
};

const qwenCode: Program = {
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  bin: 'qwen',
  config: '.qwen/settings.json',
  add: (name, command, args) => ['mcp', 'add', '-s', 'user', name, command, ...args],
  cannot: ['new tool announced'],
  prefix: `mcp__${SERVER}__`,
  files: (at) => ({
    '.qwen/settings.json': mcpServers(
      at,
      { httpUrl: urlOf(at) },
      { security: { auth: { selectedType: 'openai' } }, general: { enableAutoUpdate: false } },
    ),
  }),
  environment: (model) => ({
    OPENAI_API_KEY: 'x',
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_MODEL: 'scripted',
  }),
  args: ['-p', 'go', '--approval-mode', 'yolo', '-o', 'stream-json'],
  search: 'tool_search',
};

const cline: Program = {
  title: 'Cline',
  package: 'cline',
  bin: 'cline',
  config: '.cline/data/settings/cline_mcp_settings.json',
  cannot: ['call of 90 s with progress', 'silent call of 90 s', 'new tool announced'],
  prefix: `${SERVER}__`,
  files: (at) => ({
    '.cline/data/settings/cline_mcp_settings.json': mcpServers(at, {
      type: 'streamableHttp',
      url: urlOf(at),
    }),
  }),
  environment: () => ({}),
  prepare: (model) => ['auth', '-p', 'openai', '-k', 'x', '-m', 'scripted', '-b', `${model}/v1`],
  args: ['-y', '--json', 'please go'],
};

const continueCli: Program = {
  title: 'Continue',
  package: '@continuedev/cli',
  bin: 'cn',
  config: '.continue/config.yaml',
  cannot: ['call of 90 s with progress', 'silent call of 90 s', 'answer of 1 MiB', 'new tool announced'],
  prefix: '',
  // YAML takes JSON as it is.
  files: ({ model, way }) => ({
    '.continue/config.yaml': json({
      name: 'scripted',
      version: '1.0.0',
      schema: 'v1',
      models: [
        {
          name: 'scripted',
          provider: 'openai',
          model: 'gpt-4.1',
          apiKey: 'x',
          apiBase: `${model}/v1`,
          roles: ['chat'],
        },
      ],
      mcpServers: [
        way.kind === 'gateway'
          ? {
              name: SERVER,
              type: 'streamable-http',
              url: way.url,
              requestOptions: { headers: bearer(way.token) },
            }
          : { name: SERVER, command: way.command, args: way.args },
      ],
    }),
  }),
  environment: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
  args: ['-p', 'go', '--auto', '--config', join('..', '.continue', 'config.yaml')],
};

export const programs = [claudeCode, codex, geminiCli, opencode, copilotCli, qwenCode, cline, continueCli];
