import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { maskedTarget, secretsOf } from '../../../electron/core/journal/config-secrets.ts';
import type { ServerEntry } from '../../../shared/server-config.ts';
import { configOf } from '../../support/config-of.ts';

const redact = createRedactor([]);
/** Characters as drawn ones have them; the words around a key must not tell. */
const drawn = (length: number) => 'aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0z'.repeat(4).slice(0, length);
const hex = (length: number) => '3f9a8b7c21d0e456'.repeat(8).slice(0, length);

describe('a key with a form of its own', () => {
  it.each([
    ['OpenAI', `sk-proj-${drawn(40)}`],
    ['Anthropic', `sk-ant-api03-${drawn(40)}`],
    ['Groq', `gsk_${drawn(52)}`],
    ['xAI', `xai-${drawn(60)}`],
    ['Hugging Face', `hf_${drawn(34)}`],
    ['Replicate', `r8_${drawn(37)}`],
    ['Perplexity', `pplx-${drawn(48)}`],
    ['NVIDIA', `nvapi-${drawn(60)}`],
    ['LangSmith', `lsv2_pt_${hex(32)}_${hex(10)}`],
    ['Pinecone', `pcsk_${drawn(60)}`],
    ['E2B', `e2b_${hex(40)}`],
    ['Tavily', `tvly-dev-${drawn(32)}`],
    ['Firecrawl', `fc-${hex(32)}`],
    ['Apify', `apify_api_${drawn(36)}`],
    ['Browserbase', `bb_live_${drawn(27)}`],
    ['Brave', `BSA${drawn(28)}`],
    ['GitHub', `ghp_${drawn(36)}`],
    ['GitHub, fine-grained', `github_pat_${drawn(22)}_${drawn(59)}`],
    ['GitLab', `glpat-${drawn(20)}`],
    ['Bitbucket', `ATBB${drawn(32)}`],
    ['npm', `npm_${drawn(36)}`],
    ['PyPI', `pypi-AgEIcHlwaS5vcmc${drawn(60)}`],
    ['Docker', `dckr_pat_${drawn(27)}`],
    ['Postman', `PMAK-${hex(24)}-${hex(34)}`],
    ['Notion', `ntn_${drawn(46)}`],
    ['Notion, older', `secret_${drawn(43)}`],
    ['Linear', `lin_api_${drawn(40)}`],
    ['Figma', `figd_${drawn(40)}`],
    ['Atlassian', `ATATT3xFfGF0${drawn(60)}=1A2B3C4D`],
    ['Airtable', `pat${drawn(14)}.${hex(64)}`],
    ['HubSpot', `pat-na1-${hex(8)}-${hex(4)}-${hex(12)}`],
    ['Slack', `xoxb-1234567890-${drawn(24)}`],
    ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['Google', `AIza${drawn(35)}`],
    ['Google, a client', `GOCSPX-${drawn(28)}`],
    ['Azure', `a1B8Q~${drawn(34)}`],
    ['DigitalOcean', `dop_v1_${hex(64)}`],
    ['Netlify', `nfp_${drawn(36)}`],
    ['Supabase', `sbp_${hex(40)}`],
    ['Supabase, a project', `sb_secret_${drawn(31)}`],
    ['Neon', `napi_${drawn(60)}`],
    ['PlanetScale', `pscale_tkn_${drawn(43)}`],
    ['Databricks', `dapi${hex(32)}`],
    ['Vault', `hvs.${drawn(60)}`],
    ['Doppler', `dp.pt.${drawn(43)}`],
    ['Grafana', `glsa_${drawn(32)}_${hex(8)}`],
    ['Sentry', `sntryu_${hex(60)}`],
    ['New Relic', `NRAK-${drawn(27).toUpperCase()}`],
    ['PostHog', `phx_${drawn(43)}`],
    ['Stripe', `sk_live_${drawn(24)}`],
    ['Stripe, a hook', `whsec_${drawn(32)}`],
    ['Shopify', `shpat_${hex(32)}`],
    ['SendGrid', `SG.${drawn(22)}.${drawn(43)}`],
    ['Twilio', `SK${hex(32)}`],
    ['a JSON Web Token', `eyJ${drawn(20)}.eyJ${drawn(30)}.${drawn(43)}`],
  ])('is blacked out in a line of a log: %s', (_, key) => {
    expect(redact(`started with ${key}, and went on`)).toBe('started with [redacted], and went on');
  });

  it.each([
    ['Telegram', `https://api.telegram.example/bot123456789:AA${drawn(33)}/getMe`, `AA${drawn(33)}`],
    ['Slack', `https://hooks.slack.com/services/T012345/B012345/${drawn(24)}`, drawn(24)],
    ['Discord', `https://discord.com/api/webhooks/123456789012345678/${drawn(68)}`, drawn(68)],
  ])('is blacked out in an address: %s', (_, address, key) => {
    expect(redact(`GET ${address} 200`)).not.toContain(key);
  });
});

/** Names of packages on npm that have "mcp" in them. */
const NAMES = readFileSync(join(import.meta.dirname, '../../fixtures/mcp-package-names.txt'), 'utf8')
  .trim()
  .split('\n');

const places: readonly (readonly [string, (name: string) => ServerEntry])[] = [
  ['behind npx -y', (name) => ({ command: 'npx', args: ['-y', name] })],
  ['behind npx -y, with a version', (name) => ({ command: 'npx', args: ['-y', `${name}@1.2.3`, '--stdio'] })],
  ['behind a letter', (name) => ({ command: 'npx', args: ['-p', name, '-x', name] })],
  ['as an argument', (name) => ({ command: 'run', args: [name, `--server=${name}`] })],
  ['in a script', (name) => ({ command: 'sh', args: ['-c', `cd / && npx -y ${name}`] })],
  ['as a variable', (name) => ({ command: 'run', env: { SERVER: name } })],
  ['as a segment of an address', (name) => ({ url: `https://stock.example/${name}/mcp` })],
  ['as a parameter', (name) => ({ url: `https://stock.example/mcp?server=${name}` })],
];

describe('the name of a package', () => {
  it.each(places)('is no secret %s', (_, place) => {
    const taken = NAMES.filter((name) => {
      const config = configOf(place(name));
      return maskedTarget(config).includes('[redacted]') || secretsOf(config).length > 0;
    });
    expect(taken).toEqual([]);
  });
});
