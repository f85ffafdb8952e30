/**
 * The four forms in which programs talk to a model. Each reads the tools of a request and the answer to a call, and writes the
 * event stream of a reply that says something or calls one tool.
 */

/** A tool as the program offers it to its model. */
export interface Tool {
  readonly name: string;
  /** Codex alone has the server's name here. */
  readonly namespace?: string;
}

export type Reply =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: Tool; readonly args: object };

/** Id of the call of that number, counted from 1. */
export const callId = (number: number) => `call_${number}`;
const callNumber = (id: string) => Number(id.slice('call_'.length));

interface Dialect {
  readonly path: RegExp;
  /** None where the request is a side question, such as one for a title. */
  tools(body: unknown): readonly Tool[];
  /** What the call of that id came to, in the request that follows it. */
  result(body: unknown, id: string): string | undefined;
  write(reply: Reply): string;
}

const anthropic: Dialect = {
  path: /\/messages(\?|$)/,
  tools: (body) => list(body, 'tools').map((tool) => ({ name: textOf(at(tool, 'name')) })),
  result: (body, id) => {
    const blocks = list(body, 'messages').flatMap((message) => list(message, 'content'));
    return foundText(blocks, 'tool_use_id', id, 'content');
  },
  write: (reply) => {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [] };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const [content_block, delta] =
      reply.kind === 'say'
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.text },
          ]
        : [
            { type: 'tool_use', id: reply.id, name: reply.tool.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) },
          ];
    const stop_reason = reply.kind === 'say' ? 'end_turn' : 'tool_use';
    return events(
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    );
  },
};

const responses: Dialect = {
  path: /\/responses$/,
  tools: (body) =>
    list(body, 'tools').flatMap((tool): Tool[] => {
      const name = textOf(at(tool, 'name'));
      if (at(tool, 'type') !== 'namespace') return [{ name }];
      return list(tool, 'tools').map((one) => ({ name: textOf(at(one, 'name')), namespace: name }));
    }),
  result: (body, id) => {
    const isOutput = (item: unknown) => at(item, 'type') === 'function_call_output';
    return foundText(list(body, 'input').filter(isOutput), 'call_id', id, 'output');
  },
  write: (reply) => {
    const head = { id: 'item_1', status: 'completed' };
    const item =
      reply.kind === 'say'
        ? {
            ...head,
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: reply.text }],
          }
        : { ...head, type: 'function_call', call_id: reply.id, ...functionOf(reply), ...reply.tool };
    const response = { id: 'resp_1', object: 'response', created_at: 0, model: 'scripted' };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return events(
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    );
  },
};

const chat: Dialect = {
  path: /\/chat\/completions$/,
  tools: (body) => list(body, 'tools').map((tool) => ({ name: textOf(at(at(tool, 'function'), 'name')) })),
  result: (body, id) => foundText(list(body, 'messages'), 'tool_call_id', id, 'content'),
  write: (reply) => {
    const chunk = { id: 'chat_1', object: 'chat.completion.chunk', created: 0, model: 'scripted' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const [delta, finish_reason] =
      reply.kind === 'say'
        ? [{ role: 'assistant', content: reply.text }, 'stop']
        : [
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ index: 0, id: reply.id, type: 'function', function: functionOf(reply) }],
            },
            'tool_calls',
          ];
    return events(
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      '[DONE]',
    );
  },
};

const gemini: Dialect = {
  path: /:streamGenerateContent(\?|$)/,
  tools: (body) =>
    list(body, 'tools')
      .flatMap((tool) => list(tool, 'functionDeclarations'))
      .map((tool) => ({ name: textOf(at(tool, 'name')) })),
  // Answers have no ids; calls come one at a time, so that their count is their number.
  result: (body, id) => {
    const parts = list(body, 'contents').flatMap((content) => list(content, 'parts'));
    const answers = parts.flatMap((part) => at(part, 'functionResponse') ?? []);
    const answer = answers[callNumber(id) - 1];
    return answer === undefined ? undefined : textOf(at(answer, 'response'));
  },
  write: (reply) => {
    const part =
      reply.kind === 'say'
        ? { text: reply.text }
        : { functionCall: { id: reply.id, name: reply.tool.name, args: reply.args } };
    const candidate = { content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return events({ candidates: [candidate], usageMetadata });
  },
};

export const dialects = [anthropic, responses, chat, gemini];

function functionOf({ tool, args }: Extract<Reply, { kind: 'call' }>): object {
  return { name: tool.name, arguments: JSON.stringify(args) };
}

/** Server-sent events, with their names where they have types. */
function events(...all: readonly (string | object)[]): string {
  const frames = all.map((event) => {
    if (typeof event === 'string') return `data: ${event}\n\n`;
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return frames.join('');
}

function at(value: unknown, key: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[key];
}

function list(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}

/** Text at `key` of the one whose `idKey` is the id. */
function foundText(all: readonly unknown[], idKey: string, id: string, key: string): string | undefined {
  const found = all.find((one) => at(one, idKey) === id);
  return found === undefined ? undefined : textOf(at(found, key));
}

/** The text in whatever wraps it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  const text = at(value ?? undefined, 'text');
  return typeof text === 'string' ? text : JSON.stringify(value ?? '');
}
