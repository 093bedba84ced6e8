import { stringify } from 'yaml';
import type { SendOptions } from '../../verbs/client.ts';
import { isMap, type Json } from '../../verbs/json.ts';
import { protobufType } from '../../verbs/protobuf.ts';
import { withoutRefused } from './refused.ts';
import { type Body, fill, type Step, type Words } from './scenario.ts';
import { spoilt } from './spoil.ts';

/** What later steps may refer to. */
export interface Memory extends Words {
  /** The steps that others refer to; of no other the answer is kept. */
  readonly needed: ReadonlySet<string>;
  /** JSON bodies by step. */
  readonly answers: Map<string, Json>;
  readonly bytes: Map<string, Buffer>;
  /** JSON bodies that were sent, by step. */
  readonly sent: Map<string, Json>;
  /** What webhooks were asked since this was last looked at. */
  readonly heard: () => Json;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly options: SendOptions;
}

/** A merge patch, applied. */
export function merged(target: Json, patch: Json): Json {
  if (!isMap(patch)) return patch;
  const result = isMap(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

interface Content {
  readonly type: string;
  readonly body: string | Buffer;
}

function contentOf({ id }: Step, body: Body, memory: Memory): Content {
  const filled = (text: string): string => fill(text, memory, memory.answers);
  if ('json' in body || 'passedOf' in body) {
    const text = filled(JSON.stringify('json' in body ? body.json : passedJson(body, memory)));
    if (memory.needed.has(id)) memory.sent.set(id, JSON.parse(text));
    return { type: 'application/json', body: text };
  }
  if ('yaml' in body) return { type: 'application/yaml', body: filled(stringify(body.yaml)) };
  if ('text' in body) return { type: 'application/json', body: filled(body.text) };
  if ('bytesOf' in body) return { type: protobufType, body: bytesOf(body, memory) };
  const change = JSON.parse(filled(JSON.stringify(body.merge ?? {})));
  const object = merged(memory.answers.get(body.answerOf) ?? {}, change);
  return body.inYaml
    ? { type: 'application/yaml', body: stringify(object) }
    : { type: 'application/json', body: JSON.stringify(object) };
}

const passedJson = (
  { passedOf, usual, merge = {} }: Extract<Body, { passedOf: string }>,
  { sent, answers }: Memory,
): Json => merged(withoutRefused(sent.get(passedOf) ?? {}, answers.get(passedOf), usual), merge);

function bytesOf({ bytesOf: id, spoilt: how }: Extract<Body, { bytesOf: string }>, { bytes }: Memory): Buffer {
  const given = bytes.get(id) ?? Buffer.alloc(0);
  return how ? spoilt(given, how) : given;
}

const longestLine = 64 * 1024;

/** The request that a step stands for, given what came before. */
export function requestOf(step: Step, memory: Memory): Request {
  const filled = (text: string): string => fill(text, memory, memory.answers);
  const content = step.body && contentOf(step, step.body, memory);
  const query =
    typeof step.query === 'string'
      ? filled(step.query)
      : step.query && Object.fromEntries(Object.entries(step.query).map(([name, value]) => [name, filled(value)]));
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? filled(value) : value.map(filled),
    ]),
  );
  return {
    method: step.method,
    path: filled(step.path).slice(0, longestLine),
    options: {
      ...(query === undefined ? {} : { query }),
      ...(content ? { body: content.body } : {}),
      ...(step.anonymous ? { credentials: false } : {}),
      headers: { ...(content ? { 'content-type': content.type } : {}), ...headers },
    },
  };
}
