import { type Json, jsonOf } from '../verbs/json.ts';
import { edited, spoiled } from './edited.ts';
import { describeMatch, type Match, matcher } from './match.ts';
import type { Meddling, ProxiedAnswer, ProxiedRequest, Sabotage } from './sabotage.ts';

/** A sabotage of any make. */
export const sabotage = (name: string, begin: () => Meddling): Sabotage => ({ name, begin });

/** A sabotage of requests that match, which its name tells; `begin` gets what says of a request whether it does. */
export const sabotageOf = (
  name: string,
  match: Match,
  begin: (matches: (request: ProxiedRequest) => boolean) => Meddling,
): Sabotage => sabotage(`${name}${describeMatch(match)}`, () => begin(matcher(match)));

/** Several at once, each seeing what the one before left. */
export function all(...parts: readonly Sabotage[]): Sabotage {
  return sabotage(parts.map((part) => part.name).join(' and '), () => {
    const meddlings = parts.map((part) => part.begin());
    return {
      request: (request) => {
        let current: ProxiedRequest = request;
        for (const { request: change } of meddlings) {
          const next = change ? change(current) : current;
          if ('status' in next) return next;
          current = next;
        }
        return current;
      },
      answer: (answer, request) =>
        meddlings.reduce((current, { answer: change }) => (change ? change(current, request) : current), answer),
      event: (event, request) =>
        meddlings.reduce<readonly Json[]>(
          (events, { event: change }) => (change ? events.flatMap((one) => change(one, request)) : events),
          [event],
        ),
      streamHead: (head, request) =>
        meddlings.reduce((current, { streamHead: change }) => (change ? change(current, request) : current), head),
    };
  });
}

const bytes = (body: Json): Buffer => Buffer.from(JSON.stringify(body));

/** Changes the JSON of answers; what is no JSON passes. */
export const changeAnswer = (
  name: string,
  change: (body: Json, request: ProxiedRequest) => Json,
  match: Match = {},
): Sabotage =>
  sabotageOf(name, match, (matches) => ({
    answer: (answer, request) => {
      const body = matches(request) ? jsonOf(answer.body) : undefined;
      return body === undefined ? answer : { ...answer, body: bytes(change(body, request)) };
    },
  }));

/** Changes the bytes of answers; bytes that cannot be read so pass. */
export const changeBytes = (name: string, change: (bytes: Buffer) => Buffer, match: Match = {}): Sabotage =>
  sabotageOf(name, match, (matches) => ({
    answer: (answer, request) => {
      if (!matches(request)) return answer;
      try {
        return { ...answer, body: change(answer.body) };
      } catch {
        return answer;
      }
    },
  }));

/** Changes the text of answers of whatever type. */
export const changeText = (name: string, change: (text: string) => string, match: Match = {}): Sabotage =>
  sabotageOf(name, match, (matches) => ({
    answer: (answer, request) =>
      matches(request) ? { ...answer, body: Buffer.from(change(answer.body.toString('utf8'))) } : answer,
  }));

/** Changes the JSON of requests. */
export const changeRequest = (
  name: string,
  change: (body: Json, request: ProxiedRequest) => Json,
  match: Match = {},
): Sabotage =>
  sabotageOf(name, match, (matches) => ({
    request: (request) => {
      const body = matches(request) ? jsonOf(request.body) : undefined;
      return body === undefined ? request : { ...request, body: bytes(change(body, request)) };
    },
  }));

interface ReplaceOptions extends Match {
  /** Only in the n-th page of a list, the first being 1. */
  readonly onPage?: number;
  readonly with?: Json;
}

const pageMatch = ({ onPage, with: _, ...match }: ReplaceOptions): Match => {
  if (onPage === undefined) return match;
  return onPage === 1
    ? { ...match, query: { ...match.query, continue: false } }
    : { ...match, query: { ...match.query, continue: true }, nth: onPage - 1 };
};

/**
 * Replaces a part of JSON answers by `with`, or by another value of its type.
 * The path goes by members; `*` stands for every element of a list or map: `items.*.metadata.name`.
 */
export function replaceIn(path: string, options: ReplaceOptions = {}): Sabotage {
  const spoil = Object.hasOwn(options, 'with') ? () => options.with : spoiled;
  return changeAnswer(`replaces ${path}`, (body) => edited(body, path.split('.'), spoil), pageMatch(options));
}

/** Leaves a part out of JSON answers. */
export const removeIn = (path: string, options: ReplaceOptions = {}): Sabotage =>
  changeAnswer(`leaves out ${path}`, (body) => edited(body, path.split('.'), () => undefined), pageMatch(options));

/** Lets the request do its work, but answers another code. */
export const answerStatus = (
  status: number,
  match: Match & { readonly instead?: number | readonly number[] } = {},
): Sabotage =>
  sabotageOf(`answers ${status}${match.instead ? ` instead of ${match.instead}` : ''}`, match, (matches) => {
    const fits = (answer: { readonly status: number }): boolean =>
      match.instead === undefined || [match.instead].flat().includes(answer.status);
    return {
      answer: (answer, request) => (matches(request) && fits(answer) ? { ...answer, status } : answer),
      streamHead: (head, request) => (matches(request) && fits(head) ? { ...head, status } : head),
    };
  });

