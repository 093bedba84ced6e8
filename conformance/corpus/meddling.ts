import { edited } from '../sabotage/edited.ts';
import { type Match, matcher } from '../sabotage/match.ts';
import type { ProxiedAnswer, ProxiedRequest, Sabotage } from '../sabotage/sabotage.ts';
import { answerWith, sabotage, statusObject } from '../sabotage/transforms.ts';
import { type Json, jsonOf } from '../verbs/json.ts';

/** What faulty servers do to requests and answers, beside what sabotages do. */

export { jsonOf };

const bytesOf = (body: Json): Buffer => Buffer.from(JSON.stringify(body));

/** An object without one of its members. */
export const without = (name: string, { [name]: _, ...rest }: Json): Json => rest;

/** Bodies without the field at this path. */
export const leavingOut =
  (...path: readonly string[]) =>
  (body: Json): Json =>
    edited(body, path, () => undefined);

export const refusal = (code: number, reason: string): ProxiedAnswer => ({
  status: code,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(statusObject(code, reason))),
});

/** Does not know the form that a body is in. */
export const unsupported = (match: Match): Sabotage =>
  answerWith(415, statusObject(415, 'UnsupportedMediaType'), match);

/** Reads the query another way. */
export const misread = (match: Match, change: (query: URLSearchParams) => void): Sabotage =>
  sabotage('misreads the query', () => {
    const matches = matcher(match);
    return {
      request: (request) => {
        if (!matches(request)) return request;
        const query = new URLSearchParams(request.query);
        change(query);
        return { ...request, query, rawQuery: query.toString() };
      },
    };
  });

/** Reads a header another way; undefined leaves it out. */
export const mishear = (
  header: string,
  change: (values: readonly string[]) => readonly string[] | undefined,
  match: Match = {},
): Sabotage =>
  sabotage(`mishears ${header}`, () => {
    const matches = matcher(match);
    return {
      request: (request) => {
        const values = request.headers[header];
        if (values === undefined || !matches(request)) return request;
        const { [header]: _, ...headers } = request.headers;
        const list = typeof values === 'string' ? values.split(', ') : values;
        const changed = change(list);
        return { ...request, headers: changed === undefined ? headers : { ...headers, [header]: [...changed] } };
      },
    };
  });

/** Answers with what was sent where it should have refused, and stores nothing. */
export const lenient = (match: Match, refusals: readonly number[] = [400, 422]): Sabotage =>
  sabotage('accepts what is invalid', () => {
    const matches = matcher(match);
    return {
      answer: (answer, request) => {
        if (!matches(request) || !refusals.includes(answer.status)) return answer;
        return { ...answer, status: request.method === 'POST' ? 201 : 200, body: request.body };
      },
    };
  });

/** Answers in which there is nothing to change pass with the bytes that they had. */
export const wherever = (change: (body: Json) => Json, path = /^/): Sabotage =>
  sabotage('changes what it finds', () => ({
    answer: (answer, request) => {
      const before = path.test(request.path) ? JSON.stringify(jsonOf(answer.body)) : undefined;
      if (before === undefined) return answer;
      const after = JSON.stringify(change(JSON.parse(before)));
      return after === before ? answer : { ...answer, body: Buffer.from(after) };
    },
  }));

/** Changes JSON answers with a memory of what went before. */
export const remembering = (
  begin: () => (body: Json, request: ProxiedRequest, answer: ProxiedAnswer) => Json,
): Sabotage =>
  sabotage('remembers', () => {
    const change = begin();
    return {
      answer: (answer, request) => {
        const body = jsonOf(answer.body);
        return body === undefined ? answer : { ...answer, body: bytesOf(change(body, request, answer)) };
      },
    };
  });

export interface Memory {
  readonly request?: (request: ProxiedRequest) => void;
  readonly answer?: (body: Json, request: ProxiedRequest) => void;
  readonly event: (event: Json, request: ProxiedRequest) => readonly Json[];
}

/** Changes events with a memory of the requests and answers that went before. */
export const watching = (begin: () => Memory): Sabotage =>
  sabotage('watches', () => {
    const memory = begin();
    return {
      request: (request) => {
        memory.request?.(request);
        return request;
      },
      answer: (answer, request) => {
        const body = jsonOf(answer.body);
        if (body !== undefined) memory.answer?.(body, request);
        return answer;
      },
      event: memory.event,
    };
  });

/** Changes the JSON of requests with a memory. */
export const recalling = (begin: () => (body: Json, request: ProxiedRequest) => Json): Sabotage =>
  sabotage('recalls', () => {
    const change = begin();
    return {
      request: (request) => {
        const body = jsonOf(request.body);
        return body === undefined ? request : { ...request, body: bytesOf(change(body, request)) };
      },
    };
  });
