import { type Json, jsonOf } from '../verbs/json.ts';
import { merged } from '../verbs/merged.ts';
import type { Match } from './match.ts';
import type { ProxiedRequest, Sabotage } from './sabotage.ts';
import { changeAnswer, changeRequest, sabotageOf } from './transforms.ts';

/** What careless servers do with what they should refuse or keep. */

/** Nothing is found to be wrong with an object: it is answered as if it had been stored. */
export const acceptsInvalid = (match: Match): Sabotage =>
  sabotageOf('accepts what is invalid', match, (matches) => ({
    answer: (answer, request) =>
      matches(request) && [400, 422].includes(answer.status)
        ? { ...answer, status: request.method === 'POST' ? 201 : 200, body: request.body }
        : answer,
  }));

/** Whoever writes need not have seen what is there: the version in a body does not count. */
export const forgetVersion = (match: Match): Sabotage => {
  const forget = (body: Json): Json => {
    if (Array.isArray(body))
      return body.map((one) => (one.value ? { ...one, value: forget({ metadata: one.value }).metadata } : one));
    if (!body?.metadata) return body;
    const { resourceVersion: _, ...metadata } = body.metadata;
    return { ...body, metadata };
  };
  return changeRequest('forgets the version in the body', forget, match);
};

const nameIn = ({ body }: ProxiedRequest): string | undefined => jsonOf(body)?.metadata?.name;

/** A create is stored first and judged after: what was refused can be read. */
export const storesRefused = (match: Match): Sabotage =>
  sabotageOf('stores what it refuses', match, (matches) => {
    const refused = new Map<string, Buffer>();
    return {
      answer: (answer, request) => {
        if (!matches(request)) return answer;
        const name = nameIn(request);
        if (request.method === 'POST' && answer.status >= 400 && name !== undefined) refused.set(name, request.body);
        const kept = refused.get(request.path.split('/').at(-1) ?? '');
        return request.method === 'GET' && answer.status === 404 && kept
          ? { ...answer, status: 200, body: kept }
          : answer;
      },
    };
  });

/** A change is stored first and judged after: what was refused can be read in the object. */
export const changesRefused = (match: Match): Sabotage =>
  sabotageOf('changes by what it refuses', match, (matches) => {
    const refused = new Map<string, Json>();
    return {
      answer: (answer, request) => {
        if (matches(request)) {
          if (answer.status >= 400) refused.set(itemOf(request.path), jsonOf(request.body));
          return answer;
        }
        const change = request.method === 'GET' && answer.status === 200 ? refused.get(request.path) : undefined;
        const body = change && merged(jsonOf(answer.body), change);
        return body ? { ...answer, body: Buffer.from(JSON.stringify(body)) } : answer;
      },
    };
  });

/** The path of an object, given that of one of its subresources or its own. */
const itemOf = (path: string): string => path.replace(/\/(?:status|approval|finalize|scale)$/, '');

/** Members of an object are not stored. */
export const forgets = (members: readonly string[], match: Match): Sabotage =>
  changeAnswer(
    `forgets ${members.join(', ')}`,
    (body) => Object.fromEntries(Object.entries(body ?? {}).filter(([key]) => !members.includes(key))),
    match,
  );

/** Whoever is known is taken for somebody else. */
export const misnames = (match: Match): Sabotage =>
  changeAnswer(
    'takes callers for somebody else',
    (body) =>
      typeof body?.message === 'string'
        ? { ...body, message: body.message.replace(/User "[^"]*"/, 'User "else"') }
        : body,
    match,
  );

/** Nobody is asked whether the caller may act as another: the request is the caller's own. */
export const unguarded = (match: Match): Sabotage =>
  sabotageOf('asks for no permission', match, (matches) => ({
    request: (request) => {
      if (!matches(request)) return request;
      const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith('impersonate-'));
      return { ...request, headers: Object.fromEntries(headers) };
    },
  }));

/** Whatever kind a body says it is, it is taken for the one of the path. */
export const takesAnyKind = (kind: string, match: Match): Sabotage =>
  changeRequest(`takes any body for a ${kind}`, (body) => ({ ...body, kind }), match);

/** What it has shown once it goes on showing: nothing goes. */
export const showsGone = (match: Match): Sabotage =>
  sabotageOf('goes on showing what is gone', match, (matches) => {
    const shown = new Map<string, Buffer>();
    return {
      answer: (answer, request) => {
        if (!matches(request)) return answer;
        if (answer.status === 200) shown.set(request.path, answer.body);
        const kept = answer.status === 404 ? shown.get(request.path) : undefined;
        return kept ? { ...answer, status: 200, body: kept } : answer;
      },
    };
  });