/** Answers without asking the target. */
export const answerWith = (
  status: number,
  body: Json | ((request: ProxiedRequest) => Json),
  match: Match = {},
): Sabotage =>
  sabotageOf(`answers ${status} by itself`, match, (matches) => ({
    request: (request) => {
      if (!matches(request)) return request;
      const content = typeof body === 'function' ? body(request) : body;
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: typeof content === 'string' ? Buffer.from(content) : bytes(content),
      };
    },
  }));

export const notFound = (match: Match = {}): Sabotage => answerWith(404, statusObject(404, 'NotFound'), match);

export const statusObject = (code: number, reason: string): Json => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: code < 400 ? 'Success' : 'Failure',
  reason,
  message: reason,
  code,
});

/** Answers a write as if it had been done, but does not do it. */
export const loseWrite = (match: Match): Sabotage =>
  sabotageOf('loses the write', match, (matches) => ({
    request: (request) => {
      if (!matches(request)) return request;
      const body = request.method === 'DELETE' ? statusObject(200, '') : jsonOf(request.body);
      return {
        status: request.method === 'POST' ? 201 : 200,
        headers: { 'content-type': 'application/json' },
        body: bytes(body ?? {}),
      };
    },
  }));

const withQuery = (request: ProxiedRequest, change: (query: URLSearchParams) => void): ProxiedRequest => {
  const query = new URLSearchParams(request.query);
  change(query);
  return { ...request, query, rawQuery: query.toString() };
};

/** The server does not know the parameter. */
export const ignoreQuery = (name: string, match: Match = {}): Sabotage =>
  sabotageOf(`ignores ${name}`, match, (matches) => ({
    request: (request) =>
      matches(request) && request.query.has(name) ? withQuery(request, (query) => query.delete(name)) : request,
  }));

export const forceQuery = (name: string, value: string, match: Match = {}): Sabotage =>
  sabotageOf(`takes ${name}=${value}`, match, (matches) => ({
    request: (request) => (matches(request) ? withQuery(request, (query) => query.set(name, value)) : request),
  }));

/** With another value of a header, or without it. */
function withHeader<T extends Pick<ProxiedAnswer, 'headers'>>(message: T, name: string, value: string | undefined): T {
  const { [name]: _, ...headers } = message.headers;
  return { ...message, headers: value === undefined ? headers : { ...headers, [name]: value } };
}

/** Sets a header of requests, or takes it away. */
export const requestHeader = (name: string, value: string | undefined, match: Match = {}): Sabotage =>
  sabotageOf(`${value === undefined ? 'ignores' : 'takes another'} ${name}`, match, (matches) => ({
    request: (request) => (matches(request) ? withHeader(request, name, value) : request),
  }));

/** Sets a header of answers, or takes it away. */
export const answerHeader = (name: string, value: string | undefined, match: Match = {}): Sabotage =>
  sabotageOf(`${value === undefined ? 'leaves out' : 'changes'} the header ${name}`, match, (matches) => ({
    answer: (answer, request) => (matches(request) ? withHeader(answer, name, value) : answer),
    streamHead: (head, request) => (matches(request) ? withHeader(head, name, value) : head),
  }));

/** Sends requests for one path to another. */
export const redirectPath = (from: RegExp, to: string, match: Match = {}): Sabotage =>
  sabotage(`takes ${from.source} for ${to}`, () => {
    const matches = matcher(match);
    return {
      request: (request) => (matches(request) ? { ...request, path: request.path.replace(from, to) } : request),
    };
  });

/** Takes requests for requests of another method. */
export const changeMethod = (method: string, match: Match): Sabotage =>
  sabotageOf(`takes them for ${method}`, match, (matches) => ({
    request: (request) => (matches(request) ? { ...request, method } : request),
  }));

/** Changes events of watches; an empty list swallows one, several put more in. */
export const changeEvent = (name: string, change: (event: Json) => readonly Json[], match: Match = {}): Sabotage =>
  sabotageOf(name, match, (matches) => {
    const watching = new WeakMap<ProxiedRequest, boolean>();
    return {
      event: (event, request) => {
        if (!watching.has(request)) watching.set(request, matches(request));
        return watching.get(request) ? change(event) : [event];
      },
    };
  });

export const swallowEvent = (type: string, match: Match = {}): Sabotage =>
  changeEvent(`swallows ${type} events`, (event) => (event.type === type ? [] : [event]), match);

export const retypeEvent = (from: string, to: string, match: Match = {}): Sabotage =>
  changeEvent(
    `calls ${from} events ${to}`,
    (event) => (event.type === from ? [{ ...event, type: to }] : [event]),
    match,
  );

export const repeatEvent = (type: string, match: Match = {}): Sabotage =>
  changeEvent(`repeats ${type} events`, (event) => (event.type === type ? [event, event] : [event]), match);

export const editEvent = (path: string, match: Match & { readonly with?: Json } = {}): Sabotage => {
  const { with: value, ...rest } = match;
  const spoil = Object.hasOwn(match, 'with') ? () => value : spoiled;
  return changeEvent(`replaces ${path} of events`, (event) => [edited(event, path.split('.'), spoil)], rest);
};
